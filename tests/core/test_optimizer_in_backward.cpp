// SPDX-License-Identifier: GPL-3.0-or-later
// Updates in the backward pass: which gradients are there, and where the key does nothing.
#include "core/predict/key_effects.hpp"
#include "core/predict/training/training_memory.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_optimizer_in_backward
{

using test::near;
using test::planOf;
using test::trainingCase;

namespace
{

constexpr double headParameters = 128256.0 * 4096; // Llama 3.1 8B's, more than one of its layers

/// Llama 3.1 8B in 16 bit alone, with moments of 8 bit, on one GPU.
PreparedScenario narrow(std::string_view accelerator)
{
    PreparedScenario p = trainingCase("llama-3.1-8b", accelerator);
    p.training.software = TrainingSoftware::TorchFsdp;
    p.training.masterWeights = MasterWeights::None;
    p.training.optimizer = Optimizer::AdamW8bit;
    p.training.checkpointing = Checkpointing::Full;
    p.training.sequenceLength = 2048;
    p.training.microBatch = 2;
    p.training.chunkedLoss = true;
    return p;
}

double tensors(const Evaluation& e)
{
    return e.deviceBytes - e.part(MemoryPart::Overhead);
}

} // namespace

class TestOptimizerInBackward : public QObject
{
    Q_OBJECT
private slots:
    /// torchtune's page has 20.3 GB for it with paged 8-bit moments on a card of 24 GB.
    void gradientsOfOneMatrixAreThere()
    {
        PreparedScenario p = narrow("rtx-4090");
        p.training.offload = Offload::Optimizer;
        const Evaluation whole = evaluate(p);
        p.training.optimizerInBackward = true;
        const Evaluation e = evaluate(p);
        const double n = p.model->parameters.total;
        QVERIFY(!whole.fits && near(tensors(whole), 4 * n));
        QVERIFY(e.fits && near(e.part(MemoryPart::Gradients), 2 * headParameters));
        QVERIFY(near(tensors(e), 2 * n + 2 * headParameters + e.part(MemoryPart::Activations)));
        QVERIFY2(near(tensors(e) + planOf(p).constants.contextBytes, 20.3e9, 0.06), std::to_string(tensors(e)).c_str());
        QCOMPARE(*e.stepTimeS, *whole.stepTimeS); // the same bytes, elsewhere in the step
    }

    /// The copy of a moment that foreach AdamW makes is the matrix', too.
    void copiesOfOneMatrixAreThere()
    {
        PreparedScenario p = narrow("h200-sxm-141gb");
        p.training.software = TrainingSoftware::Transformers;
        p.training.optimizer = Optimizer::AdamW;
        p.training.optimizerInBackward = true;
        QVERIFY(near(evaluate(p).part(MemoryPart::Gradients), (2 + 2) * headParameters));
    }

    /// Of shards the matrix' share, beside the layer's gradient that is not reduced yet.
    void shardsHaveTheirShareOfIt()
    {
        PreparedScenario p = trainingCase("llama-3.1-8b", "a100-sxm-80gb", 4);
        p.training.software = TrainingSoftware::TorchFsdp;
        p.training.optimizerInBackward = true;
        const double layer = p.model->kinds.front().parameters;
        QVERIFY(near(evaluate(p).part(MemoryPart::Gradients), 4 * headParameters / 4 + 4 * layer));
    }

    void severalMicroBatchesAreRefused()
    {
        PreparedScenario p = narrow("h100-sxm-80gb");
        p.training.optimizerInBackward = true;
        QVERIFY(checkSetup(p.setup()).empty());
        p.training.globalBatch = 2;
        QVERIFY(checkSetup(p.setup()).empty());
        p.training.globalBatch = 6;
        const Diagnostics problems = checkSetup(p.setup());
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems.front().path, "/workload/optimizer_in_backward");
        QVERIFY(problems.front().message.find("3 micro-batches") != std::string::npos);
        p.training.optimizerInBackward = false;
        QVERIFY(checkSetup(p.setup()).empty());
    }

    /// Where it saves nothing a note says why.
    void buffersAndAdaptersMakeItIdle()
    {
        PreparedScenario p = narrow("h100-sxm-80gb");
        p.training.optimizerInBackward = true;
        QCOMPARE(keysWithoutEffectText(p), std::string());
        const auto idle = [&](const auto& change) {
            PreparedScenario with = p;
            change(with);
            PreparedScenario without = with;
            without.training.optimizerInBackward.reset();
            const Evaluation e = evaluate(with);
            return e.usedBytes == evaluate(without).usedBytes && e.warnings.has(WarningCode::KeyWithoutEffect) &&
                   keysWithoutEffectText(with).starts_with("optimizer_in_backward has no effect");
        };
        QVERIFY(idle([](PreparedScenario& s) { s.training.software = TrainingSoftware::Megatron; }));
        QVERIFY(idle([](PreparedScenario& s) {
            s.hardware.count = 4;
            s.parallelism.sharding = Sharding::Zero2;
        }));
        QVERIFY(idle([](PreparedScenario& s) {
            s.training.method = Method::Lora;
            s.training.masterWeights = MasterWeights::Fp32;
        }));
    }
};
HEADROOM_TEST(TestOptimizerInBackward)

} // namespace headroom::test_optimizer_in_backward
#include "test_optimizer_in_backward.moc"
