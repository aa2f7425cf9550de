// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every scenario, drawn over the whole catalogue and every setting.
#include "core/hardware/power.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/training/training_plan.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "tests/support/physics.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace headroom::test_physics_invariants
{
namespace
{

constexpr int scenarios = 12000; // of each task

/// Collects what is wrong with one evaluation.
class Findings final
{
public:
    void less(const char* what, double small, double large, double rounding = 1e-9)
    {
        if (!(small <= large * (1 + rounding)))
            m_text += fmt::format("{}: {:.12g} > {:.12g}\n", what, small, large);
    }
    void equal(const char* what, double a, double b, double rounding = 1e-9)
    {
        if (!(std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b))))
            m_text += fmt::format("{}: {:.12g} != {:.12g}\n", what, a, b);
    }
    void holds(const char* what, bool condition)
    {
        if (!condition)
            m_text += fmt::format("{}\n", what);
    }
    void positive(const char* what, std::optional<double> value, bool required = true)
    {
        if (value ? !(*value > 0 && std::isfinite(*value)) : required)
            m_text += fmt::format("{} is {}\n", what, value.value_or(0));
    }
    void amount(const char* what, double value)
    {
        if (!(value >= 0 && std::isfinite(value)))
            m_text += fmt::format("{} is {}\n", what, value);
    }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

double sum(const auto& parts)
{
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double prefillMfu(const Evaluation& r)
{
    return r.prefill ? r.prefill->mfu.value_or(0) : 0;
}

/// Utilisation is at most all there is; a convention that counts work nobody does passes it, and says so.
void checkUtilization(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    found.positive("mfu", r.mfu);
    found.less("mfu ≤ hfu", *r.mfu, *r.hfu, 1e-12);
    found.less("mbu ≤ 1", *r.mbu, 1);
    found.less("exact mfu ≤ 1", *r.conventions[std::size_t(Convention::Exact)], 1);
    if (p.accounting == Convention::Exact) {
        found.less("exact hfu ≤ 1", *r.hfu, 1);
        found.less("exact prefill mfu ≤ 1", prefillMfu(r), 1);
    }
    if (std::max({*r.mfu, *r.hfu, prefillMfu(r)}) > 1 + 1e-9)
        found.holds("a utilisation above 1 is said", r.warnings.has(WarningCode::MfuOverOne));
    found.amount("activity", r.activity.compute);
    found.amount("activity", r.activity.memory);
    found.amount("activity", r.activity.prompts);
    found.less("executed FLOP ≤ peak", r.activity.compute + r.activity.prompts, 1);
    found.less("bytes moved ≤ bandwidth", r.activity.memory, 1);
}

void checkParts(Findings& found, const Evaluation& r, double seconds)
{
    for (const double t : r.time)
        found.amount("a part of the time", t);
    for (const double m : r.memory)
        found.amount("a part of the memory", m);
    found.equal("times add up", sum(r.time), seconds);
    found.equal("memory adds up", sum(r.memory), r.usedBytes);
    found.holds("fits ⇔ used ≤ capacity", r.fits == (r.usedBytes <= r.capacityBytes * (1 + 1e-9)));
    found.less("allocated ≤ reserved", r.allocatedBytes, r.reservedBytes);
    found.less("reserved ≤ device", r.reservedBytes, r.deviceBytes);
    found.holds("not fitting is said", r.fits != r.warnings.has(WarningCode::DoesNotFit));
    found.less("model FLOP ≤ hardware FLOP", r.flops.model, r.flops.hardware, 1e-12);
}

void inside(Findings& found, const char* what, const std::optional<Interval>& interval, double value)
{
    if (!interval)
        return;
    found.less(what, interval->low, value);
    found.less(what, value, interval->high);
    found.positive(what, interval->low);
}

/// Cost, energy and power follow from the rate and the devices.
void checkCost(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    found.holds("a price gives a cost", p.hardware.pricePerGpuHour.has_value() == r.costPerHour.has_value());
    if (r.costPerHour) {
        const std::int64_t spares = r.goodput ? p.training.reliability.spares : 0;
        const double overall = r.goodput ? r.goodput->tokensPerS : *r.tokensPerS;
        found.equal("cost an hour", *r.costPerHour, *p.hardware.pricePerGpuHour * double(p.hardware.count + spares));
        found.equal("cost of tokens", *r.costPerMillionTokens, *r.costPerHour / 3600 * 1e6 / overall);
    }
    if (!r.watts)
        return;
    const double tdp = p.accelerator->tdpWatts, boards = double(p.hardware.count) * hostFactor(p);
    found.less("power ≤ TDP × host factor", *r.watts, tdp * boards);
    const double idle = std::min(idlePowerShare(p) * tdp, boardWatts(p.hardware, *p.accelerator));
    found.less("idle power ≤ power", idle * boards, *r.watts);
    found.equal("energy a token", *r.watts / *r.tokensPerS, *r.joulesPerToken);
}

/// What the site draws follows from what the job draws.
void checkSite(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    found.holds("the site counts where it is stated",
                r.site.has_value() == (countsSiteEnergy(p.hardware) && r.joulesPerToken));
    if (!r.site)
        return;
    const SiteEnergy& s = *r.site;
    found.less("power ≤ the site's", *r.watts, s.watts);
    const double overall = r.goodput ? r.goodput->tokensPerS : *r.tokensPerS;
    found.equal("kWh of tokens", s.watts / overall / 3.6, s.kwhPerMillionTokens);
    found.holds("a run has kWh", s.runKwh.has_value() == r.secondsToTrain.has_value());
    if (s.runKwh)
        found.equal("kWh of the run", s.kwhPerMillionTokens * p.training.trainingTokens.value_or(0) / 1e6, *s.runKwh);
    found.holds("a price costs", s.electricityPerHour.has_value() == p.hardware.power.electricityPerKwh.has_value());
    found.holds("an intensity emits",
                s.carbonGPerMillionTokens.has_value() == p.hardware.power.carbonGPerKwh.has_value());
}

/// What failures leave of the calendar, and what they take, is all of it.
void checkGoodput(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    found.holds("failures count where they are stated", r.goodput.has_value() == countsFailures(p.training));
    if (!r.goodput)
        return;
    const Goodput& g = *r.goodput;
    for (const double value : {g.mtbfS, g.intervalS, g.bestIntervalS, g.ettr, g.ettrLow, g.share, g.tokensPerS})
        found.positive("a figure of failures", value);
    for (const double value : {g.checkpointS, g.checkpointBytes}) // adapters on nothing leave nothing to save
        found.positive("a checkpoint's", r.trainableParameters > 0 ? value : 1);
    found.less("ETTR ≤ 1", g.ettr, 1, 0);
    found.less("ETTR with more failures ≤ ETTR", g.ettrLow, g.ettr, 0);
    found.less("share ≤ ETTR", g.share, g.ettr, 1e-12);
    for (const double loss : {g.checkpointLoss, g.restartLoss, g.lostWork, g.stragglerLoss, g.maintenance})
        found.less("a loss ≥ 0", 0, loss, 0);
    found.equal("losses and share add up",
                g.share + g.checkpointLoss + g.restartLoss + g.lostWork + g.stragglerLoss + g.maintenance, 1);
    PreparedScenario without = p;
    for (const ParameterRow& row : parameterRegistry())
        if (row.path.starts_with("/workload/reliability/"))
            row.reset(without);
    const Evaluation same = evaluate(without);
    found.equal("step time without failures", *same.stepTimeS, *r.stepTimeS);
    found.holds("MFU without failures", same.mfu == r.mfu && same.tokensPerS == r.tokensPerS);
}

/// A run cut in two takes as long, costs as much and needs as many GPU-hours as in one piece; halves that differ add
/// up.
void checkPhases(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    PreparedScenario whole = p, cut = p;
    constexpr double tokens = 1e12;
    whole.training.trainingTokens = tokens;
    const auto halves = [](std::optional<std::int64_t> sequence) {
        TrainingPhases phases(2);
        phases[0].tokens = phases[1].tokens = tokens / 2;
        phases[1].sequenceLength = sequence;
        return std::make_shared<const TrainingPhases>(std::move(phases));
    };
    cut.phases = halves({});
    const Evaluation two = evaluate(cut);
    Evaluation one = evaluate(whole);
    double pieces = 1;
    if (one.goodput && one.goodput->intervalS > tokens / 2 / *one.tokensPerS) {
        // No checkpoint is written within a half, but at its end: a failure takes a half, and more of the whole.
        whole.training.trainingTokens = tokens / 2;
        one = evaluate(whole);
        pieces = 2;
    }
    const double seconds = pieces * *one.secondsToTrain;
    found.equal("time of halves", two.phases->seconds, seconds);
    found.equal("GPU-hours of halves", two.phases->gpuHours, seconds / 3600 * double(p.hardware.count));
    found.holds("a price gives the phases a cost", two.phases->cost.has_value() == one.costToTrain.has_value());
    if (two.phases->cost)
        found.equal("cost of halves", *two.phases->cost, pieces * *one.costToTrain);
    found.equal("run of halves", *two.secondsToTrain, seconds);
    if (one.site)
        found.equal("kWh of halves", *two.site->runKwh, pieces * *one.site->runKwh);
    found.holds("phases change no step", two.stepTimeS == r.stepTimeS && two.mfu == r.mfu);
    cut.phases = halves(p.training.sequenceLength * 2);
    found.less("the first half ≤ both", seconds / 2, evaluate(cut).phases->seconds);
}

/// A step of reinforcement learning is its parts; it changes nothing of the training; more to do takes longer, and what
/// may be behind the weights shortens it.
void checkRl(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    PreparedScenario q = p;
    RlWorkload& w = q.training.rl;
    w.prompts = 64;
    w.outputTokens = 1500;
    w.outputTokensP99 = 6000;
    w.rolloutTensor = 1; // divides every number of GPUs
    const auto step = [&] { return evaluate(q).rl.value(); };
    const Evaluation e = evaluate(q);
    PreparedScenario alone = p;
    alone.training.multiTokenPrediction = false; // which an update leaves as it is
    const Evaluation a = trainsPrediction(p) ? evaluate(alone) : r;
    found.holds("RL changes no training step", e.stepTimeS == a.stepTimeS && e.tokensPerS == a.tokensPerS);
    const RlResult one = *e.rl;
    found.equal("parts of an RL step", one.sumS() - one.hiddenS, one.stepS);
    found.equal("parts of generation", one.promptS + one.fullS + one.tailS + one.around[0], one.part(RlPart::Generate));
    double around = 0;
    for (const double part : one.around)
        around += part;
    found.equal("answers and states under way", around, one.answersS + one.statesS);
    found.less("mean answer ≤ longest", 1500, one.longestTokens);
    found.less("waiting ≥ 0", 0, one.idle);
    found.less("waiting ≤ all", one.idle, 1);
    w.critic = true;
    found.less("a critic takes time", one.stepS, step().stepS);
    w.critic = false;
    w.placement = RlPlacement::Separate;
    const double inTurn = step().stepS;
    w.staleness = 1;
    const double beside = step().stepS;
    found.less("beside ≤ in turn", beside, inTurn);
    w.staleness = 4;
    found.less("further behind ≤ one step", step().stepS, beside);
}

PreparedScenario light(PreparedScenario p)
{
    p.efficiency = Efficiency{};
    p.efficiency.base = EfficiencyBase::Ideal;
    p.accounting = Convention::Exact;
    return p;
}

std::string wrongInTraining(const PreparedScenario& drawn)
{
    Findings found;
    const PreparedScenario& p = drawn;
    const Evaluation r = evaluate(p);
    for (const auto& value : {r.stepTimeS, r.tokensPerS, r.tokensPerSPerGpu, r.mfu, r.hfu, r.mbu})
        found.positive("a figure", value);
    if (!found.text().empty())
        return found.text();
    checkParts(found, r, *r.stepTimeS);
    checkUtilization(found, p, r);
    checkCost(found, p, r);
    checkSite(found, p, r);
    inside(found, "interval of the step", r.stepTimeInterval, *r.stepTimeS);
    inside(found, "interval of the memory", r.usedBytesInterval, r.usedBytes);
    const FlopCounts& f = r.flops;
    found.equal("passes add up", f.forward + f.backwardActivation + f.backwardWeight, f.model);
    found.equal("recomputation adds up", f.model + f.recompute, f.hardware);
    found.equal("tokens a second", r.tokensPerStep / *r.stepTimeS, *r.tokensPerS);
    found.equal("tokens a GPU", *r.tokensPerS / double(p.hardware.count), *r.tokensPerSPerGpu);
    if (p.training.globalBatch)
        found.equal("tokens a step", r.tokensPerStep,
                    double(*p.training.globalBatch) * double(p.training.sequenceLength));
    if (r.secondsToTrain)
        found.equal("time to train", *r.secondsToTrain,
                    *p.training.trainingTokens / (*r.tokensPerS * (r.goodput ? r.goodput->share : 1)));
    checkGoodput(found, p, r);
    checkPhases(found, p, r);
    checkRl(found, p, r);
    found.less("trained ≤ all", p.training.method == Method::Full ? r.trainableParameters : 0,
               r.totalParameters + (trainsPrediction(p) ? p.model->parameters.mtp : 0)); // which the total leaves out

    const Evaluation bound = evaluate(light(p));
    found.less("ideal step ≤ expected", *bound.stepTimeS, *r.stepTimeS);
    found.less("ideal mbu ≤ 1", *bound.mbu, 1);
    found.less("ideal exact mfu ≤ 1", *bound.mfu, 1);
    found.less("ideal exact hfu ≤ 1", *bound.hfu, 1);
    return found.text();
}

/// The largest batch fits, and one sequence more does not.
void checkLargestBatch(Findings& found, const PreparedScenario& p, const Evaluation& r)
{
    PreparedScenario with = p;
    with.inference.batchMax = false;
    const double ranks = double(p.parallelism.attentionData);
    if (*r.maxBatch >= 1 && *r.maxBatch < 16777216) {
        with.inference.batch = std::int64_t(*r.maxBatch);
        found.holds("the largest batch fits", evaluate(with).fits);
        with.inference.batch = std::int64_t(*r.maxBatch + ranks);
        found.holds("a larger batch does not", !evaluate(with).fits);
    }
    if (!p.inference.batchMax)
        found.holds("the batch fits ⇔ it is no more than the largest",
                    r.fits == (double(p.inference.batch) <= *r.maxBatch));
    found.less("the batch in flight ≤ what fits", r.batch, std::max(1.0, *r.maxBatch));
}

std::string wrongInServing(const PreparedScenario& p)
{
    Findings found;
    const Evaluation r = evaluate(p);
    for (const auto& value : {r.tpotS, r.ttftS, r.requestLatencyS, r.requestsPerS, r.tokensPerS, r.mfu, r.mbu})
        found.positive("a figure", value);
    if (!found.text().empty())
        return found.text();
    const InferenceWorkload& w = p.inference;
    const double out = double(w.outputTokens);
    checkParts(found, r, *r.tpotS);
    if (r.ttftAloneS)
        found.less("TTFT alone ≤ among others", *r.ttftAloneS, *r.ttftS);
    checkUtilization(found, p, r);
    checkCost(found, p, r);
    checkSite(found, p, r);
    checkLargestBatch(found, p, r);
    inside(found, "interval of TPOT", r.tpotInterval, *r.tpotS);
    inside(found, "interval of TTFT", r.ttftInterval, *r.ttftS);
    inside(found, "interval of the rate", r.tokensPerSInterval, *r.tokensPerS);
    found.equal("latency of a request", *r.requestLatencyS, *r.ttftS + (out - 1) * *r.tpotS);
    found.equal("requests × output tokens", *r.requestsPerS * out, *r.tokensPerS);
    found.less("a prompt ≤ its first token", r.prefill->timeS, *r.ttftS);
    // Little's law: a request is in flight for its own prompt and its further tokens at the least.
    if (w.scheduling == Scheduling::Continuous && !w.requestsPerS)
        found.less("in flight ≤ batch", *r.requestsPerS * (r.prefill->timeS + (out - 1) * *r.tpotS),
                   r.batch * r.replicas);
    if (w.requestsPerS) {
        found.less("served ≤ offered", *r.requestsPerS, *w.requestsPerS);
        found.less("served ≤ capacity", *r.requestsPerS, r.queue->capacityRequestsPerS);
        found.equal("utilisation", r.queue->utilization, *w.requestsPerS / r.queue->capacityRequestsPerS, 1e-6);
        found.holds("a wait is known ⇔ the load is below capacity",
                    r.queue->meanWaitS.has_value() == (r.queue->utilization < 1));
        found.less("batch in flight ≤ full batch", r.batch, r.queue->mostBatch);
    }
    const Evaluation bound = evaluate(light(p));
    // A load keeps fewer sequences in flight where they are served faster: no other batch, no other comparison.
    if (!w.requestsPerS) {
        found.less("ideal TPOT ≤ expected", *bound.tpotS, *r.tpotS);
        found.less("ideal TTFT ≤ expected", *bound.ttftS, *r.ttftS);
        found.less("tokens/s ≤ ideal", *r.tokensPerS, *bound.tokensPerS);
    } else {
        found.less("capacity ≤ ideal", r.queue->capacityRequestsPerS, bound.queue->capacityRequestsPerS);
    }
    found.less("ideal prefill ≤ expected", bound.prefill->timeS, r.prefill->timeS);
    found.less("ideal mbu ≤ 1", *bound.mbu, 1);
    found.less("ideal exact mfu ≤ 1", *bound.mfu, 1);
    found.less("ideal prefill mfu ≤ 1", prefillMfu(bound), 1);
    return found.text();
}

} // namespace

class TestPhysicsInvariants : public QObject
{
    Q_OBJECT
private slots:
    void training()
    {
        QVERIFY(test::physicsHolds("training", Task::Training, test::physicsCount(scenarios), wrongInTraining));
    }
    void serving()
    {
        QVERIFY(test::physicsHolds("serving", Task::Inference, test::physicsCount(scenarios), wrongInServing));
    }
    void cleanupTestCase() { qInfo("physics: %ld scenarios drawn", test::physicsScenariosDrawn()); }
};
HEADROOM_TEST(TestPhysicsInvariants)

} // namespace headroom::test_physics_invariants
#include "test_physics_invariants.moc"
