// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of a step of reinforcement learning around any training, and between two that differ in one thing.
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"
#include "tests/support/physics_relation.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <fmt/format.h>

#include <cmath>

namespace headroom::test_physics_rl
{

using test::Badness;
using test::Change;
using test::PhysicsRelation;

namespace
{

constexpr int scenarios = 1500, pairs = 500; // of each relation

std::optional<double> sooner(const Evaluation& a, const Evaluation& b)
{
    return a.rl->stepS / b.rl->stepS;
}
std::optional<double> later(const Evaluation& a, const Evaluation& b)
{
    return b.rl->stepS / a.rl->stepS;
}
Badness partShorter(RlPart part)
{
    return [part](const Evaluation& a, const Evaluation& b) { return a.rl->part(part) / b.rl->part(part); };
}
std::optional<double> generatesLonger(const Evaluation& a, const Evaluation& b)
{
    return b.rl->part(RlPart::Generate) / a.rl->part(RlPart::Generate);
}
/// ETTR higher, with failures counted.
std::optional<double> moreUseful(const Evaluation& a, const Evaluation& b)
{
    return b.goodput->ettr / a.goodput->ettr;
}
/// The plain figures are the same with the step and without it.
std::optional<double> otherUpdate(const Evaluation& a, const Evaluation& b)
{
    return a.tokensPerS == b.tokensPerS && a.usedBytes == b.usedBytes && a.costPerHour == b.costPerHour ? 1.0 : 2.0;
}

RlWorkload usualStep()
{
    RlWorkload w;
    w.prompts = 64;
    w.samples = 8;
    w.promptTokens = 200;
    w.outputTokens = 1000;
    return w;
}

using Edit = std::function<void(RlWorkload&)>;

/// The step with an edit; of a whole update, as one that is cut into several is of another batch.
Change step(const Edit& edit)
{
    return [edit](PreparedScenario& p) {
        p.training.globalBatch.reset();
        p.training.rl = usualStep();
        if (edit)
            edit(p.training.rl);
    };
}

Edit apart(std::int64_t staleness)
{
    return [staleness](RlWorkload& w) {
        w.placement = RlPlacement::Separate;
        w.staleness = staleness;
        w.outputTokensP99 = 4000;
    };
}

/// That many prompts, with answers of very different lengths.
Edit prompts(std::int64_t count)
{
    return [count](RlWorkload& w) {
        w.prompts = count;
        w.outputTokens = 1500;
        w.outputTokensP99 = 6000;
    };
}

/// No sequence holds an answer: each has one of its own, alike or not.
Change answerBySequence(const Edit& edit)
{
    return [base = step(edit)](PreparedScenario& p) {
        base(p);
        p.training.sequenceLength = 128;
    };
}

/// The step on a device with twice of something.
Change onDevice(const std::function<void(Accelerator&)>& twice)
{
    return [base = step({}), change = test::device(twice)](PreparedScenario& p) {
        base(p);
        change(p);
    };
}

Change failing(const Edit& edit)
{
    return [base = step(edit)](PreparedScenario& p) {
        base(p);
        p.training.reliability.gpuMtbfHours = usualGpuMtbfHours;
        p.training.reliability.checkpointS = 1; // whatever the layout
        p.training.reliability.checkpointIntervalS.reset();
    };
}

/// The GPUs of the training a number of times over generate.
Change generating(std::int64_t times)
{
    return [times, base = step(apart(1))](PreparedScenario& p) {
        base(p);
        p.training.rl.rolloutCount = times * p.hardware.count;
    };
}

const std::vector<PhysicsRelation>& relations()
{
    static const std::vector<PhysicsRelation> table = [] {
        std::vector<PhysicsRelation> r;
        const auto add = [&r](std::string name, const Change& first, const Change& second, Badness badness) {
            r.push_back({std::move(name), Task::Training, first, second, std::move(badness), {}});
        };
        const auto set = [](auto RlWorkload::*field, double value) {
            return step(
                [field, value](RlWorkload& w) { w.*field = static_cast<std::decay_t<decltype(w.*field)>>(value); });
        };
        using W = RlWorkload;
        add("R answers x2 sooner", set(&W::samples, 8), set(&W::samples, 16), sooner);
        add("R prompts x2 sooner", step(prompts(64)), step(prompts(128)), sooner);
        add("R answers of twice the length sooner", set(&W::outputTokens, 1000), set(&W::outputTokens, 2000), sooner);
        add("R a longer tail generates less", set(&W::outputTokensP99, 2000), set(&W::outputTokensP99, 8000),
            partShorter(RlPart::Generate));
        add("R a farther limit generates less", set(&W::maxOutputTokens, 2000), set(&W::maxOutputTokens, 16000),
            partShorter(RlPart::Generate));
        add("R few answers with a farther limit are sooner",
            step([](W& w) { w.prompts = 2, w.maxOutputTokens = 16000; }),
            step([](W& w) { w.prompts = 2, w.maxOutputTokens = 64000; }), sooner);
        add("R answers that spread update sooner", answerBySequence({}),
            answerBySequence([](W& w) { w.outputTokensP99 = 4000; }), partShorter(RlPart::Update));
        add("R memory bandwidth x2 later", step({}), onDevice([](Accelerator& a) { a.memoryBandwidthGbPerS *= 2; }),
            later);
        add("R peak x2 later", step({}), onDevice([](Accelerator& a) { test::scalePeak(a, 2); }), later);
        add("R scale-up x2 later", step({}), onDevice([](Accelerator& a) { a.scaleUpGbPerS *= 2; }), later);
        add("R epochs x2 update less", set(&W::epochs, 1), set(&W::epochs, 2), partShorter(RlPart::Update));
        add("R a reference model costs nothing", set(&W::reference, 0), set(&W::reference, 1), sooner);
        add("R a critic costs nothing", set(&W::critic, 0), set(&W::critic, 1), sooner);
        add("R seconds of reward cost nothing", set(&W::rewardS, 0), set(&W::rewardS, 60), sooner);
        add("R off policy later", step(apart(0)), step(apart(1)), later);
        add("R further off policy later", step(apart(1)), step(apart(4)), later);
        add("R a longer step loses less", failing([](RlWorkload&) {}), failing([](RlWorkload& w) { w.rewardS = 600; }),
            moreUseful);
        add("R twice the GPUs generate longer", generating(1), generating(2), generatesLonger);
        add(
            "R the step changes the update's own figures",
            [](PreparedScenario& p) {
                p.training.globalBatch.reset();
                p.training.multiTokenPrediction = false; // its layers stay as they are in an update
            },
            step({}), otherUpdate);
        return r;
    }();
    return table;
}

std::string wrongInStep(const PreparedScenario& drawn)
{
    const Edit alone = [](RlWorkload& w) {
        w.prompts = w.samples = 1;
        w.outputTokensP99 = 4000;
    };
    for (const Edit& edit : {Edit(), apart(0), apart(2), alone}) {
        PreparedScenario p = drawn;
        step(edit)(p);
        p.training.globalBatch = drawn.training.globalBatch; // of answers now
        if (!checkSetup(p).empty())
            continue;
        const RlResult r = *evaluate(p).rl;
        if (!(std::isfinite(r.stepS) && r.stepS > 0))
            return fmt::format("a step of {} s", r.stepS);
        for (const double part : r.time)
            if (!(std::isfinite(part) && part >= 0 && part <= r.stepS * (1 + 1e-9)))
                return fmt::format("a part of {} s in a step of {} s", part, r.stepS);
        if (std::abs(r.sumS() - r.hiddenS - r.stepS) > 1e-9 * r.stepS)
            return fmt::format("parts of {} s less {} s hidden, a step of {} s", r.sumS(), r.hiddenS, r.stepS);
        if (!(r.idle >= 0 && r.idle <= 1 && r.tailS >= 0 && r.waitS >= 0 && r.waitS <= r.tailS * (1 + 1e-9)))
            return fmt::format("{} idle, a tail of {} s, {} s of waiting", r.idle, r.tailS, r.waitS);
        if (r.longestTokens < double(p.training.rl.outputTokens))
            return fmt::format("the longest answer has {} tokens", r.longestTokens);
        if (std::abs(r.tokensPerSPerGpu * r.stepS * r.gpus / r.tokens - 1) > 1e-9)
            return fmt::format("{} tokens/s/GPU of {} tokens", r.tokensPerSPerGpu, r.tokens);
        p.training.reliability.gpuMtbfHours = usualGpuMtbfHours;
        p.hardware.spotMtbfHours.reset();
        const Goodput g = *evaluate(p).goodput;
        if (std::abs(g.mtbfS * r.gpus / (usualGpuMtbfHours * 3600) - 1) > 1e-9 || !(g.bestIntervalS >= r.stepS))
            return fmt::format("{} s between failures of {} GPUs, {} s to a checkpoint, a step of {} s", g.mtbfS,
                               r.gpus, g.bestIntervalS, r.stepS);
        if (std::abs(g.tokensPerS * r.stepS / r.tokens / g.share - 1) > 1e-9)
            return fmt::format("{} effective tokens/s, a share of {}", g.tokensPerS, g.share);
    }
    return {};
}

/// Answers alike that fill their sequences are learnt from by the training steps of as many sequences.
std::string wrongInUpdate(const PreparedScenario& drawn)
{
    PreparedScenario p = drawn;
    p.efficiency = Efficiency{};
    p.efficiency.base = EfficiencyBase::Ideal; // nothing moves around the update
    p.training.packedSampleTokens.reset();
    p.training.sequenceLength = std::max<std::int64_t>(2, p.training.sequenceLength);
    if (p.parallelism.virtualPipeline > 1) // whose rounds are filled with the answers of a pass
        p.training.microBatch = 1;
    p.training.globalBatch = p.training.microBatch * dataParallelRanks(p);
    RlWorkload w;
    w.placement = RlPlacement::Separate; // and no states do
    w.prompts = 3 * *p.training.globalBatch;
    w.samples = 1;
    w.promptTokens = 1;
    w.outputTokens = p.training.sequenceLength - 1;
    w.reference = w.oldLogProb = false;
    p.training.multiTokenPrediction = false; // an update leaves its layers as they are
    const double steps = 3 * *evaluate(p).stepTimeS;
    p.training.rl = w;
    const double update = evaluate(p).rl->part(RlPart::Update);
    return std::abs(update / steps - 1) <= 1e-9 ? std::string()
                                                : fmt::format("{} s to learn, {} s in steps", update, steps);
}

} // namespace

class TestPhysicsRl : public QObject
{
    Q_OBJECT
private slots:
    void everyStep()
    {
        QVERIFY(test::physicsHolds("a step of RL", Task::Training, test::physicsCount(scenarios), wrongInStep));
    }
    void everyUpdate()
    {
        QVERIFY(test::physicsHolds("an update of RL", Task::Training, test::physicsCount(scenarios), wrongInUpdate));
    }
    void relation_data() { test::addRelationRows(relations()); }
    void relation()
    {
        QFETCH(int, row);
        QVERIFY(test::physicsRelationHolds(relations()[static_cast<std::size_t>(row)], test::physicsCount(pairs)));
    }
    void cleanupTestCase() { test::reportPhysicsRelations(); }
};
HEADROOM_TEST(TestPhysicsRl)

} // namespace headroom::test_physics_rl
#include "test_physics_rl.moc"
