// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_limits.hpp"

#include "core/plan/planner_load.hpp"
#include "core/predict/inference/inference_serving.hpp"
#include "core/predict/inference/inference_tail.hpp"
#include "core/predict/inference/inference_traits.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <limits>

namespace headroom::planner
{

double paidSpares(const PreparedScenario& s) noexcept
{
    return s.task == Task::Training && countsFailures(s.training) ? double(s.training.reliability.spares) : 0;
}

std::optional<double> waitedTtft(const PreparedScenario& s, const Evaluation& e) noexcept
{
    if (e.tail) // what the evaluation shows
        return e.tail->ttftS;
    if (inference::promptQuantile(s, heldPercentile(s.inference)) <= static_cast<double>(s.inference.promptTokens)) {
        if (!e.queue)
            return e.ttftS;
        const auto& wait = e.queue->p95WaitS;
        return e.ttftS && wait ? std::optional(*e.ttftS + *wait) : std::nullopt;
    }
    PreparedScenario late = s; // what it would show if it were asked for late requests
    late.inference.targetPercentile = heldPercentile(s.inference);
    const auto tail = evaluate(late).tail;
    return tail ? tail->ttftS : e.ttftS;
}

std::int64_t largestBatch(const PreparedScenario& s) noexcept
{
    const bool ideal = s.efficiency.base == EfficiencyBase::Ideal;
    const auto memory = inference::planMemory(s, inference::makeMachine(s, ideal));
    return static_cast<std::int64_t>(std::min(memory.maxBatch, double(mostPlanBatch)));
}

std::int64_t largestInPass(const PreparedScenario& s, bool isFree) noexcept
{
    const InferenceWorkload& w = s.inference;
    if (!w.maxTokensPerPass || w.scheduling != Scheduling::Continuous ||
        !inference::mixesPrompts(s.calibration->inference, w))
        return std::numeric_limits<std::int64_t>::max();
    const std::int64_t verified = w.drafting ? w.draftTokens + 1 : 1;
    const std::int64_t legal = (*w.maxTokensPerPass - 1) / verified * s.parallelism.attentionData; // as in checkSetup()
    if (!isFree)
        return legal;
    const double running =
        inference::passLimit(s, inference::makeMachine(s, s.efficiency.base == EfficiencyBase::Ideal));
    return running < double(legal) ? static_cast<std::int64_t>(running) : legal;
}

Evaluation evaluateLoaded(const PlanRequest& request, PreparedScenario& s) noexcept
{
    if (!request.users || s.task == Task::Training)
        return evaluate(s);
    s.users = request.users->count;
    s.thinkS = request.users->thinkS;
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

/// Users over those who have a place or think while all places are taken (the saturation point of a closed loop:
/// Lazowska et al. 1984, 5.2): beyond 1 they wait for each other however it turns out. 0 without users.
double crowdOf(const PreparedScenario& s, const Evaluation& e) noexcept
{
    if (!(s.users > 0) || !(e.queue->replicasNeeded > e.replicas))
        return 0;
    const double cycleS = s.users / *e.requestsPerS - *e.queue->meanWaitS; // who does not wait
    return s.users / (e.queue->capacityRequestsPerS * cycleS);
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
    if (!e.fits && e.pools && !e.pools->prefill.fits)
        return {LimitKind::Memory, e.pools->prefill.usedBytes, e.pools->prefill.capacityBytes};
    if (!e.fits)
        return {LimitKind::Memory, e.usedBytes, e.capacityBytes};
    if (e.rl && !e.rl->fits && e.rl->learnBytes > e.rl->learnCapacityBytes)
        return {LimitKind::Memory, e.rl->learnBytes, e.rl->learnCapacityBytes};
    if (e.rl && !e.rl->fits)
        return {LimitKind::Memory, e.rl->usedBytes, e.rl->capacityBytes};
    // A host of unknown size is warned of; what it surely lacks, no ranking recommends.
    if (const auto& host = e.hostStates; host && s.hardware.hostMemoryGb && host->hostBytes > host->mostBytes)
        return {LimitKind::HostMemory, host->hostBytes, host->mostBytes};
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
        if (e.queue && !e.queue->meanWaitS)
            worst = {LimitKind::Load, e.queue->utilization, 1};
        else if (const double crowd = e.queue && !s.inference.ttftTargetS ? crowdOf(s, e) : 0; crowd > 0)
            worst = {LimitKind::Load, crowd, 1}; // nobody says how long a user may wait
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
