// SPDX-License-Identifier: GPL-3.0-or-later
// Relations between training scenarios that differ in one thing.
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_plan.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_physics_training
{

using test::Badness;
using test::Change;
using test::device;
using test::lessMemory;
using test::lessThroughput;
using test::moreMemory;
using test::PhysicsRelation;
using test::within;

namespace
{

constexpr int pairs = 1000; // of each relation

std::optional<double> slower(const Evaluation& a, const Evaluation& b)
{
    return *b.stepTimeS / *a.stepTimeS;
}
std::optional<double> faster(const Evaluation& a, const Evaluation& b)
{
    return *a.stepTimeS / *b.stepTimeS;
}
std::optional<double> lessRecomputation(const Evaluation& a, const Evaluation& b)
{
    return (a.flops.recompute + 1) / (b.flops.recompute + 1);
}
std::optional<double> otherTime(const Evaluation& a, const Evaluation& b)
{
    return 1 + std::abs(*b.stepTimeS / *a.stepTimeS - 1);
}
std::optional<double> otherMemory(const Evaluation& a, const Evaluation& b)
{
    return 1 + std::abs(b.usedBytes / a.usedBytes - 1);
}
/// Sets a field of the training workload.
template <typename T>
Change set(T TrainingWorkload::*field, std::type_identity_t<T> value)
{
    return [field, value](PreparedScenario& p) { p.training.*field = value; };
}
Change both(const Change& a, const Change& b)
{
    return [a, b](PreparedScenario& p) {
        for (const Change* change : {&a, &b})
            if (*change)
                (*change)(p);
    };
}
Change layout(const std::function<void(Parallelism&)>& change)
{
    return [change](PreparedScenario& p) { change(p.parallelism); };
}
Change sharding(Sharding value)
{
    return layout([value](Parallelism& p) { p.sharding = value; });
}
Change checkpointing(Checkpointing mode, std::int64_t every = 2)
{
    return [mode, every](PreparedScenario& p) {
        p.training.checkpointing = mode;
        p.training.checkpointEvery = every;
        p.training.chunkedLoss = true; // or the loss in pieces would be chosen on one side alone
    };
}

/// Where checkpointing is not known, memory decides it on each side for itself, and says so.
void statedCheckpointing(PreparedScenario& p)
{
    if (p.training.checkpointing == Checkpointing::Unknown)
        p.training.checkpointing = Checkpointing::None;
}

/// Whether gradients of the inputs of layers that run again stay until the backward pass ends, where some do.
bool mayKeepInputGradients(const PreparedScenario& p)
{
    WarningSet ignored;
    TrainingPlan plan = planTraining(p, ignored);
    setCheckpointing(plan, Checkpointing::Full, 1);
    return keepsInputGradients(plan);
}
/// States divided by ranks only where inputs' gradients go with their layer: kept, they are more for each layer more
/// that runs again, and a stage of few layers saves less than that by it.
void freeInputGradients(PreparedScenario& p)
{
    if (mayKeepInputGradients(p))
        p.parallelism.sharding = Sharding::Zero2;
}

/// A global batch of its own, so that a change of layout keeps it or doubles it openly.
void stateBatch(PreparedScenario& p)
{
    if (!p.training.globalBatch)
        p.training.globalBatch =
            p.training.microBatch *
            (p.hardware.count / (p.parallelism.tensor * p.parallelism.pipeline * p.parallelism.context));
}
void doubleData(PreparedScenario& p)
{
    p.hardware.count *= 2;
    *p.training.globalBatch *= 2;
}

const std::vector<PhysicsRelation>& relations()
{
    using enum Checkpointing;
    using T = TrainingWorkload;
    static const std::vector<PhysicsRelation> table = [] {
        std::vector<PhysicsRelation> r;
        const auto add = [&r](std::string name, Change first, Change second, Badness badness,
                              std::function<bool(const PreparedScenario&)> applies = {}) {
            r.push_back({std::move(name), Task::Training, both(statedCheckpointing, first), std::move(second),
                         std::move(badness), std::move(applies)});
        };
        const auto several = [](const PreparedScenario& p) { return p.hardware.count > 1; };
        const auto inOneStage = [](const PreparedScenario& p) { return p.parallelism.pipeline == 1; };

        // devices and links
        const Change bandwidth = device([](Accelerator& a) { a.memoryBandwidthGbPerS *= 2; });
        const Change peak = device([](Accelerator& a) { test::scalePeak(a, 2); });
        const Change memory = test::memoryTwice();
        add("T bandwidth x2 slows", {}, bandwidth, slower);
        add("T peak x2 slows", {}, peak, slower);
        add("T mem x2 slows", {}, memory, slower);
        add("T same object differs", {}, device([](Accelerator&) {}), otherTime);
        add("T nic x4 slows", test::scaleOut(100), test::scaleOut(400), slower);
        add("T per_node 8->16 slows", test::devicesPerNode(8), test::devicesPerNode(16), slower);
        add("T scale-up x2 slows", {}, device([](Accelerator& a) { a.scaleUpGbPerS *= 2; }), slower);
        add("T host link x2 slows", {}, device([](Accelerator& a) { a.hostLinkGbPerS *= 2; }), slower,
            [](const PreparedScenario& p) { return p.accelerator->hostLinkGbPerS > 0; });

        // data parallelism
        add("T DPx2 more mem/GPU", stateBatch, doubleData, moreMemory, several);
        add(
            "T DPx2 (weak) higher tok/s/GPU >1%", stateBatch, doubleData,
            [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
                return *b.tokensPerSPerGpu / *a.tokensPerSPerGpu / 1.01;
            },
            several);
        add("T DPx2 (weak) lower total tok/s", stateBatch, doubleData, lessThroughput, several);

        // checkpointing
        struct Step {
            const char* name;
            Change first, second;
        };
        const std::vector<Step> steps{
            {"none->selective_op", checkpointing(None), checkpointing(SelectiveOp)},
            {"none->attention_only", checkpointing(None), checkpointing(AttentionOnly)},
            {"none->selective_layer", checkpointing(None), checkpointing(SelectiveLayer)},
            {"selective_layer->full", checkpointing(SelectiveLayer), checkpointing(Full)},
            {"selective_op->full", checkpointing(SelectiveOp), checkpointing(Full)},
            {"attention_only->full", checkpointing(AttentionOnly), checkpointing(Full)},
            {"every4->every2", checkpointing(SelectiveLayer, 4), checkpointing(SelectiveLayer, 2)},
        };
        for (const Step& s : steps) {
            add(std::string("T mem(used) rises ") + s.name, both(freeInputGradients, s.first), s.second, moreMemory);
            add(std::string("T mem(used) rises, input gradients kept, ") + s.name, s.first, s.second, moreMemory,
                mayKeepInputGradients);
            add(std::string("T recompute falls ") + s.name, s.first, s.second, lessRecomputation);
            add(std::string("T time falls ") + s.name, s.first, s.second, faster);
        }
        add("T unknown faster than none", checkpointing(None), set(&T::checkpointing, Unknown), faster);
        add("T unknown more mem than none", checkpointing(None), set(&T::checkpointing, Unknown), moreMemory);
        add("T every1 == full (time)", checkpointing(SelectiveLayer, 1), checkpointing(Full), otherTime);
        add("T every1 == full (mem)", checkpointing(SelectiveLayer, 1), checkpointing(Full), otherMemory);

        // sharding
        add("T mem rises none->zero1", sharding(Sharding::None), sharding(Sharding::Zero1), moreMemory);
        add("T mem rises zero1->zero2", sharding(Sharding::Zero1), sharding(Sharding::Zero2), moreMemory);
        add("T mem rises zero2->fsdp (pp=1,dp>=4)", sharding(Sharding::Zero2), sharding(Sharding::Fsdp), moreMemory,
            [](const PreparedScenario& p) {
                return p.parallelism.pipeline == 1 && p.training.method == Method::Full &&
                       p.hardware.count / p.parallelism.tensor >= 4;
            });

        // batch and sequence
        const Change twiceMicro = [](PreparedScenario& p) { p.training.microBatch *= 2; };
        const Change twiceGlobal = [](PreparedScenario& p) { *p.training.globalBatch *= 2; };
        const Change twiceSequence = [](PreparedScenario& p) { p.training.sequenceLength *= 2; };
        const Change whole = set(&T::packedSampleTokens, std::nullopt);
        add("T micro x2 (PP1) lowers tput >1%", stateBatch, twiceMicro, within(1.01, slower), inOneStage);
        add("T micro x2 less mem", stateBatch, twiceMicro, lessMemory, inOneStage);
        add("T global x2 lowers tput", stateBatch, twiceGlobal, lessThroughput);
        add(
            "T global x2 from 2 micro-batches lowers tput",
            [](PreparedScenario& p) {
                stateBatch(p);
                *p.training.globalBatch *= 2;
            },
            twiceGlobal, lessThroughput);
        add("T seq x2 faster step", whole, twiceSequence, faster);
        add("T seq x2 less mem", whole, twiceSequence, lessMemory);

        // adapters
        const auto adapted = [](const PreparedScenario& p) { return p.training.method != Method::Full; };
        add("T lora rank x4 faster", set(&T::loraRank, 16), set(&T::loraRank, 64), faster, adapted);
        add("T lora rank x4 less mem", set(&T::loraRank, 16), set(&T::loraRank, 64), lessMemory, adapted);
        const Change full = set(&T::method, Method::Full), lora = set(&T::method, Method::Lora);
        const Change qlora = set(&T::method, Method::Qlora);
        add("T lora slower than full", full, lora, slower);
        add("T lora more mem than full", full, lora, moreMemory);
        add("T qlora more mem than lora", lora, qlora, moreMemory);
        add("T qlora faster than lora", lora, qlora, faster);
        add("T qlora faster than lora, nothing gathered",
            both(lora,
                 [](PreparedScenario& p) {
                     p.parallelism.sharding = Sharding::None;
                     p.training.offload = Offload::None;
                 }),
            qlora, faster);

        // precision
        const auto precision = [](DataType type) { return set(&T::precision, type); };
        const Change fp32 = precision(DataType::Fp32), tf32 = precision(DataType::Tf32),
                     bf16 = precision(DataType::Bf16);
        const Change fp8 = precision(DataType::Fp8), fp4 = precision(DataType::Fp4);
        add("T fp32->bf16 slower", fp32, bf16, slower);
        add("T fp32->tf32 slower", fp32, tf32, slower);
        add("T tf32->bf16 slower", tf32, bf16, slower);
        add("T bf16->fp8 slower", bf16, fp8, slower);
        add("T fp8->fp4 slower", fp8, fp4, slower);
        add("T fp32->bf16 more mem", fp32, bf16, moreMemory);
        add("T fp32->bf16 activations not smaller (ratio y/x vs 0.6)", fp32, bf16,
            [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
                return b.part(MemoryPart::Activations) / std::max(1.0, a.part(MemoryPart::Activations)) / 0.75;
            });

        // attention, experts, offload, overlap, optimizer
        const Change flash = set(&T::flashAttention, FlashAttention::On);
        const Change plain = set(&T::flashAttention, FlashAttention::Off);
        add("T flash off faster", flash, plain, faster);
        add("T flash off less mem", flash, plain, lessMemory, [](const PreparedScenario& p) {
            return p.training.checkpointing != Checkpointing::SelectiveOp; // keeps a fused result alone
        });
        add("T imbalance 1->2 faster", set(&T::expertImbalance, 1.0), set(&T::expertImbalance, 2.0), faster);
        const auto offload = [](Offload what) { return set(&T::offload, what); };
        add("T offload opt faster", offload(Offload::None), offload(Offload::Optimizer), faster);
        add("T offload param faster than opt", offload(Offload::Optimizer), offload(Offload::Parameters), faster);
        add("T offload opt more mem", offload(Offload::None), offload(Offload::Optimizer), moreMemory);
        const auto overlap = [](double share) {
            return both(set(&T::overlapDataParallel, share), set(&T::overlapTensor, share));
        };
        add("T overlap 0->1 slower", overlap(0), overlap(1), slower);
        add("T expert overlap 0->1 slower", set(&T::overlapExpert, 0.0), set(&T::overlapExpert, 1.0), slower);
        const auto optimizer = [](Optimizer which) { return set(&T::optimizer, which); };
        add("T adamw8bit more mem than adamw", optimizer(Optimizer::AdamW), optimizer(Optimizer::AdamW8bit),
            moreMemory);
        add("T sgd more mem than momentum", optimizer(Optimizer::SgdMomentum), optimizer(Optimizer::Sgd), moreMemory);

        // layout
        const auto tensor = [](std::int64_t n) {
            return [n](PreparedScenario& p) {
                p.parallelism = {};
                p.parallelism.tensor = n;
                p.hardware.count = 64;
                p.training.globalBatch.reset();
            };
        };
        add("T TP more mem", tensor(2), tensor(4), moreMemory);
        const auto pieces = [](std::int64_t n) { return layout([n](Parallelism& p) { p.virtualPipeline = n; }); };
        add("T vpp 1->2 (divisible) slower", pieces(1), pieces(2), slower, [](const PreparedScenario& p) {
            return p.parallelism.pipeline > 1 && p.model->architecture.layers % (2 * p.parallelism.pipeline) == 0;
        });
        return r;
    }();
    return table;
}

} // namespace

class TestPhysicsTraining : public QObject
{
    Q_OBJECT
private slots:
    void relation_data() { test::addRelationRows(relations()); }
    void relation()
    {
        QFETCH(int, row);
        QVERIFY(test::physicsRelationHolds(relations()[static_cast<std::size_t>(row)], test::physicsCount(pairs)));
    }
    void cleanupTestCase() { test::reportPhysicsRelations(); }
};
HEADROOM_TEST(TestPhysicsTraining)

} // namespace headroom::test_physics_training
#include "test_physics_training.moc"
