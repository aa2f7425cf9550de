// SPDX-License-Identifier: GPL-3.0-or-later
// What data-parallel ranks, stages and the host exchange in a training step, by hand, with nothing hidden.
#include "core/predict/attention_keys.hpp"
#include "core/predict/training/training_step.hpp"
#include "core/predict/training/training_update.hpp"
#include "tests/support/near.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/training_case.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace headroom::test_training_exchange
{

using test::near;
using test::planOf;
using test::shardedCase;

namespace
{

PreparedScenario exchangeCase(std::string_view model, std::int64_t count, Sharding sharding, std::int64_t replicas = 1)
{
    PreparedScenario p = shardedCase(model, count, sharding);
    p.training.overlapDataParallel = 0;
    p.parallelism.replicas = replicas;
    return p;
}

double exchangeSeconds(const PreparedScenario& p)
{
    return evaluate(p).part(TimePart::DataParallel);
}

} // namespace

class TestTrainingExchange : public QObject
{
    Q_OBJECT
private slots:
    /// Groups of one rank divide nothing: every way of sharding is the all-reduce of plain data parallelism.
    void groupsOfOneRankReduceAllGradients()
    {
        const PreparedScenario plain = exchangeCase("llama-3-8b", 8, Sharding::None);
        const double whole = 2 * 2 * plain.model->parameters.total * 7 / 8 / planOf(plain).links.scaleUp;
        QVERIFY2(near(exchangeSeconds(plain), whole, 0.01), std::to_string(exchangeSeconds(plain)).c_str());
        for (const Sharding sharding : {Sharding::Zero1, Sharding::Zero2, Sharding::Fsdp})
            for (const std::int64_t tensor : {1, 2}) {
                PreparedScenario one = exchangeCase("llama-3-8b", 8, sharding, 8 / tensor), none = plain;
                one.parallelism.tensor = none.parallelism.tensor = tensor;
                QCOMPARE(exchangeSeconds(one), exchangeSeconds(none));
                QCOMPARE(evaluate(one).deviceBytes, evaluate(none).deviceBytes);
            }
    }

    /// FSDP gathers embedding and head once a micro-batch, and scatters their gradients, of Llama 3 8B on 8 H100:
    /// layers move 2 + 2 + 2 bytes a weight, the two matrices and the final norm 2 + 2. Tied, one matrix moves; of a
    /// frozen one no gradient.
    void shardsOutsideTheLayersMoveToo()
    {
        const auto hand = [](const PreparedScenario& p, double layerBytes, double outsideBytes, double collectives) {
            const TrainingPlan plan = planOf(p);
            const double inside = plan.model->kinds[0].count * plan.model->kinds[0].parameters;
            const double moved = layerBytes * inside + outsideBytes * (plan.model->parameters.total - inside);
            const double n = plan.shards, tensor = plan.tensor;
            return plan.microBatches * (moved / tensor * (n - 1) / n / plan.links.scaleUp +
                                        collectives * collectiveStart(plan.shardGroup(), plan.links));
        };
        PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Fsdp);
        QCOMPARE(p.model->kinds.size(), 1U);
        QVERIFY2(near(exchangeSeconds(p), hand(p, 6, 4, 3 * 32 + 4)), std::to_string(exchangeSeconds(p)).c_str());
        p.training.globalBatch = 32; // four micro-batches
        QVERIFY(near(exchangeSeconds(p), hand(p, 6, 4, 3 * 32 + 4)));
        p.parallelism.tensor = 2;
        QVERIFY(near(exchangeSeconds(p), hand(p, 6, 4, 3 * 32 + 4)));
        const PreparedScenario tied = exchangeCase("llama-3.2-1b", 8, Sharding::Fsdp);
        QCOMPARE(tied.model->untiedHeadParameters, 0.0);
        // The matrix is one; the final norm of 2,048 weights is gathered beside it.
        QVERIFY2(near(exchangeSeconds(tied), hand(tied, 6, 4, 3 * 16 + 4)),
                 std::to_string(exchangeSeconds(tied)).c_str());
        PreparedScenario lora = exchangeCase("llama-3-8b", 8, Sharding::Fsdp);
        lora.training.method = Method::Lora;
        const TrainingPlan plan = planOf(lora);
        double layers = 0;
        for (const LayerKind& kind : plan.model->kinds)
            layers += kind.count * layerCommunication(plan, kind, {}).data;
        // A layer's base and adapters are gathered twice in 2 bytes, the adapters' gradients scattered.
        const double adapters = loraParameters(*lora.model, double(lora.training.loraRank), lora.training.loraTargets);
        const double inside = 4 * 32 * lora.model->kinds[0].parameters + 6 * adapters;
        const double begun = 3 * 32 * collectiveStart(plan.shardGroup(), plan.links);
        QVERIFY2(near(layers, inside * 7 / 8 / plan.links.scaleUp + begun), std::to_string(layers).c_str());
        const double outside = 2 * (lora.model->parameters.total - 32 * lora.model->kinds[0].parameters) * 7 / 8;
        const double starts = 2 * collectiveStart(plan.shardGroup(), plan.links);
        QVERIFY2(near(exchangeSeconds(lora) - layers, outside / plan.links.scaleUp + starts, 1e-6),
                 std::to_string(exchangeSeconds(lora) - layers).c_str());
    }

    /// Megatron's own FSDP and XLA say nothing of when they move what is outside the layers: it is left out.
    void onlyPyTorchMovesWhatIsOutsideTheLayers()
    {
        const auto shown = [](TrainingSoftware software) {
            PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Fsdp);
            p.training.software = software;
            return outsideExchange(planOf(p), 0, 0).both();
        };
        const PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Fsdp);
        const TrainingPlan plan = planOf(p);
        const double matrix = 128256 * 4096, norm = 4096;
        const double moving = 2 * 2 * (2 * matrix + norm) * 7 / 8 / plan.links.scaleUp;
        QVERIFY(near(shown(TrainingSoftware::Tuned), moving + 4 * collectiveStart(plan.shardGroup(), plan.links)));
        QVERIFY(shown(TrainingSoftware::TorchFsdp) > moving);
        for (const TrainingSoftware software : {TrainingSoftware::Megatron, TrainingSoftware::Jax})
            QCOMPARE(shown(software), 0.0);
    }

    /// With 8-bit matmuls layers are gathered in 8 bit, embedding and head as they multiply, in 16 bit.
    void aWideMatrixIsGatheredInSixteenBit()
    {
        PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
        p.training.precision = DataType::Fp8;
        const TrainingPlan plan = planOf(p);
        const double n = p.model->parameters.total, matrices = 2 * p.model->headWeights;
        const double hand = (2 * n + (n - matrices) + 2 * matrices) * 7 / 8 / plan.links.scaleUp +
                            2 * collectiveStart(plan.shardGroup(), plan.links);
        QVERIFY2(near(exchangeSeconds(p), hand), std::to_string(exchangeSeconds(p) / hand).c_str());
    }

    /// What is not sharded has no groups of shards: `replicas` changes nothing there.
    void groupsOfNothingReduceOnce()
    {
        const double once = exchangeSeconds(exchangeCase("llama-3-8b", 16, Sharding::None));
        for (const std::int64_t replicas : {2, 8, 16})
            QCOMPARE(exchangeSeconds(exchangeCase("llama-3-8b", 16, Sharding::None, replicas)), once);
    }

    /// DeepSpeed's pipeline engine all-reduces inside a group of shards; between the groups there is one more
    /// all-reduce of the shards, not two.
    void wholeGradientsAreReducedOnceBetweenGroups()
    {
        PreparedScenario p = exchangeCase("llama-3-8b", 16, Sharding::Zero1, 2);
        p.parallelism.pipeline = 2;
        p.training.software = TrainingSoftware::Megatron2021;
        p.training.precision = DataType::Bf16;
        const TrainingPlan plan = planOf(p);
        const double n = p.model->parameters.total / 2;
        // 4 bytes scattered and gathered, weights of 2 gathered, over 4 ranks; a quarter of the gradients both ways.
        const double hand = 10 * n * 3 / 4 / plan.links.scaleUp + 2 * 4 * n / 4 / 2 / plan.links.scaleUp;
        QVERIFY2(near(exchangeSeconds(p), hand, 0.02), std::to_string(exchangeSeconds(p) / hand).c_str());
    }

    /// Mixtral over eight nodes, an eighth of the experts on each GPU: their eight copies lie on eight nodes, and no
    /// group of one node divides them.
    void copiesOfAnExpertReduceBetweenNodes()
    {
        for (const Sharding sharding : {Sharding::Zero1, Sharding::Fsdp}) {
            PreparedScenario p = exchangeCase("mixtral-8x7b", 64, sharding, 8);
            p.parallelism.expert = 8;
            const TrainingPlan plan = planOf(p);
            QCOMPARE(plan.expertShards, 1.0);
            QCOMPARE(plan.expertReplicas, 8.0);
            const double experts = 32 * p.model->kinds[0].expertWeights; // one a layer and rank
            const double between = 2 * 2 * experts * 7 / 8 / plan.links.scaleOut;
            QVERIFY2(exchangeSeconds(p) > between && exchangeSeconds(p) < 1.2 * between,
                     std::to_string(exchangeSeconds(p) / between).c_str());
            // More groups than copies: the copies reduce all the same, no more than they are.
            p.parallelism.replicas = 32;
            QCOMPARE(planOf(p).expertReplicas, 8.0);
            QVERIFY(exchangeSeconds(p) > between);
        }
    }

    /// 64 ranks share all states, wherever the experts lie: each brings as much to the host and updates as much there.
    void offloadedExpertsAreDividedByTheirCopies()
    {
        PreparedScenario p = exchangeCase("mixtral-8x7b", 64, Sharding::Zero1);
        p.training.offload = Offload::Optimizer;
        const double one = evaluate(p).part(TimePart::OptimizerStep);
        p.parallelism.expert = 8;
        const double eight = evaluate(p).part(TimePart::OptimizerStep);
        QVERIFY2(near(eight, one), std::to_string(eight / one).c_str());
    }

    /// ZeRO-1 and -2 divide no weights, and gather none layer by layer: what lies on the host comes whole, twice.
    void weightsOnTheHostComeWholeUnlessGathered()
    {
        const auto loading = [](Sharding sharding, std::int64_t pipeline = 1) {
            PreparedScenario p = exchangeCase("llama-3-8b", 8, sharding);
            p.parallelism.pipeline = pipeline;
            p.training.offload = Offload::Optimizer;
            const double update = evaluate(p).part(TimePart::OptimizerStep);
            p.training.offload = Offload::Parameters;
            return evaluate(p).part(TimePart::OptimizerStep) - update;
        };
        const PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
        const double whole = 2 * 2 * p.model->parameters.total / planOf(p).hostLink;
        for (const Sharding sharding : {Sharding::None, Sharding::Zero1, Sharding::Zero2})
            QVERIFY2(near(loading(sharding), whole), std::to_string(loading(sharding) / whole).c_str());
        QVERIFY(near(loading(Sharding::Fsdp), whole / 8));
        // Inside a pipeline FSDP gathers once a step, so a stage brings its half whole for its one micro-batch.
        QVERIFY2(near(loading(Sharding::Fsdp, 2), whole / 2), std::to_string(loading(Sharding::Fsdp, 2)).c_str());
    }

    /// Bytes of an update: AdamW's with a master copy 18 and 8 of moments both ways; SGD has no moments; without a
    /// master copy 16-bit gradients, weights and moments.
    void anUpdateMovesWhatItsOptimizerKeeps()
    {
        PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
        const auto bytes = [&p](Optimizer optimizer, MasterWeights master) {
            p.training.optimizer = optimizer;
            p.training.masterWeights = master;
            const TrainingPlan plan = planOf(p);
            return optimizerWork(plan, stageParameters(plan, 0)).bytes;
        };
        const double adamw = bytes(Optimizer::AdamW, MasterWeights::Fp32);
        QVERIFY(near(bytes(Optimizer::Sgd, MasterWeights::Fp32) / adamw, 18.0 / 34));
        QVERIFY(near(bytes(Optimizer::AdamW, MasterWeights::None) / adamw, 14.0 / 34));
        p.training.offload = Offload::Optimizer; // on the host's memory the same
        p.training.masterWeights = MasterWeights::Fp32;
        p.training.optimizer = Optimizer::AdamW;
        const double slow = evaluate(p).part(TimePart::OptimizerStep);
        p.training.optimizer = Optimizer::Sgd;
        const TrainingPlan plan = planOf(p);
        const double saved = 16 * p.model->parameters.total / 8 / (plan.constants.hostMemoryRate / 8); // eight share it
        QVERIFY(near(slow - evaluate(p).part(TimePart::OptimizerStep), saved));
    }

    /// ZeRO-Offload trains 13 billion parameters on a V100 of 32 GB (arXiv:2101.06840): gradients leave as they are
    /// made, and only what a step moves grows with the micro-batches.
    void offloadedGradientsLeaveTheDevice()
    {
        PreparedScenario p = exchangeCase("gpt-3-13b", 1, Sharding::Zero2);
        p.accelerator = Catalog::builtIn().accelerator("v100-sxm2-32gb");
        p.training.sequenceLength = 1024;
        p.training.precision = DataType::Fp16;
        p.training.checkpointing = Checkpointing::Full;
        p.training.software = TrainingSoftware::DeepSpeed;
        p.training.offload = Offload::Optimizer;
        QVERIFY2(evaluate(p).fits, std::to_string(evaluate(p).usedBytes / 1e9).c_str());
        p.parallelism.sharding = Sharding::Zero1; // keeps them until the update
        QVERIFY(!evaluate(p).fits);
    }

    /// Reading answers with weights on the host brings them by once a micro-batch.
    void aForwardPassWaitsForItsWeights()
    {
        PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
        const double device = forwardSeconds(planOf(p));
        p.training.offload = Offload::Parameters;
        const TrainingPlan plan = planOf(p);
        QVERIFY(near(forwardSeconds(plan) - device, plan.microBatches * 2 * p.model->parameters.total / plan.hostLink));
    }

    /// A base of QLoRA waits on the host in NF4 (4.127 bits, docs/method/memory.md) and crosses the link as such.
    void aQuantizedBaseOnTheHostComesInFourBits()
    {
        const auto loading = [](Method method) {
            PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
            p.training.method = method;
            p.training.offload = Offload::Optimizer;
            const double update = evaluate(p).part(TimePart::OptimizerStep);
            p.training.offload = Offload::Parameters;
            return evaluate(p).part(TimePart::OptimizerStep) - update;
        };
        const double ratio = loading(Method::Lora) / loading(Method::Qlora);
        QVERIFY2(near(ratio, 2 / (4.127 / 8)), std::to_string(ratio).c_str());
    }

    /// Four stages of four GPUs on two nodes: the second and the third lie on different ones, and their hop is the
    /// slowest of the three.
    void aPipelineGoesAtThePaceOfTheHopBetweenNodes()
    {
        const auto sends = [](std::int64_t count, std::int64_t pipeline) {
            PreparedScenario p = exchangeCase("llama-3-8b", count, Sharding::Zero1);
            p.parallelism.pipeline = pipeline;
            p.training.globalBatch = 16 * count / pipeline;
            return evaluate(p).part(TimePart::PipelineSend);
        };
        const PreparedScenario scenario = exchangeCase("llama-3-8b", 16, Sharding::Zero1); // the plan borrows from it
        const TrainingPlan plan = planOf(scenario);
        const double one = 2.0 * 4096 * plan.model->hidden; // bytes of a hop
        const auto shown = [&](double hops) { return (2 * 16 * plan.constants.pipelineExposed + 2 * hops) * one; };
        QVERIFY(near(sends(16, 4), shown(3) / plan.links.scaleOut, 0.01));
        QVERIFY(near(sends(16, 2), shown(1) / plan.links.scaleOut, 0.01));
        QVERIFY(near(sends(8, 4), shown(3) / plan.links.scaleUp, 0.02));
    }

    /// A ring of sixteen ranks over two nodes: 15 hops of a rank's keys and values, each as long as that between the
    /// nodes, which one adapter of eight carries.
    void aRingGoesAtThePaceOfOneAdapter()
    {
        const auto ring = [](std::int64_t ranks) {
            PreparedScenario p = exchangeCase("llama-3-8b", ranks, Sharding::Zero1);
            p.parallelism.context = ranks;
            const TrainingPlan plan = planOf(p);
            const double bytes = 2 * (4096.0 / double(ranks)) * 8 * 256; // 8 heads, keys and values of 128
            const double hop = bytes / (ranks > 8 ? plan.links.scaleOut : plan.links.scaleUp) + plan.links.start;
            const LayerCommunication shown = layerCommunication(plan, plan.model->kinds[0], {});
            return shown.contextForward / (1 + plan.constants.ringExposed) / (double(ranks - 1) * hop);
        };
        QVERIFY2(near(ring(8), 1), std::to_string(ring(8)).c_str());
        QVERIFY2(near(ring(16), 1), std::to_string(ring(16)).c_str());
    }

    /// DeepSeek V4 sends a key for 4 or 128 tokens. Gemma 3's windows reach 1,024 tokens of 4,096, and the bound of any
    /// way to send them has the adapters of a whole node, and a rank's two links.
    void contextRanksSendNoMoreThanTheyNeed()
    {
        const auto shown = [](std::string_view model, EfficiencyBase base, const auto& isOf) {
            PreparedScenario p = exchangeCase(model, 16, Sharding::Zero1);
            p.parallelism.context = 16;
            p.efficiency.base = base;
            const TrainingPlan plan = planOf(p);
            const auto kind = std::ranges::find_if(plan.model->kinds, isOf);
            const double token = plan.valueBytes * std::ceil(attentionWidths(*kind).kvHeads) *
                                 (attentionWidths(*kind).keyDim + attentionWidths(*kind).valueDim);
            const double tokens = layerCommunication(plan, *kind, {}).contextForward * plan.links.scaleOut / token;
            const double starts = 15 * plan.links.start * plan.links.scaleOut / token;
            return base == EfficiencyBase::Ideal ? tokens : tokens / (1 + plan.constants.ringExposed) - starts;
        };
        using enum EfficiencyBase;
        for (const double ratio : {4, 128})
            QVERIFY(near(shown("deepseek-v4-flash", Expected,
                               [&](const LayerKind& k) { return double(k.attention.compress) == ratio; }),
                         15 * 256 / ratio, 1e-6));
        const auto windowed = [](const LayerKind& k) { return k.window > 0; };
        QVERIFY(near(shown("gemma-3-27b", Expected, windowed), 15 * 256, 1e-6)); // a ring passes all on
        QVERIFY(near(shown("gemma-3-27b", Ideal, windowed), 1024 / 8.0, 1e-6));
        QVERIFY(near(shown("gemma-3-27b", Ideal, std::not_fn(windowed)), 15 * 256 / 10.0, 1e-6)); // 450 + 50 GB/s
        QCOMPARE(shown("llama-3.2-11b-vision", Ideal, &LayerKind::cross), 0.0); // of images, whose keys all have
    }

    /// Mixtral over eight tensor ranks: where an expert lies whole on each, tokens reach it by the all-to-all alone,
    /// and attention's pair is left. A shared expert is divided, and keeps its own.
    void expertsOnTensorRanksGatherNoTokens()
    {
        const auto pairs = [](std::string_view model, std::int64_t experts, std::optional<bool> sequence = {}) {
            PreparedScenario p = exchangeCase(model, 8, Sharding::Zero1);
            p.training.overlapTensor = 0;
            p.parallelism.tensor = 8;
            p.parallelism.expert = experts;
            p.parallelism.sequenceParallel = sequence;
            const TrainingPlan plan = planOf(p);
            const double one = 2 * gatherTime(2 * plan.tokens * plan.model->hidden, plan.group(8, 1), plan.links);
            return layerCommunication(plan, plan.model->kinds.back(), {}).tensorForward / one;
        };
        QCOMPARE(pairs("mixtral-8x7b", 1), 2.0);
        QCOMPARE(pairs("mixtral-8x7b", 4), 2.0); // two ranks share an expert
        QCOMPARE(pairs("mixtral-8x7b", 8), 1.0);
        QCOMPARE(pairs("mixtral-8x7b", 8, false), 2.0);
        QCOMPARE(pairs("deepseek-v3", 8), 2.0);
        QCOMPARE(pairs("llama-3-8b", 1), 2.0);
    }

    /// A state-space layer of Nemotron-H over sixteen ranks on two nodes: x, z, B, C and dt of a rank's tokens become
    /// those of its heads, and y comes back. Half of both crosses to the other node.
    void aRecurrenceTradesTokensForHeads()
    {
        PreparedScenario p = exchangeCase("nemotron-h-8b", 16, Sharding::Zero1);
        p.parallelism.context = 16;
        const TrainingPlan plan = planOf(p);
        const auto kind = std::ranges::find(plan.model->kinds, MixerKind::StateSpace, &LayerKind::mixer);
        QVERIFY(kind != plan.model->kinds.end());
        const MambaShape& m = kind->mamba;
        const double width = double(2 * m.inner + 2 * m.groups * m.state + m.heads) + double(m.inner);
        const double hand = 2 * 4096.0 / 16 * width / 2 / plan.links.scaleOut;
        const LayerCommunication shown = layerCommunication(plan, *kind, {1, 1, 0, 0, 0});
        const double starts = 2 * collectiveStart(plan.group(16, 1), plan.links);
        QVERIFY2(near(shown.contextForward, hand + starts, 1e-6), std::to_string(shown.contextForward / hand).c_str());
        QCOMPARE(shown.contextBackward, shown.contextForward); // gradients go the same ways
        p.efficiency.base = EfficiencyBase::Ideal;
        const TrainingPlan ideal = planOf(p);
        QCOMPARE(layerCommunication(ideal, *kind, {1, 1, 0, 0, 0}).contextForward, 0.0);
    }

    /// At the speed of light the host works beside the device: the step is the longer of the two.
    void theHostIsNoDetourAtTheSpeedOfLight()
    {
        const auto step = [](Offload offload, std::int64_t tokens) {
            PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
            p.efficiency.base = EfficiencyBase::Ideal;
            p.training.sequenceLength = tokens;
            p.training.offload = offload;
            return evaluate(p);
        };
        const Evaluation device = step(Offload::None, 32768), host = step(Offload::Parameters, 32768);
        const double update = device.part(TimePart::OptimizerStep); // on the host it is the host's
        QVERIFY(near(*host.stepTimeS, *device.stepTimeS - update));
        const PreparedScenario p = exchangeCase("llama-3-8b", 8, Sharding::Zero1);
        const double n = p.model->parameters.total, rated = p.accelerator->hostLinkGbPerS * 1e9;
        const double crossing = ((4.0 + 2) / 8 + 2 * 2) * n / rated; // a shard's gradients and weights; all weights
        QVERIFY(near(*step(Offload::Parameters, 64).stepTimeS, crossing));
    }
};
HEADROOM_TEST(TestTrainingExchange)

} // namespace headroom::test_training_exchange
#include "test_training_exchange.moc"
