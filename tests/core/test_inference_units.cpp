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
