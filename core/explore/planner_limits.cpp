// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/planner_limits.hpp"

namespace headroom::planner
{

std::optional<double> waitedTtft(const Evaluation& e) noexcept
{
    if (!e.ttftS || (e.queue && !e.queue->p95WaitS))
        return std::nullopt;
    return *e.ttftS + (e.queue ? *e.queue->p95WaitS : 0);
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
            check(LimitKind::Ttft, waitedTtft(e), s.inference.ttftTargetS);
        check(LimitKind::Tpot, e.tpotS, s.inference.tpotTargetS);
    }
    check(LimitKind::CostPerHour, e.costPerHour, request.limits.costPerHour);
    return worst;
}

} // namespace headroom::planner
