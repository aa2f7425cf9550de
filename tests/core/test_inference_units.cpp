// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix units that are sold slower than their chip was designed (docs/method/matmul.md, Serving).
#include "core/predict/inference/inference_machine.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/serving_fixture.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_inference_units
{

using namespace inference;
using test::near;
using test::serving;
using Engine = InferenceSoftware;

namespace
{

Machine machineOf(const char* accelerator, Engine engine, DataType weights)
{
    return makeMachine(serving("llama-3-8b", accelerator, 1,
                               [&](Scenario& s) {
                                   s.inference.software = engine;
                                   s.inference.weights = weights;
                               }),
                       false);
}

/// Of the rated 16-bit peak, which adds up in 32 bit.
double sustained(const KernelRate& rate, const char* accelerator)
{
    return 1 / rate.perFlop / test::catalog().accelerator(accelerator)->peakFlops(DataType::Bf16);
}

} // namespace

class TestInferenceUnits : public QObject
{
    Q_OBJECT
private slots:
    /// The catalogue's measured matmuls: RTX 3090 78 of 71.2 TFLOP/s, A10G 69.7 of 70, L40 170.3 of 181.
    void unitsOfHalfTheirDesignAreTheLimit()
    {
        for (const char* card : {"rtx-3090", "rtx-4090", "rtx-5090", "a10g", "l40", "h20-96gb"}) {
            const Machine m = machineOf(card, Engine::Vllm, DataType::Bf16);
            QVERIFY2(near(sustained(m.dense.rate, card), 0.9, 1e-6), card);
            QVERIFY2(near(sustained(m.prefillAttention, card), 0.9, 1e-6), card);
            QVERIFY2(near(sustained(machineOf(card, Engine::Vllm, DataType::Int4).dense.rate, card), 0.9, 1e-6), card);
        }
    }

    void wholeUnitsSustainTheirFamilysShare()
    {
        for (const char* card : {"l40s", "rtx-6000-ada", "rtx-pro-6000-bw-ws", "h100-sxm-80gb", "h100-pcie-80gb"}) {
            const Machine m = machineOf(card, Engine::Vllm, DataType::Bf16);
            QVERIFY2(sustained(m.dense.rate, card) < 0.8, card);
            QVERIFY2(sustained(m.prefillAttention, card) <= 0.6 * (1 + 1e-9), card);
        }
    }

    /// Drafts and an 8-bit cache give each cached byte many FLOP, of which an H20 does few: attention ran at 2.8 times
    /// its peak. Where memory is the slower side nothing changes.
    void attentionInDecodeIsNoFasterThanItsArithmetic()
    {
        const auto attention = [](const char* accelerator) {
            const PreparedScenario p = serving("llama-3.1-70b", accelerator, 4, [](Scenario& s) {
                s.parallelism.tensor = 4;
                s.inference.batch = 32;
                s.inference.promptTokens = 16000;
                s.inference.outputTokens = 500;
                s.inference.scheduling = Scheduling::Static;
                s.inference.weights = s.inference.kvCache = DataType::Fp8;
                s.inference.drafting = Drafting::Eagle3;
                s.inference.draftTokens = 7;
            });
            for (const OperatorCost& cost : inferenceOperatorCosts(p))
                if (cost.name == "attention core")
                    return std::pair(cost.flop / cost.timeS / p.accelerator->peakFlops(DataType::Bf16),
                                     cost.bytes / cost.timeS / p.accelerator->memoryBandwidth());
            return std::pair(0.0, 0.0);
        };
        const auto h20 = attention("h20-141gb"), h100 = attention("h100-sxm-80gb");
        QVERIFY2(h20.first > 0.8 && h20.first <= 0.9, std::to_string(h20.first).c_str());
        QVERIFY2(h100.second > 0.7, std::to_string(h100.second).c_str());
    }

    /// The units of a TPU or a Gaudi are few and large: a limit of bytes for each GPU core made llama.cpp 5 to 30 times
    /// too slow there.
    void onlyGpuCoresLimitTheirLoads()
    {
        for (const char* device : {"gaudi3", "gaudi2", "tpu-v5p", "ascend-910b", "trainium2"}) {
            const auto perByte = [&](Engine engine) {
                return machineOf(device, engine, DataType::Bf16).dense.rate.perByte;
            };
            QVERIFY2(near(perByte(Engine::LlamaCpp), perByte(Engine::Tuned)), device);
        }
        QVERIFY(machineOf("apple-m4", Engine::LlamaCpp, DataType::Bf16).dense.rate.perByte >=
                machineOf("apple-m4", Engine::Tuned, DataType::Bf16).dense.rate.perByte);
        const PreparedScenario p =
            serving("llama-3-8b", "gaudi3", 1, [](Scenario& s) { s.inference.software = Engine::LlamaCpp; });
        QVERIFY(warningText(WarningCode::SoftwareWithoutFit,
                            evaluate(p).warnings.number(WarningCode::SoftwareWithoutFit), p)
                    .starts_with("llama.cpp does not run"));
    }

    /// In 16-bit sums a GeForce card is whole: 0.6 of twice the rate.
    void enginesThatAddUpIn16BitMeetWholeUnits()
    {
        const Machine m = machineOf("rtx-4090", Engine::LlamaCpp, DataType::Bf16);
        QVERIFY(near(sustained(m.dense.rate, "rtx-4090"), 0.6 * 330.3 / 165.2, 1e-3));
    }
};

HEADROOM_TEST(TestInferenceUnits)

} // namespace headroom::test_inference_units
#include "test_inference_units.moc"
