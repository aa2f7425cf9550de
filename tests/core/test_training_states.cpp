// SPDX-License-Identifier: GPL-3.0-or-later
// What states of the parameters take beside those of Megatron, ZeRO and FSDP with AdamW: bytes by hand.
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_update.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

namespace headroom::test_training_states
{

using test::near;
using test::planOf;
using test::shardedCase;
using test::trainingCase;

class TestTrainingStates : public QObject
{
    Q_OBJECT

private slots:
    /// Without a master copy moments have the weights' 16 bit. Those of 8 bit do not shrink to four: bitsandbytes'
    /// Adam8bit keeps a byte of each of the two, whatever the weights are.
    void momentsOfEightBitAreNotHalved()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 1, Sharding::None);
        p.training.masterWeights = MasterWeights::None;
        const double n = p.model->parameters.total;
        const auto bytes = [&](Optimizer optimizer) {
            p.training.optimizer = optimizer;
            return evaluate(p).part(MemoryPart::Optimizer) / n;
        };
        const auto moved = [&](Optimizer optimizer) {
            p.training.optimizer = optimizer;
            const TrainingPlan plan = planOf(p);
            return optimizerWork(plan, stageParameters(plan, 0)).bytes / n;
        };
        QVERIFY(near(bytes(Optimizer::AdamW), 4) && near(bytes(Optimizer::Muon), 2));
        QVERIFY2(near(bytes(Optimizer::AdamW8bit), 2), std::to_string(bytes(Optimizer::AdamW8bit)).c_str());
        QCOMPARE(bytes(Optimizer::Sgd), 0.0);
        QVERIFY(near(moved(Optimizer::AdamW), 6 + 2 * 4) && near(moved(Optimizer::AdamW8bit), 6 + 2 * 2));
        p.training.precision = DataType::Fp32; // the weights are their own master copy
        QVERIFY(near(bytes(Optimizer::AdamW), 8) && near(bytes(Optimizer::AdamW8bit), 2));
    }

    /// FSDP in a pipeline keeps its stage gathered: 2 bytes of each weight, and of a gradient as many as are added up.
    void gatheredGradientsAreOfTheKindThatIsAddedUp()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 4, Sharding::Fsdp);
        p.parallelism.pipeline = 2;
        p.training.masterWeights = MasterWeights::None;
        const TrainingPlan plan = planOf(p);
        const double n = stageParameters(plan, 0).dense; // as many as on the last stage, but for a norm
        const auto gradients = [&] { return evaluate(p).part(MemoryPart::Gradients) / n; };
        QVERIFY2(std::abs(gradients() - (2 + 2.0 / 2)) < 1e-4, std::to_string(gradients()).c_str());
        p.training.gradients = Gradients::Fp32;
        QVERIFY(std::abs(gradients() - (4 + 4.0 / 2)) < 1e-4);
        // Divided by two, they take no more than whole.
        p.training.gradients.reset();
        const double divided = evaluate(p).usedBytes;
        p.parallelism.sharding = Sharding::None;
        QVERIFY(divided < evaluate(p).usedBytes * (1 + 1e-9));
        // Layer by layer the same: one layer's are gathered.
        p = shardedCase("llama-3-8b", 8, Sharding::Fsdp);
        p.training.gradients = Gradients::Bf16;
        const double layer = p.model->kinds[0].parameters, all = p.model->parameters.total;
        QVERIFY(near(evaluate(p).part(MemoryPart::Gradients), 2 * all / 8 + 2 * layer));
    }

    /// Between the passes FSDP leaves embedding and head gathered, beside two layers: two matrices of Llama 3 8B, of
    /// Llama 3.2 1B one that is both; of a frozen base, too.
    void whatIsOutsideTheLayersStaysGathered()
    {
        for (const auto& [id, matrices] : {std::pair("llama-3-8b", 2), std::pair("llama-3.2-1b", 1)})
            for (const Method method : {Method::Full, Method::Lora}) {
                PreparedScenario p = shardedCase(id, 8, Sharding::Fsdp);
                p.training.method = method;
                p.training.loraRank = 1; // next to nothing
                const double each = method == Method::Full ? 4 : 2, all = p.model->parameters.total;
                const double gathered = 2 * (2 * p.model->kinds[0].parameters + matrices * p.model->headWeights);
                const double weights = evaluate(p).part(MemoryPart::Weights);
                QVERIFY2(near(weights, each * all / 8 + gathered, 0.002), std::to_string(weights / gathered).c_str());
            }
    }

    /// PyTorch's FSDP reduces in 32 bit what it keeps in 32, and 16-bit gradients as they are: of each weight 2 bytes
    /// are gathered twice, and 4 or 2 scattered.
    void narrowGradientsTravelAsTheyAre()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 8, Sharding::Fsdp);
        p.training.software = TrainingSoftware::TorchFsdp;
        p.training.overlapDataParallel = 0;
        const auto seconds = [&p] { return evaluate(p).part(TimePart::DataParallel); };
        const double moved = p.model->parameters.total * 7 / 8 / planOf(p).links.scaleUp, wide = seconds();
        p.training.gradients = Gradients::Bf16;
        const double narrow = seconds();
        QVERIFY2(near((wide - narrow) / moved, 2.0), std::to_string((wide - narrow) / moved).c_str());
        p.training.gradients.reset();
        p.training.masterWeights = MasterWeights::None; // gradients of 16-bit weights alone
        QCOMPARE(seconds(), narrow);
    }

    /// An offloaded optimizer takes the master copy along under FSDP as it does without: ZeRO-3's shards then have the
    /// 16 bit that are gathered, 2 bytes a parameter less on each rank.
    void theMasterCopyLeavesWithTheOptimizer()
    {
        PreparedScenario p = shardedCase("llama-3-8b", 8, Sharding::Fsdp);
        const double n = p.model->parameters.total;
        const auto weights = [&](Offload offload) {
            p.training.offload = offload;
            return evaluate(p).part(MemoryPart::Weights);
        };
        const double less = weights(Offload::None) - weights(Offload::Optimizer);
        QVERIFY2(near(less, (4 - 2) * n / 8), std::to_string(less).c_str());
    }

    /// Of gemma-3-270m's 268 million parameters 168 million are the embedding, which is the head, too: no step does
    /// without it on the device. Its layers have 5.6 million each.
    void theVocabularyVisitsTheDeviceToo()
    {
        PreparedScenario p = shardedCase("gemma-3-270m", 1, Sharding::Zero2);
        p.training.offload = Offload::Parameters;
        const double layer = p.model->kinds[0].parameters, matrix = 262144.0 * 640;
        QCOMPARE(p.model->headWeights, matrix);
        const auto part = [&](MemoryPart which) { return evaluate(p).part(which); };
        QVERIFY(near(part(MemoryPart::Weights), 2 * (layer + matrix)));
        QVERIFY(near(part(MemoryPart::Gradients), 4 * (layer + matrix)));
        p.training.method = Method::Qlora; // layers of 4.127 bits beside a matrix of 16
        QVERIFY(near(part(MemoryPart::Weights), 4.127 / 8 * layer + 2 * matrix));
        p.training.method = Method::Full;
        p.model = test::profileOf("llama-3.1-405b"); // a layer is larger than the head
        QVERIFY(near(part(MemoryPart::Weights), 2 * 2 * p.model->kinds[0].parameters));
    }

    /// Fourteen bytes of a parameter left the device and lay nowhere.
    void offloadedStatesLieInTheHost()
    {
        PreparedScenario p = trainingCase("llama-3-70b", "rtx-4090", 1);
        QVERIFY(!evaluate(p).hostStates);
        const double n = evaluate(p).totalParameters;
        const auto host = [&p](Offload offload) {
            p.training.offload = offload;
            return *evaluate(p).hostStates;
        };
        QCOMPARE(host(Offload::Optimizer).bytes, 16 * n); // master copy, two moments, the gradient in 32 bit
        QCOMPARE(host(Offload::Parameters).bytes, 18 * n);
        QCOMPARE(host(Offload::Parameters).hostBytes, 18 * n);
        QVERIFY(evaluate(p).warnings.has(WarningCode::HostMemoryTooSmall));
        p.hardware.hostMemoryGb = 1300;
        QVERIFY(!evaluate(p).warnings.has(WarningCode::HostMemoryTooSmall));
        p.hardware.hostMemoryGb = 1200;
        QVERIFY(evaluate(p).warnings.has(WarningCode::HostMemoryTooSmall));
        p.hardware.hostMemoryGb.reset();
        p.hardware.count = 64; // eight share a host
        p.parallelism.sharding = Sharding::Fsdp;
        QCOMPARE(host(Offload::Parameters).bytes, 18 * n / 64);
        QCOMPARE(host(Offload::Parameters).hostBytes, 18 * n / 8);
        p.training.method = Method::Lora;
        QVERIFY(host(Offload::Optimizer).bytes < 0.01 * 16 * n / 64);
    }

    /// 32 inputs of a layer of 78,475 tokens with 4,096 values in 16 bit: 20.6 GB that lay nowhere.
    void inputsOfLayersLieInTheHost()
    {
        PreparedScenario p = trainingCase("llama-3.1-8b", "rtx-4090", 1);
        p.training.sequenceLength = 78475;
        p.training.method = Method::Qlora;
        p.training.software = TrainingSoftware::Unsloth;
        p.training.checkpointing = Checkpointing::Full;
        const double inputs = 32 * 78475.0 * 4096 * 2;
        QCOMPARE(evaluate(p).hostStates->bytes, inputs);
        p.hardware.hostMemoryGb = 8;
        const Evaluation small = evaluate(p);
        QVERIFY(small.warnings.has(WarningCode::HostMemoryTooSmall));
        QVERIFY(!small.warnings.has(WarningCode::KeyWithoutEffect));
        p.training.checkpointing = Checkpointing::SelectiveLayer;
        QCOMPARE(evaluate(p).hostStates->bytes, inputs / 2);
        p.training.checkpointing = Checkpointing::None;
        QVERIFY(!evaluate(p).hostStates && evaluate(p).warnings.has(WarningCode::KeyWithoutEffect));
        p.training.checkpointing = Checkpointing::Full;
        p.accelerator = test::catalog().accelerator("gb10"); // its memory is its host's
        QVERIFY(!evaluate(p).hostStates && evaluate(p).warnings.has(WarningCode::KeyWithoutEffect));
    }
};
HEADROOM_TEST(TestTrainingStates)

} // namespace headroom::test_training_states
#include "test_training_states.moc"
