// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_limits.hpp"

#include "core/plan/planner_load.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "core/predict/inference/inference_tail.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::planner
{
namespace
{

/// Of a prompt: its pass, and what its cache adds, loaded from tiers or sent to another pool.
double readS(const Evaluation& e) noexcept
{
    return e.prefill->timeS + (e.tiers ? e.tiers->shownS : 0) + (e.pools ? e.pools->shownS : 0);
}

} // namespace

std::optional<double> longTtft(const PreparedScenario& s, const Evaluation& e) noexcept
{
    const auto percentile = s.inference.targetPercentile.value_or(TargetPercentile::P95);
    const auto longest = static_cast<std::int64_t>(std::llround(inference::promptQuantile(s, percentile)));
    if (longest <= s.inference.promptTokens)
        return e.ttftS;
    PreparedScenario other = s;
    other.inference.promptTokens = longest;
    other.inference.requestsPerS.reset(); // its own load would be of long prompts only
    other.inference.batchMax = false;
    other.inference.batch = 1;
    if (s.inference.scheduling != Scheduling::Static) // it waits for others as any request, and is read longer
        return *e.ttftS + readS(evaluate(other)) - readS(e);
    other.inference.batch = static_cast<std::int64_t>(std::ceil(e.batch)); // filled up to the longest
    return evaluate(other).ttftS;
}

std::optional<double> waitedTtft(const PreparedScenario& s, const Evaluation& e) noexcept
{
    if (e.tail) // what the evaluation shows
        return e.tail->ttftS;
    const std::optional<double> ttft = longTtft(s, e);
    if (!e.queue)
        return ttft;
    const auto wait = s.inference.targetPercentile == TargetPercentile::P99 ? e.queue->p99WaitS : e.queue->p95WaitS;
    return ttft && wait ? std::optional(*ttft + *wait) : std::nullopt;
}

std::int64_t largestBatch(const PreparedScenario& s) noexcept
{
    const bool ideal = s.efficiency.base == EfficiencyBase::Ideal;
    const auto memory = inference::planMemory(s, inference::makeMachine(s, ideal));
    return static_cast<std::int64_t>(std::min(memory.maxBatch, double(mostPlanBatch)));
}

Evaluation evaluateLoaded(const PlanRequest& request, PreparedScenario& s) noexcept
{
    if (!request.users || s.task == Task::Training)
        return evaluate(s);
    s.inference.requestsPerS = inference::requestsOfUsers(s, request.users->count, request.users->thinkS);
    return evaluate(s);
}

namespace
{

/// A time at the slow end of an interval that was given of another: of a wait with the time, of a run with its step.
std::optional<double> slowEnd(bool asked, const std::optional<double>& time, const std::optional<double>& expected,
                              const std::optional<Interval>& interval) noexcept
{
    return asked && time && expected && interval && *expected > 0
               ? std::optional(*time * std::max(1.0, interval->high / *expected))
               : time;
}

} // namespace

std::optional<Interval> stepInterval(const Evaluation& e) noexcept
{
    return e.rl ? std::nullopt : e.stepTimeInterval;
}

std::optional<double> heldTpot(const PlanRequest& request, const Evaluation& e) noexcept
{
    return slowEnd(request.slowEnd, e.tpotS, e.tpotS, e.tpotInterval);
}

Shortfall shortfall(const PlanRequest& request, const PreparedScenario& s, const Evaluation& e) noexcept
{
    if (!e.fits)
        return {LimitKind::Memory, e.usedBytes, e.capacityBytes};
    if (e.rl && !e.rl->fits)
        return {LimitKind::Memory, e.rl->usedBytes, e.rl->capacityBytes};
    Shortfall worst;
    const auto check = [&worst](LimitKind kind, const std::optional<double>& value,
                                const std::optional<double>& limit) {
        if (!value || !limit || !(*value > *limit))
            return;
        const Shortfall here{kind, *value, *limit};
        if (here.share() > worst.share())
            worst = here;
    };
    if (s.task == Task::Training) {
        check(LimitKind::Deadline, slowEnd(request.slowEnd, e.secondsToTrain, e.stepTimeS, stepInterval(e)),
              request.limits.deadlineS);
        check(LimitKind::CostToTrain, e.costToTrain, request.limits.costToTrain);
    } else {
        if (e.queue && !(e.queue->utilization < 1)) // no wait is defined
            worst = {LimitKind::Load, e.queue->utilization, 1};
        else
            check(LimitKind::Ttft,
                  s.inference.ttftTargetS ? slowEnd(request.slowEnd, waitedTtft(s, e), e.ttftS, e.ttftInterval)
                                          : std::nullopt,
                  s.inference.ttftTargetS);
        check(LimitKind::Tpot, heldTpot(request, e), s.inference.tpotTargetS);
    }
    check(LimitKind::CostPerHour, e.costPerHour, request.limits.costPerHour);
    return worst;
}

} // namespace headroom::planner
