// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_memory.hpp"
#include "tests/support/program.hpp"
#include "tests/support/reference_model.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <cmath>
#include <numeric>

namespace headroom::test_training_memory
{

using test::planOf;
using test::trainingCase;
namespace reference = test::reference;

class TestTrainingMemory : public QObject
{
    Q_OBJECT

    static PreparedScenario megatron(std::string_view model, std::int64_t count = 1)
    {
        PreparedScenario p = trainingCase(model, "h100-sxm-80gb", count);
        p.training.software = TrainingSoftware::Megatron;
        return p;
    }
    static bool near(double value, double expected, double relative)
    {
        if (std::abs(value / expected - 1) <= relative)
            return true;
        qWarning("%.10g, expected %.10g", value, expected);
        return false;
    }

private slots:
    /// What an adapter keeps is what its optimizer keeps.
    void adaptersHaveTheirOptimizersMoments()
    {
        const auto with = [](Optimizer optimizer) {
            PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 1);
            p.training.method = Method::Lora;
            p.training.optimizer = optimizer;
            return evaluate(p);
        };
        const Evaluation adamw = with(Optimizer::AdamW);
        QVERIFY(near(adamw.part(MemoryPart::Optimizer), 8 * adamw.trainableParameters, 1e-12));
        QVERIFY(near(with(Optimizer::AdamW8bit).part(MemoryPart::Optimizer), 2 * adamw.trainableParameters, 1e-12));
        QCOMPARE(with(Optimizer::Sgd).part(MemoryPart::Optimizer), 0.0);
    }

    void partsAddUpToWhatTheDriverShows()
    {
        PreparedScenario p = trainingCase("mixtral-8x7b", "h100-sxm-80gb", 64);
        p.parallelism.pipeline = 4;
        p.parallelism.expert = 8;
        const Evaluation r = evaluate(p);
        QCOMPARE(std::accumulate(r.memory.begin(), r.memory.end(), 0.0), r.usedBytes);
        QVERIFY(near(r.deviceBytes, r.usedBytes, 1e-12));
        QVERIFY(r.allocatedBytes < r.reservedBytes && r.reservedBytes < r.deviceBytes);
        QCOMPARE(r.part(MemoryPart::KvCache), 0.0);
    }

    void megatronKeepsEighteenBytes()
    {
        const PreparedScenario p = megatron("llama-3.2-1b");
        const double n = p.model->parameters.total;
        const Evaluation r = evaluate(p);
        QVERIFY(near(r.part(MemoryPart::Weights), 2 * n, 1e-12));
        QVERIFY(near(r.part(MemoryPart::Gradients), 4 * n, 1e-12));
        QVERIFY(near(r.part(MemoryPart::Optimizer), 12 * n, 1e-12));
    }

    /// BLOOM: a BF16 optimizer adds in fp32 what the stack makes in 16 bit, 4 bytes a parameter more.
    void sumsInFp32StandBesideGradientsOf16Bit()
    {
        PreparedScenario p = megatron("llama-3.2-1b");
        p.training.gradients = Gradients::Fp32;
        QVERIFY(near(evaluate(p).part(MemoryPart::Gradients), 4 * p.model->parameters.total, 1e-12));
        p.training.software = TrainingSoftware::Megatron2021;
        QVERIFY(near(evaluate(p).part(MemoryPart::Gradients), 6 * p.model->parameters.total, 1e-12));
        p.training.gradients.reset();
        QVERIFY(near(evaluate(p).part(MemoryPart::Gradients), 2 * p.model->parameters.total, 1e-12));
    }

    void zeroDividesStepByStep()
    {
        PreparedScenario p = megatron("llama-3-8b", 8);
        const double n = p.model->parameters.total;
        const auto states = [&](Sharding sharding) {
            p.parallelism.sharding = sharding;
            const Evaluation r = evaluate(p);
            return std::array{r.part(MemoryPart::Weights) / n, r.part(MemoryPart::Gradients) / n,
                              r.part(MemoryPart::Optimizer) / n};
        };
        QVERIFY(near(states(Sharding::None)[2], 12, 1e-9));
        const auto one = states(Sharding::Zero1);
        QVERIFY(near(one[0], 2, 1e-9) && near(one[1], 4, 1e-9) && near(one[2], 12.0 / 8, 1e-9));
        const auto two = states(Sharding::Zero2);
        QVERIFY(near(two[1], 4.0 / 8, 1e-9));
        // FSDP: 16 bytes divided, and what is gathered while a layer runs.
        const auto fsdp = states(Sharding::Fsdp);
        QVERIFY(near(fsdp[2], 8.0 / 8, 1e-9));
        const double layer = p.model->kinds[0].parameters, head = p.model->headWeights;
        QVERIFY(near(fsdp[0] * n, 4 * n / 8 + 4 * layer + 4 * head, 1e-9));
        QVERIFY(near(fsdp[1] * n, 4 * n / 8 + 4 * layer, 1e-9));
        p.training.masterWeights = MasterWeights::None;
        const auto pure = states(Sharding::None);
        QVERIFY(near(pure[0], 2, 1e-9) && near(pure[1], 2, 1e-9) && near(pure[2], 4, 1e-9));
    }

    void parallelRanksShareAModel()
    {
        PreparedScenario p = megatron("llama-3-70b", 64);
        p.parallelism.sharding = Sharding::None;
        const double whole = evaluate(p).part(MemoryPart::Weights);
        p.parallelism.tensor = 8;
        QVERIFY(near(evaluate(p).part(MemoryPart::Weights), whole / 8, 1e-9));
        p.parallelism.pipeline = 8;
        QVERIFY(near(evaluate(p).part(MemoryPart::Weights), whole / 64, 0.2)); // and an embedding or the head
    }

    void expertsHaveRanksOfTheirOwn()
    {
        PreparedScenario p = megatron("mixtral-8x7b", 8);
        p.parallelism.sharding = Sharding::None;
        const double total = p.model->parameters.total;
        QVERIFY(near(evaluate(p).part(MemoryPart::Weights), 2 * total, 1e-9)); // all 46.7 B, not the active ones
        p.parallelism.expert = 8;
        const double experts = 32 * 8 * p.model->kinds[0].expertWeights;
        QVERIFY(near(evaluate(p).part(MemoryPart::Weights), 2 * (total - experts + experts / 8), 1e-9));
        p.parallelism.expert = 1;
        p.parallelism.tensor = 8; // 32 routers of 4096 x 8 lie whole on each rank
        QVERIFY(near(evaluate(p).part(MemoryPart::Weights), 2 * (total / 8 + 32 * 4096 * 8 * 7 / 8), 1e-9));
    }

    /// What does not divide lies whole on each rank, as the times take it: an expert, a head, a key/value head.
    void wholeExpertsAndHeadsLieOnARank()
    {
        PreparedScenario p = megatron("mixtral-8x7b", 64);
        p.parallelism.sharding = Sharding::None;
        const auto weights = [&] { return evaluate(p).part(MemoryPart::Weights); };
        p.parallelism.expert = 8;
        const double eight = weights();
        for (const std::int64_t more : {16, 64}) {
            p.parallelism.expert = more;
            QVERIFY(near(weights(), eight, 1e-9));
        }
        p.parallelism.expert = 5; // two of eight on a rank
        const double one = 2 * 32 * p.model->kinds[0].expertWeights;
        QVERIFY(near(weights(), eight + one, 1e-9));

        p = megatron("llama-3-8b", 16); // 32 heads of 128 values, 8 key/value heads
        p.parallelism.sharding = Sharding::None;
        p.parallelism.tensor = 16; // half a key/value head each
        const double whole = 2 * p.model->parameters.total, column = 2 * 32 * 4096 * 128;
        QVERIFY(near(weights(), whole / 16 + 2 * 0.5 * column, 1e-9));
        p.hardware.count = 5;
        p.parallelism.tensor = 5; // 6.4 heads are 7, their part of the output included; 1.6 key/value heads are 2
        QVERIFY(near(weights(), whole / 5 + (2 * 0.6 + 2 * 0.4) * column, 1e-9));
    }

    void aLlamaLayerKeepsThirtyFourBytes()
    {
        // [8h + 2(q + 2g)d + 2qd + 4q + 6f] bytes a token: gated, grouped queries, FlashAttention (peers' table).
        const PreparedScenario p = megatron("llama-3-8b");
        const TrainingPlan plan = planOf(p);
        const double h = 4096, d = 128, q = 32, g = 8, f = 14336;
        const double bytes = 8 * h + 2 * (q + 2 * g) * d + 2 * q * d + 4 * q + 6 * f;
        QCOMPARE(layerActivationBytes(plan, p.model->kinds[0]), plan.tokens * bytes);
        QVERIFY(near(bytes / h, 34, 0.002));
    }

    void anOldGptLayerIsKorthikantis()
    {
        // With dropout and scores kept: within a tenth of table 2, whose masks and scores are counted a little
        // otherwise.
        PreparedScenario p = megatron("gpt-3-175b", 8);
        p.training.software = TrainingSoftware::Megatron2021;
        p.training.sequenceLength = 2048;
        p.training.flashAttention = FlashAttention::Off;
        p.parallelism.tensor = 8;
        p.parallelism.sequenceParallel = false;
        const TrainingPlan plan = planOf(p);
        const double ours = layerActivationBytes(plan, p.model->kinds[0]);
        QVERIFY(near(ours, reference::korthikantiNone(plan.tokens, 12288, 96, 2048, 8), 0.1));
        p.parallelism.sequenceParallel = true;
        p.training.flashAttention = FlashAttention::On;
        const TrainingPlan split = planOf(p);
        QVERIFY(near(layerActivationBytes(split, p.model->kinds[0]),
                     reference::korthikantiSequenceParallelSelective(split.tokens, 12288, 8), 0.1));
    }

    void checkpointingKeepsLess()
    {
        PreparedScenario p = megatron("llama-3-8b", 8);
        const auto kept = [&](Checkpointing mode) {
            p.training.checkpointing = mode;
            return evaluate(p).part(MemoryPart::Activations);
        };
        const double none = kept(Checkpointing::None), full = kept(Checkpointing::Full);
        QVERIFY(full < 0.2 * none);
        QVERIFY(kept(Checkpointing::SelectiveOp) < none && kept(Checkpointing::SelectiveOp) > full);
        const double half = kept(Checkpointing::SelectiveLayer);
        QVERIFY(half < 0.6 * none && half > 0.4 * none);
    }

    void scoresGrowWithTheSquare()
    {
        PreparedScenario p = megatron("llama-3-8b", 8);
        const auto scores = [&](std::int64_t s) {
            p.training.sequenceLength = s;
            p.training.flashAttention = FlashAttention::Off;
            const double off = evaluate(p).part(MemoryPart::Activations);
            p.training.flashAttention = FlashAttention::On;
            return off - evaluate(p).part(MemoryPart::Activations);
        };
        QVERIFY(near(scores(8192) / scores(2048), 16, 1e-9));
    }

    void pipelinesHoldSeveralMicroBatches()
    {
        PreparedScenario p = megatron("llama-3-70b", 32);
        p.parallelism.tensor = 8;
        p.parallelism.pipeline = 4;
        const auto kept = [&](std::int64_t batch) {
            p.training.globalBatch = batch;
            return evaluate(p).part(MemoryPart::Activations);
        };
        QVERIFY(near(kept(4) / kept(1), 4, 1e-9));
        QCOMPARE(kept(64), kept(4)); // 1F1B: never more than the stages
        p.parallelism.virtualPipeline = 2;
        QVERIFY(kept(64) > 1.3 * kept(4) * 0.99);
    }

    void logitsCount()
    {
        PreparedScenario p = megatron("llama-3-8b", 8);
        p.training.sequenceLength = 8192;
        p.training.checkpointing = Checkpointing::Full;
        const double whole = evaluate(p).part(MemoryPart::Logits);
        QVERIFY(near(whole, 6.0 * 8192 * 128256, 1e-9));
        p.training.chunkedLoss = true;
        QVERIFY(evaluate(p).part(MemoryPart::Logits) < whole);
    }

    /// A stack that can compute the loss in pieces does so where whole logits do not fit, unless the scenario says no.
    void lossGoesIntoPiecesWhereItMust()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 64);
        p.training.software = TrainingSoftware::TorchFsdp;
        p.training.checkpointing = Checkpointing::Full;
        p.training.sequenceLength = 8192;
        const Evaluation whole = evaluate(p);
        QVERIFY(near(whole.part(MemoryPart::Logits), 14.0 * 8192 * 128256, 1e-9));
        QVERIFY(whole.fits);
        p.training.sequenceLength = 65536;
        const Evaluation pieces = evaluate(p); // as small as they must be, and no smaller
        QVERIFY(pieces.fits && pieces.warnings.has(WarningCode::SavesMemory));
        QVERIFY(pieces.part(MemoryPart::Logits) < 0.6 * 14 * 65536 * 128256);
        QVERIFY(near(pieces.usedBytes, pieces.capacityBytes, 1e-6));
        p.training.chunkedLoss = false;
        QVERIFY(!evaluate(p).fits);
        p.training.chunkedLoss = std::nullopt;
        p.training.software = TrainingSoftware::Nanotron; // cannot
        QVERIFY(!evaluate(p).fits);
    }

    /// Measured on eight B200 (MLPerf 5.0): 168.8 GB reserved, without recomputation.
    void unstatedRecipesKeepEightBitStoresBeforeTheyRecompute()
    {
        PreparedScenario p = trainingCase("llama-2-70b", "b200-sxm", 8);
        p.training.software = TrainingSoftware::Megatron;
        p.training.method = Method::Lora;
        p.training.loraTargets = LoraTargets{LoraTargets::Q | LoraTargets::K | LoraTargets::V | LoraTargets::O};
        p.training.precision = DataType::Fp8;
        p.training.sequenceLength = 8192;
        p.parallelism.sharding = Sharding::Zero1;
        p.training.checkpointing = Checkpointing::Unknown;
        const Evaluation e = evaluate(p);
        QVERIFY(e.fits);
        QVERIFY(e.reservedBytes > 168.8e9); // it saved all it could; here no more is saved than must be
        QVERIFY(near(e.reservedBytes, 168.8e9, 0.13));
        QCOMPARE(e.part(TimePart::Recompute), 0.0);
        p.training.software = TrainingSoftware::TorchFsdp; // keeps 16 bit, so it recomputes
        QVERIFY(evaluate(p).part(TimePart::Recompute) > 0);
    }

    /// Llama 3.1 405B in 16 bit on 512 H100, a quarter more tokens than fit with 32-bit gradients: as many gradients as
    /// must are added in 16 bit, and nothing is recomputed.
    void gradientsAreNarrowWhereTheyMust()
    {
        PreparedScenario p = megatron("llama-3.1-405b", 512);
        p.parallelism.tensor = p.parallelism.pipeline = p.parallelism.virtualPipeline = 8;
        p.parallelism.context = 2;
        p.parallelism.sharding = Sharding::Zero1;
        p.training.sequenceLength = 10240;
        p.training.globalBatch = 256;
        p.training.checkpointing = Checkpointing::Unknown;
        const Evaluation narrow = evaluate(p);
        QVERIFY(narrow.fits && narrow.warnings.has(WarningCode::SavesMemory));
        QCOMPARE(narrow.part(TimePart::Recompute), 0.0);
        p.training.gradients = Gradients::Fp32; // stated: no way out but to recompute
        const Evaluation stated = evaluate(p);
        QVERIFY(stated.part(TimePart::Recompute) > 0 && stated.warnings.has(WarningCode::CheckpointingRaised));
        QVERIFY(stated.part(MemoryPart::Gradients) > 1.2 * narrow.part(MemoryPart::Gradients));
        p.training.gradients = std::nullopt;
        p.training.checkpointing = Checkpointing::Full; // room enough: as the profile has them
        QCOMPARE(evaluate(p).part(MemoryPart::Gradients), stated.part(MemoryPart::Gradients));
    }

    void theAllocatorsReserveGivesWay()
    {
        PreparedScenario p = megatron("llama-3-8b", 1);
        p.training.checkpointing = Checkpointing::Full;
        p.training.optimizer = Optimizer::Sgd;
        const TrainingPlan plan = planOf(p);
        const double capacity = plan.accelerator->usableMemoryBytes();
        const double half = TrainingDevice(plan).bytes(capacity / 2) - capacity / 2;
        QVERIFY(near(half - plan.constants.driverBytes, 0.05 * capacity / 2, 1e-9));
        const double full = capacity - plan.constants.driverBytes;
        QCOMPARE(TrainingDevice(plan).bytes(full - 1e9), capacity); // tight: no room for five per cent
        QVERIFY(TrainingDevice(plan).bytes(full + 1e6) > capacity);
    }

    /// Eight in ten comparable runs: the range of the runs that it resembles, and none where the recipe is not stated.
    void memoryHasAnIntervalWhereTheRecipeIsStated()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 64);
        p.training.software = TrainingSoftware::TorchFsdp;
        p.training.checkpointing = Checkpointing::Full;
        const auto interval = [&p](MemoryKind kind) {
            const ResidualRange range = p.calibration->training.memoryIntervals[std::size_t(kind)];
            const Evaluation e = evaluate(p);
            return e.usedBytesInterval == std::optional(Interval{e.usedBytes * range.low, e.usedBytes * range.high});
        };
        QVERIFY(interval(MemoryKind::Full));
        p.training.software = TrainingSoftware::Megatron;
        QVERIFY(interval(MemoryKind::Megatron));
        p.training.method = Method::Lora;
        QVERIFY(interval(MemoryKind::Adapters));
        p.training.checkpointing = Checkpointing::Unknown;
        QVERIFY(!evaluate(p).usedBytesInterval);
        p.inference = {};
        p.task = Task::Inference;
        QVERIFY(!evaluate(p).usedBytesInterval); // an engine takes what it is given
    }

    /// What is predicted to fit and may not is said; what surely fits, or does not, or was timed, is not in doubt.
    void memoryThatMayNotFitIsSaid()
    {
        PreparedScenario p = trainingCase("llama-3-8b", "h100-sxm-80gb", 8);
        p.training.software = TrainingSoftware::TorchFsdp;
        p.training.checkpointing = Checkpointing::Full;
        int sure = 0, unsure = 0, without = 0;
        for (p.training.microBatch = 1; p.training.microBatch <= 256; p.training.microBatch *= 2) {
            const Evaluation e = evaluate(p);
            const bool beyond = e.usedBytesInterval->high > e.capacityBytes;
            QCOMPARE(e.warnings.has(WarningCode::MemoryMayNotFit), e.fits && beyond);
            for (const auto& [share, timed] : {std::pair(1.0, true), std::pair(1e-3, false)}) { // that is impossible
                PreparedScenario measured = p;
                measured.measured.stepTimeS = share * *e.stepTimeS;
                QCOMPARE(evaluate(measured).warnings.has(WarningCode::MemoryMayNotFit), !timed && e.fits && beyond);
            }
            ++(!e.fits ? without : beyond ? unsure : sure);
        }
        QVERIFY(sure > 0 && unsure > 0 && without > 0);
    }

    void adaptersFreeGradientsAndStates()
    {
        PreparedScenario p = megatron("llama-3-8b");
        const Evaluation full = evaluate(p);
        p.training.method = Method::Lora;
        const Evaluation lora = evaluate(p);
        QVERIFY(lora.part(MemoryPart::Gradients) < 0.02 * full.part(MemoryPart::Gradients));
        QVERIFY(lora.part(MemoryPart::Optimizer) < 0.02 * full.part(MemoryPart::Optimizer));
        p.training.loraTargets = LoraTargets{LoraTargets::qv}; // frozen feed-forward inputs need not be kept
        QVERIFY(evaluate(p).part(MemoryPart::Activations) < lora.part(MemoryPart::Activations));
    }

    void llama405bNeedsTensorParallelism()
    {
        PreparedScenario p = trainingCase("llama-3.1-405b", "h100-sxm-96gb", 128);
        p.training.sequenceLength = 8192;
        p.training.microBatch = 2;
        p.training.software = TrainingSoftware::TorchFsdp;
        p.training.checkpointing = Checkpointing::Full;
        QVERIFY(!evaluate(p).fits);
        QVERIFY(evaluate(p).warnings.has(WarningCode::DoesNotFit));
        p.parallelism.tensor = 8;
        QVERIFY(evaluate(p).fits);
    }
};
HEADROOM_TEST(TestTrainingMemory)

} // namespace headroom::test_training_memory
#include "test_training_memory.moc"
