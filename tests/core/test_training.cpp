// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/attention_keys.hpp"
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_step.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>
#include <numeric>

namespace headroom::test_training
{

using test::planOf;
using test::trainingCase;

class TestTraining : public QObject
{
    Q_OBJECT

    static PreparedScenario llama8b(std::int64_t count = 8)
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", count);
        p.training.sequenceLength = 8192;
        p.training.software = TrainingSoftware::Megatron;
        return p;
    }
    static double stepTime(const PreparedScenario& p) { return *evaluate(p).stepTimeS; }

private slots:
    void partsAddUpToTheStep()
    {
        PreparedScenario p = trainingCase("mixtral-8x7b", "h100-sxm-80gb", 128);
        p.parallelism.tensor = 2;
        p.parallelism.pipeline = 4;
        p.parallelism.expert = 8;
        p.parallelism.context = 2;
        p.training.globalBatch = 64;
        p.training.checkpointing = Checkpointing::Full;
        const Evaluation r = evaluate(p);
        QCOMPARE(std::accumulate(r.time.begin(), r.time.end(), 0.0), *r.stepTimeS); // to the last bit
        for (const TimePart part :
             {TimePart::Matmul, TimePart::Attention, TimePart::MemoryBound, TimePart::Recompute, TimePart::Experts,
              TimePart::TensorParallel, TimePart::ContextParallel, TimePart::ExpertParallel, TimePart::DataParallel,
              TimePart::PipelineBubble, TimePart::PipelineSend, TimePart::OptimizerStep})
            QVERIFY2(r.part(part) > 0, std::to_string(int(part)).c_str());
        QCOMPARE(r.part(TimePart::PrefillInterference), 0.0);
    }

    void operatorsAddUpToTheParts()
    {
        for (const Checkpointing mode : {Checkpointing::None, Checkpointing::Full, Checkpointing::SelectiveOp}) {
            PreparedScenario p = trainingCase("deepseek-v3", "h100-sxm-80gb", 512);
            p.parallelism.tensor = 2;
            p.parallelism.pipeline = 4;
            p.parallelism.expert = 32;
            p.training.globalBatch = 1024;
            p.training.checkpointing = mode;
            const Evaluation r = evaluate(p);
            std::array<double, timePartCount> sums{};
            double bytes = 0;
            for (const OperatorCost& row : operatorCosts(p)) {
                sums[static_cast<std::size_t>(row.part)] += row.timeS;
                bytes += row.bytes;
                QVERIFY(row.timeS > 0);
            }
            for (std::size_t i = 0; i < sums.size(); ++i)
                QVERIFY2(std::abs(sums[i] - r.time[i]) <= 1e-9 * *r.stepTimeS, std::to_string(i).c_str());
            QVERIFY(std::abs(bytes / r.bytesMoved - 1) < 1e-9);
        }
    }

    void flopsAreWholeSums()
    {
        PreparedScenario p = llama8b();
        p.training.checkpointing = Checkpointing::Full;
        const FlopCounts f = evaluate(p).flops;
        QCOMPARE(f.forward + f.backwardActivation + f.backwardWeight, f.model);
        QVERIFY(std::abs((f.model + f.recompute) / f.hardware - 1) < 1e-12);
        // One forward of the layers again, and FlashAttention's scores.
        QVERIFY(std::abs((f.forward - f.lmHead + f.attention / 2) / f.recompute - 1) < 1e-12);
        p.training.method = Method::Lora;
        QVERIFY(evaluate(p).flops.backwardWeight < 0.02 * evaluate(p).flops.forward);
    }

    void selectiveLiesBetweenNoneAndFull()
    {
        PreparedScenario p = llama8b();
        const auto with = [&](Checkpointing mode) {
            p.training.checkpointing = mode;
            return stepTime(p);
        };
        const double none = with(Checkpointing::None), full = with(Checkpointing::Full);
        for (const Checkpointing mode :
             {Checkpointing::SelectiveOp, Checkpointing::SelectiveLayer, Checkpointing::AttentionOnly}) {
            QVERIFY(with(mode) > none);
            QVERIFY(with(mode) < full);
        }
        // Full checkpointing costs about one more forward: a quarter to a third of the step.
        QVERIFY(full / none > 1.2 && full / none < 1.36);
    }

    void hfuRisesOverMfuByOneForward()
    {
        PreparedScenario p = llama8b();
        p.training.checkpointing = Checkpointing::Full;
        const Evaluation r = evaluate(p);
        QVERIFY(*r.hfu / *r.mfu > 1.25 && *r.hfu / *r.mfu < 1.334);
        p.training.checkpointing = Checkpointing::None;
        QCOMPARE(*evaluate(p).hfu, *evaluate(p).mfu);
    }

    void withoutShardingNothingIsGathered()
    {
        PreparedScenario p = llama8b();
        p.training.method = Method::Lora; // hardly any gradients to reduce
        p.parallelism.sharding = Sharding::Fsdp;
        p.training.overlapDataParallel = 0;
        const double sharded = evaluate(p).part(TimePart::DataParallel);
        p.parallelism.sharding = Sharding::None;
        QVERIFY(evaluate(p).part(TimePart::DataParallel) < 0.02 * sharded);
        p.hardware.count = 1;
        QCOMPARE(evaluate(p).part(TimePart::DataParallel), 0.0);
    }

    void oneTensorRankIsNoTensorParallelism()
    {
        PreparedScenario p = llama8b();
        const Evaluation plain = evaluate(p);
        p.parallelism.tensor = 1;
        p.parallelism.sequenceParallel = true;
        QCOMPARE(*evaluate(p).stepTimeS, *plain.stepTimeS);
        QCOMPARE(plain.part(TimePart::TensorParallel), 0.0);
        p.parallelism.tensor = 4;
        QVERIFY(evaluate(p).part(TimePart::TensorParallel) > 0);
    }

    void bubbleIsSoManyMicroBatches()
    {
        PreparedScenario p = trainingCase("gpt-3-175b", "h100-sxm-80gb", 64);
        p.parallelism.tensor = 8;
        p.parallelism.pipeline = 8;
        p.training.globalBatch = 32; // one data-parallel rank: 32 micro-batches
        const Evaluation r = evaluate(p);
        QCOMPARE(r.microBatches, 32.0);
        double stage = r.part(TimePart::Host);
        for (const TimePart part : {TimePart::Matmul, TimePart::Attention, TimePart::MemoryBound, TimePart::Recompute,
                                    TimePart::TensorParallel})
            stage += r.part(part);
        // The last stage sets the pace with its head; the first micro-batch meets the seven others, which have none.
        double head = 0;
        for (const OperatorCost& row : operatorCosts(p))
            if (!row.repeats && (row.name == "LM head" || row.name == "loss"))
                head += row.timeS;
        QVERIFY(head > 0);
        QVERIFY(std::abs(r.part(TimePart::PipelineBubble) / ((stage - head) * 7 / 32) - 1) < 1e-9);
        p.parallelism.virtualPipeline = 4;
        QVERIFY(std::abs(evaluate(p).part(TimePart::PipelineBubble) * 4 / r.part(TimePart::PipelineBubble) - 1) < 1e-9);
    }

    void imbalanceSlowsExperts()
    {
        PreparedScenario p = trainingCase("mixtral-8x7b", "h100-sxm-80gb", 8);
        p.parallelism.expert = 8;
        const Evaluation even = evaluate(p);
        p.training.expertImbalance = 1.5;
        const Evaluation uneven = evaluate(p);
        QVERIFY(uneven.part(TimePart::Experts) > 1.49 * even.part(TimePart::Experts) * 0.999);
        QVERIFY(uneven.part(TimePart::ExpertParallel) > 1.49 * even.part(TimePart::ExpertParallel));
        QVERIFY(*uneven.mfu < *even.mfu);
        QVERIFY(uneven.part(MemoryPart::Activations) > 1.3 * even.part(MemoryPart::Activations));
        // The busiest of two groups has all of the load at most; a single group has all of it always.
        p.parallelism.expert = 2;
        p.training.expertImbalance = 2;
        const double twice = stepTime(p);
        p.training.expertImbalance = 9;
        QCOMPARE(stepTime(p), twice);
        p.parallelism.expert = 1;
        const double alone = stepTime(p);
        p.training.expertImbalance = 1;
        QCOMPARE(stepTime(p), alone);
    }

    void withoutFlashAttentionLongSequencesSuffer()
    {
        PreparedScenario p = llama8b();
        const auto loss = [&](std::int64_t s) {
            p.training.sequenceLength = s;
            p.training.flashAttention = FlashAttention::On;
            const double on = stepTime(p);
            p.training.flashAttention = FlashAttention::Off;
            return stepTime(p) / on;
        };
        QVERIFY(loss(2048) > 1);
        QVERIFY(loss(32768) > loss(2048));
    }

    /// The attention core of one layer whose heads have `width` values, as many heads as fill 4096.
    static Work core(PreparedScenario p, std::int64_t width)
    {
        const TrainingPlan plan = planOf(p);
        LayerKind kind = p.model->kinds.front();
        kind.attention.headDim = width;
        kind.attention.heads = kind.attention.kvHeads = 4096 / width;
        for (const TrainingOperator& item : layerOperators(plan, kind))
            if (item.part == TimePart::Attention)
                return item.forward;
        return {};
    }

    /// BLOOM's trials: heads of 150 values took half as long again per step as heads of 128.
    void headsOffTheirBoundariesMissTheTensorCores()
    {
        PreparedScenario p = trainingCase("llama-2-7b", "a100-sxm-80gb");
        const auto secondsPerFlop = [&](std::int64_t width) {
            const Work work = core(p, width);
            return work.seconds / work.flop;
        };
        p.training.flashAttention = FlashAttention::Off;
        QVERIFY(secondsPerFlop(150) > 4 * secondsPerFlop(152));
        p.training.flashAttention = FlashAttention::On;
        QVERIFY(secondsPerFlop(150) < 1.1 * secondsPerFlop(152));
        p.training.flashAttention = FlashAttention::Off;
        p.efficiency.base = EfficiencyBase::Ideal;
        QVERIFY(secondsPerFlop(150) < 1.1 * secondsPerFlop(152));
    }

    /// Scores outside a window are computed and masked; an indexer scores all the same what the mask then leaves out.
    void withoutFlashAttentionAWindowSavesNothing()
    {
        PreparedScenario p = trainingCase("deepseek-v3.2", "h100-sxm-80gb", 64);
        p.training.sequenceLength = 16384;
        p.training.flashAttention = FlashAttention::Off;
        const LayerKind& sparse = p.model->kinds.front();
        const auto flop = [&p](const LayerKind& kind) {
            for (const TrainingOperator& item : layerOperators(planOf(p), kind))
                if (item.part == TimePart::Attention)
                    return item.forward.flop;
            return 0.0;
        };
        const double tokens = 16384, all = 2 * tokens * 128 * (192 + 128) * tokens;
        const double indexer = tokens * layerIndexerFlopPerToken(sparse, tokens, KeyCount::ExactCausal);
        QVERIFY(indexer > 0 && std::abs(flop(sparse) / (all + indexer) - 1) < 1e-9);
        p.model = test::profileOf("llama-3-8b");
        LayerKind windowed = p.model->kinds.front();
        const double full = flop(windowed);
        windowed.window = 1024;
        QCOMPARE(flop(windowed), full);
        p.training.packedSampleTokens = 1024; // other samples are masked as well
        QCOMPARE(flop(windowed), full);
        p.efficiency.base = EfficiencyBase::Ideal; // the bound leaves them out
        QVERIFY(std::abs(flop(windowed) * 16 / full - 1) < 1e-9);
        QVERIFY(std::abs(flop(p.model->kinds.front()) * 16 / full - 1) < 1e-9);
    }

    /// FlashAttention 3 paper, figure 5: narrow heads cost version 2 little, version 3 more.
    void narrowHeadsAreSlowerByVersion()
    {
        PreparedScenario p = trainingCase("llama-2-7b", "h100-sxm-80gb");
        p.training.sequenceLength = 65536; // what is not compute weighs little
        const auto loss = [&] { return core(p, 64).seconds / core(p, 128).seconds; };
        p.training.software = TrainingSoftware::Composer;
        p.training.flashAttention = FlashAttention::V2;
        QVERIFY(std::abs(loss() - 335.0 / 299) < 0.03);
        p.training.flashAttention = FlashAttention::V3;
        QVERIFY(std::abs(loss() - 1.41) < 0.03);
    }

    void adaptersOnMoreMatricesTakeLonger()
    {
        PreparedScenario p = llama8b(1);
        p.training.method = Method::Lora;
        p.training.loraTargets = LoraTargets{LoraTargets::qv};
        const LayerKind& kind = p.model->kinds.front();
        const LayerAdapters few = layerAdapters(kind, 4096, 16, p.training.loraTargets);
        QCOMPARE(few.forward.whole, 4096.0 + 4096);       // the inputs of two matrices, read once each
        QCOMPARE(few.forward.split, 4 * (4096.0 + 1024)); // their results
        QCOMPARE(few.backward.whole, 5 * (4096.0 + 4096));
        const double attention = stepTime(p);
        p.training.loraTargets = LoraTargets{LoraTargets::allLinear};
        QVERIFY(stepTime(p) > attention);
    }

    void hostFloorBindsSmallWork()
    {
        PreparedScenario p = trainingCase("llama-3.2-1b", "h100-sxm-80gb");
        p.training.sequenceLength = 64;
        p.training.globalBatch = 64; // the optimizer's weight in the step falls
        p.training.software = TrainingSoftware::Transformers;
        const Evaluation r = evaluate(p);
        QVERIFY(r.part(TimePart::Host) > 0);
        QCOMPARE(int(r.boundBy), int(BoundBy::Latency));
        p.efficiency.host = 0.5;
        QVERIFY(stepTime(p) < *r.stepTimeS);
    }

    void packedSamplesSeeLess()
    {
        PreparedScenario p = llama8b();
        const Evaluation whole = evaluate(p);
        p.training.packedSampleTokens = 512;
        const Evaluation packed = evaluate(p);
        QVERIFY(packed.flops.attention < 0.07 * whole.flops.attention);
        QVERIFY(packed.part(TimePart::Attention) < 0.2 * whole.part(TimePart::Attention));
        QCOMPARE(packed.tokensPerStep, whole.tokensPerStep);
    }

    void quantisedBaseCostsUnpacking()
    {
        PreparedScenario p = trainingCase("llama-2-7b", "a100-sxm-40gb");
        p.training.method = Method::Lora;
        const Evaluation lora = evaluate(p);
        p.training.method = Method::Qlora;
        const Evaluation qlora = evaluate(p);
        QVERIFY(qlora.part(TimePart::MemoryBound) > lora.part(TimePart::MemoryBound));
        QVERIFY(qlora.part(MemoryPart::Weights) < 0.35 * lora.part(MemoryPart::Weights));
        QCOMPARE(qlora.trainableParameters, lora.trainableParameters);
    }

    void offloadingFreesMemoryAndTakesTime()
    {
        PreparedScenario p = llama8b();
        const Evaluation plain = evaluate(p);
        p.training.offload = Offload::Optimizer;
        const Evaluation optimizer = evaluate(p);
        QCOMPARE(optimizer.part(MemoryPart::Optimizer), 0.0);
        QVERIFY(*optimizer.stepTimeS > *plain.stepTimeS);
        p.training.offload = Offload::Parameters;
        const Evaluation parameters = evaluate(p);
        QVERIFY(parameters.usedBytes < optimizer.usedBytes);
        QVERIFY(*parameters.stepTimeS > *optimizer.stepTimeS);
    }

    void optimizersMoveWhatTheyKeep()
    {
        PreparedScenario p = llama8b(1);
        const auto with = [&](Optimizer o) {
            p.training.optimizer = o;
            return evaluate(p).part(TimePart::OptimizerStep);
        };
        QVERIFY(with(Optimizer::Sgd) < with(Optimizer::AdamW8bit));
        QVERIFY(with(Optimizer::AdamW8bit) < with(Optimizer::SgdMomentum));
        QVERIFY(with(Optimizer::SgdMomentum) < with(Optimizer::AdamW));
    }
};
HEADROOM_TEST(TestTraining)

} // namespace headroom::test_training
#include "test_training.moc"
