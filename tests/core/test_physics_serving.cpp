// SPDX-License-Identifier: GPL-3.0-or-later
// Relations between serving scenarios that differ in one thing.
#include "core/scenario/effective.hpp"
#include "tests/support/physics_conditions.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>

namespace headroom::test_physics_serving
{

using test::atEqualBatches;
using test::Badness;
using test::beyondMoreInFlight;
using test::Change;
using test::device;
using test::fewerSequences;
using test::laterFirst;
using test::laterTokens;
using test::lessThroughput;
using test::moreMemory;
using test::PhysicsRelation;
using test::slower;
using test::soonerFirst;
using test::soonerTokens;
using test::whereBothAreInterrupted;
using test::whereBothFit;
using test::whereNoHeavier;
using test::within;

namespace
{

constexpr int pairs = 1000; // of each relation

using Applies = std::function<bool(const PreparedScenario&)>;
using W = InferenceWorkload;

template <typename T>
Change set(T W::*field, std::type_identity_t<T> value)
{
    return [field, value](PreparedScenario& p) { p.inference.*field = value; };
}
template <typename T>
Change twice(T W::*field)
{
    return [field](PreparedScenario& p) { p.inference.*field *= 2; };
}
/// All weights on the accelerators: of other formats a stated amount in the hosts' memory is another share.
Change weights(DataType type)
{
    return [type](PreparedScenario& p) {
        p.inference.weights = type;
        p.inference.hostWeightsGb.reset();
        p.inference.weightBits.reset();
        p.inference.compute.reset();
    };
}
/// Prompts that nothing is cached of, and no percentile that a longer mean could pass.
void plainPrompts(PreparedScenario& p)
{
    p.inference.prefixCachedTokens = 0;
    p.inference.promptTokensP95.reset();
    p.inference.outputTokensP95.reset();
}
/// Answers of one length: a larger static batch waits for a longer one among those that spread.
void evenAnswersOfStatic(PreparedScenario& p)
{
    if (p.inference.scheduling == Scheduling::Static)
        p.inference.outputTokensP95.reset();
}
void halfCached(PreparedScenario& p)
{
    p.inference.prefixCachedTokens = p.inference.promptTokens / 2;
}

/// Without a user's factor for prompts alone, or for answers alone: what a request's own pass takes longer by it, other
/// prompts fill, so that they are met before the first token and slow no later one.
Change atOnePace(const Change& change)
{
    return [change](PreparedScenario& p) {
        p.efficiency.prefill = p.efficiency.decode = 1;
        change(p);
    };
}

bool stated(const PreparedScenario& p)
{
    return !p.inference.batchMax;
}
bool open(const PreparedScenario& p)
{
    return p.inference.batchMax;
}
bool statedWithoutLoad(const PreparedScenario& p)
{
    return !p.inference.batchMax && !p.inference.requestsPerS;
}

using Rows = std::vector<PhysicsRelation>;
struct Adder {
    Rows& rows;
    void operator()(std::string name, Change first, Change second, Badness badness, Applies applies = {}) const
    {
        rows.push_back({std::move(name), Task::Inference, std::move(first), std::move(second), std::move(badness),
                        std::move(applies)});
    }
};

void addDevices(const Adder& add)
{
    const Change bandwidth = device([](Accelerator& a) { a.memoryBandwidthGbPerS *= 2; });
    const Change peak = device([](Accelerator& a) { test::scalePeak(a, 2); });
    // A user's multiplier may lift decoding to the hardware's bound, and then it hides less of the prompts beside it.
    const Change plain = [](PreparedScenario& p) { p.efficiency = p.efficiency.plain(); };
    for (const auto& [what, change] : {std::pair{"bandwidth", bandwidth}, std::pair{"peak", peak}}) {
        const std::string name = std::string("I ") + what + " x2 ";
        add(name + "slows tpot", plain, change, laterTokens);
        add(name + "slows ttft", plain, change, laterFirst);
        add(name + "lowers tput", plain, change, lessThroughput);
    }
    const Change memory = test::memoryTwice();
    // Static sequences are dealt out one by one: of three on two ranks one has two, and all wait for it.
    const auto even = [](const Applies& applies) -> Applies {
        return [applies](const PreparedScenario& p) {
            return applies(p) && (p.inference.scheduling != Scheduling::Static || p.parallelism.attentionData == 1);
        };
    };
    add("I mem x2 lowers tput (fixed batch)", evenAnswersOfStatic, memory, lessThroughput, even(stated));
    add("I mem x2 lowers tput (max)", evenAnswersOfStatic, memory, lessThroughput, even(open));
    add("I mem x2 lowers max_batch", {}, memory, fewerSequences);
    add("I nic x4 slows tpot", test::scaleOut(100), test::scaleOut(400), laterTokens);
    add("I per_node 8->16 slows tpot", test::devicesPerNode(8), test::devicesPerNode(16), laterTokens);
    add("I scale-up x2 slows tpot", {}, device([](Accelerator& a) { a.scaleUpGbPerS *= 2; }), laterTokens);
}

void addRequests(const Adder& add)
{
    const auto several = [](const PreparedScenario& p) { return p.inference.promptTokens > 1; };
    const Change prompt = twice(&W::promptTokens), batch = twice(&W::batch);
    add("I prompt x2 lower ttft", plainPrompts, prompt, whereBothFit(soonerFirst));
    add("I prompt x2 lower tpot", plainPrompts, prompt, whereBothFit(soonerTokens), stated);
    add("I prompt x2 lower tpot >1%", plainPrompts, prompt, whereBothFit(within(1.01, soonerTokens)), stated);
    add("I batch x2 lower tpot", plainPrompts, batch, whereBothFit(soonerTokens), stated);
    add("I batch x2 lower ttft", plainPrompts, batch, whereBothFit(soonerFirst), stated);
    add("I batch x2 lower tput", plainPrompts, batch, whereBothFit(lessThroughput), stated);
    add("I batch x2 lower tput >1%", plainPrompts, batch, whereBothFit(within(1.01, lessThroughput)), stated);
    add("I output x2 lower latency", plainPrompts, twice(&W::outputTokens),
        whereBothFit(
            [](const Evaluation& a, const Evaluation& b) { return slower(b, a, &Evaluation::requestLatencyS); }),
        stated);
    add("I prefix cache raises ttft", plainPrompts, halfCached, whereBothFit(atEqualBatches(laterFirst)), several);
    add("I prefix cache lowers tput", plainPrompts, halfCached, whereBothFit(lessThroughput), several);
    // Under a load a static batch that waits for its longest answer holds more.
    const Change continuous = [](PreparedScenario& p) {
        p.inference.scheduling = Scheduling::Continuous;
        p.inference.outputTokensP95.reset();
    };
    add("I static tpot > continuous", continuous, set(&W::scheduling, Scheduling::Static), laterTokens, stated);
    add("I static tpot > continuous, no load", continuous, set(&W::scheduling, Scheduling::Static), laterTokens,
        statedWithoutLoad);
    add("I disagg tpot > continuous", continuous, set(&W::scheduling, Scheduling::Disaggregated), laterTokens, stated);
    add("I disagg tpot > continuous, no load", continuous, set(&W::scheduling, Scheduling::Disaggregated), laterTokens,
        statedWithoutLoad);
    add("I target changes tput", {}, set(&W::tpotTargetS, 0.05),
        [](const Evaluation& a, const Evaluation& b) -> std::optional<double> { return a == b ? 1 : 2; });
}

/// A draft changes how the same tokens come about, and more of it accepted never costs.
void addDrafts(const Adder& add)
{
    const auto accepted = [](double share) {
        return [share](PreparedScenario& p) {
            p.inference.acceptance = Acceptance::of(share);
            p.inference.acceptanceLength.reset();
        };
    };
    const Applies drafts = [](const PreparedScenario& p) { return speculates(p) && !p.inference.batchMax; };
    add("I acceptance 0.5->0.7 slower tpot", accepted(0.5), accepted(0.7), laterTokens, drafts);
    add("I acceptance 0.5->0.7 lowers tput", accepted(0.5), accepted(0.7), lessThroughput, drafts);
    add("I no draft lowers max_batch", {}, set(&W::drafting, std::nullopt), fewerSequences, drafts);
}

void addFormats(const Adder& add)
{
    struct Pair {
        const char* name;
        DataType wide, narrow;
    };
    for (const Pair& pair :
         {Pair{"fp32->bf16", DataType::Fp32, DataType::Bf16}, Pair{"bf16->fp8", DataType::Bf16, DataType::Fp8},
          Pair{"bf16->int8", DataType::Bf16, DataType::Int8}, Pair{"int8->int4", DataType::Int8, DataType::Int4},
          Pair{"fp8->fp4", DataType::Fp8, DataType::Fp4}, Pair{"fp8->int4", DataType::Fp8, DataType::Int4},
          Pair{"bf16->int4", DataType::Bf16, DataType::Int4}}) {
        const std::string name = std::string("I ") + pair.name;
        add(name + " slower tpot", weights(pair.wide), weights(pair.narrow),
            beyondMoreInFlight(whereBothAreInterrupted(laterTokens)), stated);
        // Under a load queues of prompts make much of a slower one, at equal batches too.
        add(name + " slower tpot, equal batches", atOnePace(weights(pair.wide)), weights(pair.narrow),
            atEqualBatches(laterTokens), statedWithoutLoad);
        add(name + " more mem", weights(pair.wide), weights(pair.narrow), moreMemory, stated);
        add(name + " lower max_batch", weights(pair.wide), weights(pair.narrow), whereNoHeavier(fewerSequences),
            stated);
    }
    for (const Pair& pair :
         {Pair{"fp32->bf16", DataType::Fp32, DataType::Bf16}, Pair{"bf16->fp8", DataType::Bf16, DataType::Fp8},
          Pair{"fp8->int4", DataType::Fp8, DataType::Int4}}) {
        const std::string name = std::string("I kv ") + pair.name;
        const Change wide = set(&W::kvCache, pair.wide), narrow = set(&W::kvCache, pair.narrow);
        add(name + " slower tpot", wide, narrow, whereBothFit(laterTokens), stated);
        add(name + " slower tpot, equal batches", wide, narrow, atEqualBatches(laterTokens), stated);
        add(name + " more mem", wide, narrow, moreMemory, stated);
        add(name + " lower max_batch", wide, narrow, fewerSequences, stated);
    }
    const auto bits = [](double n) {
        return [n](PreparedScenario& p) {
            p.inference.weightBits = n;
            p.inference.hostWeightsGb.reset(); // as for formats
        };
    };
    add("I bits 4->6 faster", bits(4), bits(6), beyondMoreInFlight(whereBothAreInterrupted(soonerTokens), true),
        stated);
    add("I bits 4->6 faster, equal batches", atOnePace(bits(4)), bits(6), atEqualBatches(soonerTokens),
        statedWithoutLoad);
}

void addLoad(const Adder& add)
{
    const auto replicas = [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        return 1 + std::abs(*b.tokensPerS / *a.tokensPerS / 2 - 1);
    };
    // Of a load that one set of replicas serves two sets serve all, and no more; of a larger one up to twice as much.
    const auto underLoad = [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        return std::max(*a.tokensPerS / *b.tokensPerS, *b.tokensPerS / *a.tokensPerS / 2);
    };
    const auto otherTokens = [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        return 1 + std::abs(*b.tpotS / *a.tpotS - 1);
    };
    const auto waits = [](const Evaluation& a, const Evaluation& b) {
        return a.queue && b.queue && a.queue->meanWaitS && b.queue->meanWaitS;
    };
    add("I replicas x2 lowers tput or more than doubles it", {}, test::doubleDevices, underLoad, stated);
    add("I replicas x2 not 2x tput, no load", {}, test::doubleDevices, replicas, statedWithoutLoad);
    // Each has half the load: no later.
    add("I replicas x2 slows tpot", {}, test::doubleDevices, laterTokens, stated);
    add("I replicas x2 changes tpot, no load", {}, test::doubleDevices, otherTokens, statedWithoutLoad);
    add(
        "I replicas x2 raises wait", {}, test::doubleDevices,
        [waits](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
            return waits(a, b) ? std::optional((*b.queue->meanWaitS + 1e-9) / (*a.queue->meanWaitS + 1e-9))
                               : std::nullopt;
        },
        stated);
    const auto rate = [](double requests) { return set(&W::requestsPerS, requests); };
    add(
        "I rate x2 lowers wait", rate(0.5), rate(1),
        [waits](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
            return waits(a, b) ? std::optional((*a.queue->meanWaitS + 1e-9) / (*b.queue->meanWaitS + 1e-9))
                               : std::nullopt;
        },
        stated);
    add("I rate x2 lowers tput", rate(0.5), rate(1), lessThroughput, stated);
    add(
        "I rate x2 lowers batch", rate(0.5), rate(1),
        [](const Evaluation& a, const Evaluation& b) -> std::optional<double> { return a.batch / b.batch; }, stated);
    add(
        "I rate x2 raises joules a token",
        [rate](PreparedScenario& p) {
            evenAnswersOfStatic(p);
            rate(0.5)(p);
        },
        rate(1),
        [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
            return a.watts ? std::optional(*b.joulesPerToken / *a.joulesPerToken) : std::nullopt;
        },
        stated);
    const auto price = [](double dollars) {
        return [dollars](PreparedScenario& p) { p.hardware.pricePerGpuHour = dollars; };
    };
    add(
        "I cost/Mtok falls with price x2", price(1), price(2),
        [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
            return 1 + std::abs(*b.costPerMillionTokens / *a.costPerMillionTokens - 2);
        },
        stated);
}

/// What the cache holds need not be read; what spreads further, or comes in bursts, waits no less; late requests are
/// the later ones.
void addTraffic(const Adder& add)
{
    const auto hit = [](double rate) {
        return [rate](PreparedScenario& p) {
            plainPrompts(p);
            p.inference.prefixHitRate = rate;
        };
    };
    const auto several = [](const PreparedScenario& p) { return p.inference.promptTokens > 16; };
    add("I hit rate 0.3->0.6 raises ttft", hit(0.3), hit(0.6), whereBothFit(atEqualBatches(laterFirst)), several);
    add("I hit rate 0.3->0.6 lowers tput", hit(0.3), hit(0.6), whereBothFit(lessThroughput), several);
    const Badness shorterWait = [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
        if (!a.queue || !a.queue->meanWaitS || !b.queue->meanWaitS)
            return std::nullopt;
        constexpr double nothing = 1e-6; // s: sums of tails that end where digits do
        const double before = *a.queue->meanWaitS, after = *b.queue->meanWaitS;
        return std::max(before, after) < nothing ? std::nullopt : std::optional((before + 1e-9) / (after + 1e-9));
    };
    add("I arrival cv 1->2 lowers wait", set(&W::arrivalCv, 1), set(&W::arrivalCv, 2), shorterWait);
    // Prompts that spread farther take longer, and GPUs that divide themselves give more of them to who reads.
    const auto asManyRead = [](const PreparedScenario& p) {
        return p.inference.scheduling != Scheduling::Disaggregated || hasPrefillPool(p);
    };
    add("I prompt cv 0.5->2 lowers wait", set(&W::promptTokensCv, 0.5), set(&W::promptTokensCv, 2), shorterWait,
        asManyRead);
    add("I prompt cv 0.5->2 raises tput", set(&W::promptTokensCv, 0.5), set(&W::promptTokensCv, 2),
        [&](const Evaluation& a, const Evaluation& b) { return lessThroughput(b, a); });
    add("I output cv 0.5->2 lowers wait", set(&W::outputTokensCv, 0.5), set(&W::outputTokensCv, 2), shorterWait);
    add("I arrival cv changes tput", set(&W::arrivalCv, 1), set(&W::arrivalCv, 2), lessThroughput);
    add("I 99 of 100 are later than 95", set(&W::targetPercentile, TargetPercentile::P95),
        set(&W::targetPercentile, TargetPercentile::P99),
        [](const Evaluation& a, const Evaluation& b) -> std::optional<double> {
            return a.tail->ttftS ? std::optional(*a.tail->ttftS / *b.tail->ttftS) : std::nullopt;
        });
}

const Rows& relations()
{
    static const Rows table = [] {
        Rows rows;
        const Adder add{rows};
        addDevices(add);
        addRequests(add);
        addFormats(add);
        addDrafts(add);
        addLoad(add);
        addTraffic(add);
        return rows;
    }();
    return table;
}

} // namespace

class TestPhysicsServing : public QObject
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
HEADROOM_TEST(TestPhysicsServing)

} // namespace headroom::test_physics_serving
#include "test_physics_serving.moc"
