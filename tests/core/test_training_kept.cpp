// SPDX-License-Identifier: GPL-3.0-or-later
// What the forward pass keeps of a layer, and what runs again for what it does not keep.
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <utility>

namespace headroom::test_training_kept
{

using test::near;
using test::planOf;
using test::shardedCase;

class TestTrainingKept : public QObject
{
    Q_OBJECT
private slots:
    /// Scores of unfused attention that are not kept are computed again: they were neither.
    void operatorsOfUnfusedAttentionRunAgain()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 8, Sharding::Fsdp);
        const auto with = [&](Checkpointing mode, FlashAttention flash) {
            p.training.checkpointing = mode;
            p.training.flashAttention = flash;
            return evaluate(p);
        };
        using enum Checkpointing;
        constexpr FlashAttention off = FlashAttention::Off, on = FlashAttention::On;
        const double core = with(AttentionOnly, off).part(TimePart::Recompute); // that alone runs again
        QVERIFY(core > 0.05);
        const Evaluation unfused = with(SelectiveOp, off), fused = with(SelectiveOp, on);
        QVERIFY(near(unfused.part(TimePart::Recompute), fused.part(TimePart::Recompute) + core, 1e-9));
        // FlashAttention computes half of the core again in its own backward pass.
        QVERIFY(near(unfused.flops.recompute, fused.flops.recompute + unfused.flops.attention / 2, 1e-9));
        // 32 layers keep no result of 4,096 values in 16 bit for 4,096 tokens; the scores of a layer are work space.
        const double result = 32.0 * 4096 * 4096 * 2, scores = 5.0 * 32 * 4096 * 4096;
        const double share = p.calibration->training.constants.workspaceFactor;
        const auto activations = [&](FlashAttention flash) {
            p.training.checkpointing = SelectiveOp;
            p.training.flashAttention = flash;
            const TrainingPlan plan = planOf(p);
            return stageActivations(plan, MemoryStages())[0];
        };
        QVERIFY(near(activations(off).kept, activations(on).kept - result, 1e-9));
        QVERIFY(near(activations(off).workspace, activations(on).workspace + share * scores, 1e-9));
    }

    /// Packed samples have their scores masked, not left out: as many are kept as of one sample.
    void unfusedScoresAreOfTheWholeSequence()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 8, Sharding::Fsdp);
        const auto bytes = [&](std::optional<std::int64_t> sample, FlashAttention flash) {
            p.training.packedSampleTokens = sample;
            p.training.flashAttention = flash;
            return layerActivationBytes(planOf(p), p.model->kinds.front());
        };
        QCOMPARE(bytes(512, FlashAttention::Off), bytes(std::nullopt, FlashAttention::Off));
        QCOMPARE(bytes(512, FlashAttention::On), bytes(std::nullopt, FlashAttention::On));
    }

    /// The first stage of GLM-4.5 has its dense layers; the second has as many layers of experts as the heaviest but
    /// one, and holds more micro-batches. A model of many patterns has the fullest stage anywhere.
    void theFullestStageDecides()
    {
        const auto fullest = [](const PreparedScenario& p) {
            const TrainingPlan plan = planOf(p);
            std::pair<double, std::size_t> most;
            for (std::size_t s = 0; s < plan.layout.stages(); ++s) {
                MemoryStages one;
                one.stage[0] = {s, std::min(plan.microBatches, plan.pipeline - double(s))};
                const StageActivations a = stageActivations(plan, one)[0];
                const TrainingStates t = trainingStates(plan, s);
                const double states = t.weights + t.gradients + t.optimizer;
                const double here = std::max(states + t.update, states + a.kept + std::max(a.workspace, a.logits));
                most = std::max(most, std::pair(here, s));
            }
            return most;
        };
        const auto ours = [](const PreparedScenario& p) {
            return peakBytes(trainingStateBytes(planOf(p)), trainingActivationBytes(planOf(p)));
        };
        PreparedScenario p = test::trainingCase("glm-4.5", "h200-sxm-141gb", 512);
        p.training.sequenceLength = 3840;
        p.training.checkpointing = Checkpointing::None;
        p.training.chunkedLoss = false;
        p.training.gradients = Gradients::Fp32;
        p.training.globalBatch = 2048;
        p.parallelism.pipeline = 8;
        p.parallelism.expert = 8;
        p.parallelism.sharding = Sharding::Zero1;
        QCOMPARE(fullest(p).second, std::size_t(1));
        QVERIFY(near(ours(p), fullest(p).first));
        QVERIFY(!evaluate(p).fits); // 150.8 GB were said, and that they fit
        for (const char* model : {"llama-3-70b", "gemma-3-27b", "jamba-v0.1", "nemotron-h-8b", "gpt-oss-120b"})
            for (const std::int64_t pipeline : {2, 4, 8}) {
                p.model = test::profileOf(model);
                p.parallelism.pipeline = pipeline;
                QVERIFY2(near(ours(p), fullest(p).first), model);
            }
    }

    /// The busiest group of experts keeps more of what runs first, too.
    void unevenExpertsKeepMoreOfTheirOperators()
    {
        PreparedScenario p = shardedCase("mixtral-8x7b", 8, Sharding::Zero1);
        p.parallelism.expert = 8;
        p.training.checkpointing = Checkpointing::SelectiveOp;
        const auto kept = [&](double imbalance) {
            p.training.expertImbalance = imbalance;
            const TrainingPlan plan = planOf(p);
            MemoryStages stages;
            return stageActivations(plan, stages)[0].kept;
        };
        // Two experts a token, each of 14,336 values in 16 bit, in 32 layers.
        QVERIFY(near(kept(2) - kept(1), 32.0 * 4096 * 2 * 14336 * 2, 1e-9));
    }
};
HEADROOM_TEST(TestTrainingKept)

} // namespace headroom::test_training_kept
#include "test_training_kept.moc"
