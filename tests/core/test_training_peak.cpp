// SPDX-License-Identifier: GPL-3.0-or-later
// The fullest moment of a training step: the end of the forward pass, or the optimizer's update.
#include "core/predict/training/training_memory.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_training_peak
{

using test::near;
using test::planOf;
using test::trainingCase;

namespace
{

/// Mistral 7B in 16 bit alone on an A100 of 80 GB, all layers run again, 4,096 tokens a sequence.
PreparedScenario mistral(TrainingSoftware software, std::int64_t sequences)
{
    PreparedScenario p = trainingCase("mistral-7b-v0.1", "a100-sxm-80gb", 1);
    p.training.software = software;
    p.training.masterWeights = MasterWeights::None;
    p.training.checkpointing = Checkpointing::Full;
    p.training.sequenceLength = 4096;
    p.training.chunkedLoss = false;
    p.training.microBatch = p.training.globalBatch.emplace(sequences);
    return p;
}

double tensors(const Evaluation& e)
{
    return e.deviceBytes - e.part(MemoryPart::Overhead);
}

} // namespace

class TestTrainingPeak : public QObject
{
    Q_OBJECT
private slots:
    /// fms-acceleration's table (benchmarks/a100_80gb.csv) has 72.97 GB at four sequences and at eight: weights,
    /// gradients, two moments and the square roots of one, 10 bytes for each of 7.24 billion parameters.
    void anUpdateIsTheFullestMomentOfASmallBatch()
    {
        const double n = mistral(TrainingSoftware::Transformers, 1).model->parameters.total;
        for (const std::int64_t sequences : {1, 4}) {
            const Evaluation e = evaluate(mistral(TrainingSoftware::Transformers, sequences));
            QVERIFY(near(tensors(e), 10 * n));
            QVERIFY(e.part(MemoryPart::Gradients) <= 2 * n && e.part(MemoryPart::Optimizer) >= 4 * n);
        }
        const Evaluation adam8 = [] {
            PreparedScenario p = mistral(TrainingSoftware::Transformers, 1);
            p.training.optimizer = Optimizer::AdamW8bit;
            return evaluate(p);
        }();
        QVERIFY(near(tensors(adam8), 6 * n)); // its kernel makes no copy
    }

    /// From some batch on the activations are more than gradients and copies, which come when these are gone.
    void activationsAndGradientsAreNotThereAtOnce()
    {
        PreparedScenario p = mistral(TrainingSoftware::Transformers, 12);
        const double n = p.model->parameters.total;
        const Evaluation once = evaluate(p);
        const double grows = once.part(MemoryPart::Activations) + once.part(MemoryPart::Logits);
        QVERIFY(grows > 4 * n && near(tensors(once), 6 * n + grows));
        QCOMPARE(once.part(MemoryPart::Gradients), 0.0);
        p.training.globalBatch = 24; // the second micro-batch finds the gradients of the first
        QVERIFY(near(tensors(evaluate(p)), 8 * n + grows));
    }

    /// Buffers stay: Megatron's, DDP's and those of ZeRO.
    void buffersOfGradientsStay()
    {
        const Evaluation megatron = evaluate(mistral(TrainingSoftware::Megatron, 12));
        const double n = mistral(TrainingSoftware::Megatron, 12).model->parameters.total;
        const double grows = megatron.part(MemoryPart::Activations) + megatron.part(MemoryPart::Logits);
        QVERIFY(near(tensors(megatron), 8 * n + grows));
        PreparedScenario zero = mistral(TrainingSoftware::Transformers, 12);
        zero.parallelism.sharding = Sharding::Zero2;
        zero.hardware.count = 8;
        zero.training.globalBatch = 96;
        QVERIFY(near(evaluate(zero).part(MemoryPart::Gradients), 2 * n / 8));
    }

    /// fms-acceleration's later table (Liger's loss): Llama 3 8B with adapters takes 19.3 GB on four GPUs with four
    /// sequences of 4,096 tokens each and 57.4 with sixteen, 25.0 and 50.9 alone: the gradients of 32 layers' inputs.
    void shardsOfFrozenLayersKeepTheGradientsOfTheirInputs()
    {
        const auto grows = [](std::int64_t count, bool frozen, Checkpointing checkpointing) {
            PreparedScenario p = trainingCase("llama-3-8b", "a100-sxm-80gb", count);
            p.training.software = TrainingSoftware::Transformers;
            p.training.method = frozen ? Method::Lora : Method::Full;
            p.training.checkpointing = checkpointing;
            p.training.sequenceLength = 4096;
            p.training.chunkedLoss = true;
            p.training.microBatch = 16;
            p.training.globalBatch = 16 * count;
            return evaluate(p).part(MemoryPart::Activations);
        };
        const double inputs = 2.0 * 4096 * 32 * 16 * 4096;
        QVERIFY(near(grows(4, true, Checkpointing::Full) - grows(1, true, Checkpointing::Full), inputs));
        QVERIFY(near(grows(4, false, Checkpointing::Full), grows(1, false, Checkpointing::Full)));
        QVERIFY(near(grows(4, true, Checkpointing::None), grows(1, true, Checkpointing::None)));
    }

    /// Pieces of the loss are as large as the hidden states: a vocabulary of 228 times their size counted whole.
    void piecesOfTheLossFollowTheHiddenSize()
    {
        PreparedScenario p = trainingCase("gemma-3-1b", "rtx-4090", 1);
        p.training.method = Method::Lora;
        p.training.chunkedLoss = true;
        p.training.sequenceLength = 16384;
        const TrainingConstants& c = planOf(p).constants;
        QVERIFY(c.chunkedHiddenBytes * p.model->hidden < 0.15 * c.chunkedLogitBytes * p.model->vocab);
        const StageActivationBytes pieces = trainingActivationBytes(planOf(p));
        p.training.chunkedLoss = false;
        QVERIFY(trainingActivationBytes(planOf(p)).bytes[0] > pieces.bytes[0]);
        const double logits = evaluate(p).part(MemoryPart::Logits);
        p.training.chunkedLoss = true;
        p.training.checkpointing = Checkpointing::None;
        const Evaluation e = evaluate(p);
        QVERIFY(near(e.part(MemoryPart::Logits), c.chunkedHiddenBytes * p.model->hidden * 16384));
        QVERIFY(e.part(MemoryPart::Logits) < logits / 40);
    }

    /// Transformers calls 60 experts of each of 24 layers one after the other; Megatron has one kernel for all.
    void expertsInTurnAreLaunchedOneByOne()
    {
        PreparedScenario p = trainingCase("qwen1.5-moe-a2.7b", "a800-sxm-80gb", 8);
        p.training.software = TrainingSoftware::Transformers;
        p.training.checkpointing = Checkpointing::None;
        p.parallelism.sharding = Sharding::Fsdp;
        const TrainingProfile& profile = planOf(p).profile;
        QVERIFY(profile.hostPerExpert > 0);
        const double host = 24 * (profile.hostPerLayer + 60 * profile.hostPerExpert);
        const Evaluation e = evaluate(p);
        QVERIFY(e.part(TimePart::Host) > 0 && *e.stepTimeS > host);
        p.training.software = TrainingSoftware::Megatron;
        QVERIFY(*evaluate(p).stepTimeS < host);
    }

    /// fms-acceleration's tables of adapters on Mistral 7B: eight sequences of 4,096 tokens take 10.990 GB more than
    /// four with Transformers 4.45.2 and 12.038 with 4.48.1, 2.00 bytes for each of 524,288,000 logits. Beside the
    /// logits three hidden states and the inputs of 32 layers are there, of which the three are not counted.
    void releasesOfTransformersCopyTheirLogitsOtherwise()
    {
        PreparedScenario p = mistral(TrainingSoftware::Transformers, 4);
        p.training.method = Method::Lora;
        const auto ofFour = [&](std::string_view version) {
            p.training.softwareVersion = SoftwareVersion::from(version);
            const auto bytes = [&](std::int64_t sequences) {
                p.training.microBatch = p.training.globalBatch.emplace(sequences);
                return tensors(evaluate(p));
            };
            return bytes(8) - bytes(4);
        };
        const double logits = 4.0 * 4096 * 32000;
        QVERIFY(near(ofFour("4.45.2"), 10.990e9, 0.04) && near(ofFour("4.48.1"), 12.038e9, 0.04));
        QVERIFY(near(ofFour("4.48.1") - ofFour("4.45.2"), 2 * logits));
        QVERIFY(near(ofFour("4.45.2") - ofFour("4.49.0"), 2 * logits)); // labels are shifted, logits not
        QVERIFY(near(ofFour("4.46.0"), ofFour("4.48.3")) && near(ofFour("5.0.0"), ofFour("4.49.0")));
        p.training.softwareVersion.reset();
        QCOMPARE(planOf(p).profile.logitBytes,
                 p.calibration->training.profile(TrainingSoftware::Transformers).logitBytes);
        p.training.software = TrainingSoftware::LitGpt; // its releases are others
        p.training.softwareVersion = SoftwareVersion::from("0.5");
        QCOMPARE(planOf(p).profile.logitBytes, p.calibration->training.profile(TrainingSoftware::LitGpt).logitBytes);
    }
};
HEADROOM_TEST(TestTrainingPeak)

} // namespace headroom::test_training_peak
#include "test_training_peak.moc"
