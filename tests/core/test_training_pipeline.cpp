// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines in training, by hand: what a step waits for, what a stage holds and exchanges.
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::test_training_pipeline
{

using test::near;
using test::planOf;
using test::trainingCase;

namespace
{

/// Llama 3 70B in sixteen stages of five layers, whose sends hide where there is something to hide behind.
PreparedScenario sixteenStages(std::int64_t pieces, std::int64_t microBatches)
{
    PreparedScenario p = trainingCase("llama-3-70b", "h100-sxm-80gb", 128);
    p.training.sequenceLength = 8192;
    p.training.globalBatch = microBatches;
    p.parallelism.tensor = 8;
    p.parallelism.pipeline = 16;
    p.parallelism.virtualPipeline = pieces;
    p.parallelism.sharding = Sharding::None;
    p.training.overlapDataParallel = 1;
    return p;
}

/// How many times faster a step is with twice the memory bandwidth.
double gainsByMemory(PreparedScenario p)
{
    const double before = *evaluate(p).stepTimeS;
    Accelerator faster = *p.accelerator;
    faster.memoryBandwidthGbPerS *= 2;
    p.accelerator = std::make_shared<const Accelerator>(faster);
    return before / *evaluate(p).stepTimeS;
}

/// s of one of its hops, a piece of a micro-batch between two stages, where nothing runs beside it.
double loneHop(const PreparedScenario& p)
{
    constexpr double hides = 1e9; // s of a stage
    return pipelineSends(planOf(p), hides, 1) / double(p.parallelism.pipeline - 1);
}

} // namespace

class TestTrainingPipeline : public QObject
{
    Q_OBJECT
private slots:
    /// One micro-batch passes all layers one after the other, whatever lies on which stage, and in pieces it crosses
    /// 5·16 - 1 hops each way instead of 15. Each further one of a round comes a piece later; well beyond a round of
    /// all stages the bubble is a piece's share of the plain one.
    void aFewMicroBatchesAreNoFasterInPieces()
    {
        constexpr double pieces = 5;
        const double hops = 2 * 4 * 16 * loneHop(sixteenStages(5, 1));
        for (const double m : {1, 2, 4, 8, 16, 32}) {
            const Evaluation plain = evaluate(sixteenStages(1, std::int64_t(m)));
            const double others = plain.part(TimePart::PipelineBubble); // the first one on the other fifteen stages
            double pace = 0;                                            // one on the slowest
            for (const TimePart part : {TimePart::Matmul, TimePart::Attention, TimePart::MemoryBound,
                                        TimePart::TensorParallel, TimePart::Host})
                pace += plain.part(part) / m;
            QVERIFY(others > 10 * pace);
            const double round = others + pace + (std::min(m, 16.0) - 1) * pace / pieces + hops - m * pace;
            const double hand = m < 16 ? round : std::max(round, others / pieces);
            const double bubble = evaluate(sixteenStages(5, std::int64_t(m))).part(TimePart::PipelineBubble);
            QVERIFY2(near(bubble, hand), std::to_string(bubble / hand).c_str());
        }
    }

    /// Eight stages on eight nodes at 1 Gbit/s: 64 micro-batches cross a link each way, and no overlap makes it carry
    /// them sooner; of the first, each of 14 hops is waited for.
    void aLinkCarriesEveryMicroBatch()
    {
        PreparedScenario p = trainingCase("llama-3.1-8b", "h100-sxm-80gb", 8);
        p.hardware.perNode = 1;
        p.hardware.scaleOutGbitPerS = 1;
        p.training.sequenceLength = 8192;
        p.training.globalBatch = 64;
        p.training.overlapDataParallel = 1;
        p.parallelism.pipeline = 8;
        const double one = 2.0 * 8192 * 4096 / planOf(p).links.scaleOut;
        const Evaluation e = evaluate(p);
        QVERIFY2(*e.stepTimeS >= (64 + 14) * one, std::to_string(*e.stepTimeS / one).c_str());
        p.training.globalBatch = 1;
        QVERIFY(evaluate(p).part(TimePart::PipelineSend) >= 14 * one);
    }

    /// Five stages in four pieces each, at 10 Gbit/s: the link sets the pace, and of four micro-batches none waits less
    /// because the memory is slower.
    void aFasterStageNeverMakesAStepLonger()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "b100", 40);
        p.hardware.scaleOutGbitPerS = 10;
        p.training.microBatch = 8;
        p.training.globalBatch = 32;
        p.parallelism.tensor = 8;
        p.parallelism.pipeline = 5;
        p.parallelism.virtualPipeline = 4;
        QVERIFY(gainsByMemory(p) > 1);
        // Gradients that leave after each of eight micro-batches go while a stage waits for its next piece.
        PreparedScenario q = trainingCase("llama-3-8b", "h100-sxm-80gb", 128);
        q.efficiency.scaleOut = 0.1;
        q.training.globalBatch = 8;
        q.parallelism.tensor = q.parallelism.pipeline = 8;
        q.parallelism.virtualPipeline = 4;
        q.parallelism.context = 2;
        q.parallelism.sharding = Sharding::Zero2;
        QVERIFY(gainsByMemory(q) > 1);
    }

    /// The same where answers are only read: a pass forward.
    void aFewMicroBatchesAreReadNoFasterInPieces()
    {
        const auto reading = [](std::int64_t pieces) {
            const PreparedScenario p = sixteenStages(pieces, 1);
            const TrainingPlan plan = planOf(p);
            return forwardSeconds(plan) - pipelineSends(plan, 1, 1);
        };
        const double hand = reading(1) + 4 * 16 * loneHop(sixteenStages(5, 1));
        QVERIFY2(near(reading(5), hand), std::to_string(reading(5) / hand).c_str());
    }

    /// Frozen weights in shards are gathered once a step, and a stage keeps them: 80 layers of LoRA's base in two
    /// stages over eight ranks each, nothing hidden.
    void aStageGathersTheWeightsUnderItsAdapters()
    {
        PreparedScenario p = trainingCase("llama-3.1-70b", "h100-sxm-80gb", 16);
        p.training.sequenceLength = 4096;
        p.training.overlapDataParallel = 0;
        p.parallelism.pipeline = 2;
        p.parallelism.sharding = Sharding::Fsdp;
        const double whole = p.model->parameters.total / 2; // embedding and head are alike
        for (const Method method : {Method::Lora, Method::Qlora}) {
            p.training.method = method;
            const TrainingPlan plan = planOf(p);
            const double head = p.model->headWeights;
            const double bytes = (method == Method::Qlora ? nf4Bytes : 2) * (whole - head) + 2 * head;
            const Evaluation e = evaluate(p);
            // The adapters are gathered and their gradients scattered in 2 bytes, whatever the base waits in.
            const double adapters = loraParameters(*p.model, double(p.training.loraRank), p.training.loraTargets) / 2;
            const double hand = (bytes + 4 * adapters) * 7 / 8 / plan.links.scaleUp;
            QVERIFY2(near(e.part(TimePart::DataParallel), hand, 0.001),
                     std::to_string(e.part(TimePart::DataParallel) / hand).c_str());
            QVERIFY2(near(e.part(MemoryPart::Weights), bytes * (1 + 1.0 / 8), 0.02),
                     std::to_string(e.part(MemoryPart::Weights) / bytes).c_str());
        }
    }

    /// DeepSpeed's engine asserts that no gradients are divided, and was timed without a word.
    void deepSpeedsPipelinesRefuseDividedGradients()
    {
        const auto refused = [](TrainingSoftware software, std::int64_t pipeline, std::optional<Sharding> sharding) {
            PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
            p.training.software = software;
            p.parallelism.pipeline = pipeline;
            p.parallelism.sharding = sharding;
            return evaluate(p).warnings.has(WarningCode::SoftwareLacks);
        };
        using enum TrainingSoftware;
        for (const Sharding sharding : {Sharding::Zero2, Sharding::Fsdp}) {
            QVERIFY(refused(DeepSpeed, 2, sharding));
            QVERIFY(!refused(DeepSpeed, 1, sharding) && !refused(TorchFsdp, 2, sharding));
            QVERIFY(!refused(DeepSpeed, 8, sharding)); // one rank divides nothing
        }
        for (const auto sharding : {std::optional(Sharding::Zero1), std::optional(Sharding::None), {}})
            QVERIFY(!refused(DeepSpeed, 2, sharding));
    }

    /// Two stages in pieces: the first begins with 2 + (v - 1) 2 pieces, the last with (v - 1) 2, and each holds one
    /// more: (2v + 1) / v and (2v - 1) / v micro-batches.
    void laterStagesHoldMoreInPieces()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 2);
        p.training.sequenceLength = 8192;
        p.training.checkpointing = Checkpointing::None;
        p.training.chunkedLoss = true;
        p.parallelism.pipeline = 2;
        p.parallelism.virtualPipeline = 4;
        const auto held = [&](std::int64_t stage) {
            p.training.globalBatch = 16;
            const TrainingPlan plan = planOf(p);
            const StageActivationBytes several = trainingActivationBytes(plan);
            p.training.globalBatch = 1;
            const StageActivationBytes one = trainingActivationBytes(planOf(p));
            const double logits = plan.constants.chunkedLogitBytes * plan.tokens * plan.model->vocab;
            return stage == 0 ? several.bytes[0] / one.bytes[0] : (several.bytes[1] - logits) / (one.bytes[1] - logits);
        };
        QVERIFY2(near(held(0), 9.0 / 4), std::to_string(held(0)).c_str());
        QVERIFY2(near(held(1), 7.0 / 4), std::to_string(held(1)).c_str());
    }

    /// An embedding that is the head, too, lies on both ends of a pipeline: they add up its gradients of two bytes each
    /// step, half a copy out and half back, over the adapter between two nodes.
    void theEndsAddUpATiedEmbeddingsGradients()
    {
        PreparedScenario p = trainingCase("gemma-3-1b", "h100-sxm-80gb", 16);
        p.training.sequenceLength = 4096;
        p.training.overlapDataParallel = 0;
        p.parallelism.pipeline = 2;
        p.parallelism.sharding = Sharding::Zero1;
        const TrainingPlan plan = planOf(p);
        const double hand = 2 * 262144.0 * 1152 / plan.links.scaleOut;
        QVERIFY2(near(tiedEmbeddingSeconds(plan, 0), hand, 0.01),
                 std::to_string(tiedEmbeddingSeconds(plan, 0) / hand).c_str());
        const auto end = [&](std::size_t stage) {
            return stepDataParallel(plan, stepGroups(plan), stageParameters(plan, stage), 0, 0, 0) +
                   tiedEmbeddingSeconds(plan, stage);
        };
        QVERIFY(near(evaluate(p).part(TimePart::DataParallel), std::max(end(0), end(1))));
        p.parallelism.pipeline = 4; // those between have no vocabulary
        QCOMPARE(tiedEmbeddingSeconds(planOf(p), 1), 0.0);
        p.model = test::profileOf("llama-3-8b"); // two matrices
        QCOMPARE(tiedEmbeddingSeconds(planOf(p), 0), 0.0);
    }
};
HEADROOM_TEST(TestTrainingPipeline)

} // namespace headroom::test_training_pipeline
#include "test_training_pipeline.moc"
