// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/planner_limits.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::planner
{

std::optional<double> longTtft(const PreparedScenario& s, const Evaluation& e) noexcept
{
    const auto longest = s.inference.promptTokensP95;
    if (!longest || *longest <= s.inference.promptTokens)
        return e.ttftS;
    PreparedScenario other = s;
    other.inference.promptTokens = *longest;
    return evaluate(other).ttftS;
}

std::optional<double> waitedTtft(const PreparedScenario& s, const Evaluation& e) noexcept
{
    if (e.queue && !e.queue->p95WaitS)
        return std::nullopt;
    const std::optional<double> ttft = longTtft(s, e);
    return ttft ? std::optional(*ttft + (e.queue ? *e.queue->p95WaitS : 0)) : std::nullopt;
}

Evaluation evaluateLoaded(const PlanRequest& request, PreparedScenario& s) noexcept
{
    if (!request.users || s.task == Task::Training)
        return evaluate(s);
    s.inference.requestsPerS = 1;
    const Evaluation probe = evaluate(s);
    // One request a second keeps as many servers busy as its service takes seconds.
    const double servers = std::max(1.0, std::floor(probe.batch)) * probe.replicas;
    const double serviceS = probe.queue->utilization * servers;
    s.inference.requestsPerS = request.users->count / (serviceS + request.users->thinkS);
    return evaluate(s);
}

Shortfall shortfall(const PlanRequest& request, const PreparedScenario& s, const Evaluation& e) noexcept
{
    if (!e.fits)
        return {LimitKind::Memory, e.usedBytes, e.capacityBytes};
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
        check(LimitKind::Deadline, e.secondsToTrain, request.limits.deadlineS);
        check(LimitKind::CostToTrain, e.costToTrain, request.limits.costToTrain);
    } else {
        if (e.queue && !(e.queue->utilization < 1)) // no wait is defined
            worst = {LimitKind::Load, e.queue->utilization, 1};
        else
            check(LimitKind::Ttft, s.inference.ttftTargetS ? waitedTtft(s, e) : std::nullopt, s.inference.ttftTargetS);
        check(LimitKind::Tpot, e.tpotS, s.inference.tpotTargetS);
    }
    check(LimitKind::CostPerHour, e.costPerHour, request.limits.costPerHour);
    return worst;
}

} // namespace headroom::planner
