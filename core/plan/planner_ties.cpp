// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_ties.hpp"

#include "core/plan/planner_day.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/plan/planner_load.hpp"
#include "core/plan/planner_report.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::planner
{
namespace
{

/// By how much slower it may be than expected, 1 and more.
double slowerBy(const PlanRequest& request, const Evaluation& e)
{
    const auto ratio = [](double slow, double expected) {
        return slow > 0 && expected > 0 ? std::max(1.0, slow / expected) : 1.0;
    };
    if (e.task == Task::Training)
        return stepInterval(e) && e.stepTimeS ? ratio(stepInterval(e)->high, *e.stepTimeS) : 1.0;
    const bool perToken = request.objective == PlanObjective::Cost || request.objective == PlanObjective::Energy;
    if (perToken && e.tokensPerSInterval && e.tokensPerS)
        return ratio(*e.tokensPerS, e.tokensPerSInterval->low);
    return e.tpotInterval && e.tpotS ? ratio(e.tpotInterval->high, *e.tpotS) : 1.0;
}

std::string_view wordOf(PlanObjective objective)
{
    switch (objective) {
    case PlanObjective::Cost:
        return phrase("cost");
    case PlanObjective::Time:
        return phrase("time");
    case PlanObjective::Energy:
        return phrase("energy");
    case PlanObjective::Gpus:
    case PlanObjective::Mfu:
        break;
    }
    return "MFU";
}

} // namespace

bool isPredicted(const PlanRequest& request)
{
    if (isRl(request.base)) // a step that has no interval
        return false;
    if (request.objective == PlanObjective::Cost)
        return !isLoaded(request);
    return request.objective != PlanObjective::Gpus;
}

double alikeUpTo(const PlanRequest& request, const PlanOption& option)
{
    const double value = at(valuesOf(request, option.scenario, option.evaluation), request.objective);
    const double slower = slowerBy(request, option.evaluation);
    return value < 0 ? value / slower : value * slower; // MFU is negated: smaller is better
}

Ranking ranking(const PlanSpace& space, const PlanCollector& collector)
{
    Ranking result{collector.ranked(), {}};
    const std::vector<PlanFind> smaller = collector.smaller();
    if (result.finds.empty() || smaller.empty())
        return result;
    const PlanRequest& request = space.request();
    const PlanFind best = result.finds.front();
    const PlanOption expected = optionOf(space, best.point);
    const double limit = alikeUpTo(request, expected);
    const auto first = std::ranges::find_if(
        smaller, [&](const PlanFind& find) { return at(find.values, request.objective) <= limit; });
    if (first == smaller.end() || at(first->values, PlanObjective::Gpus) >= at(best.values, PlanObjective::Gpus))
        return result;
    const auto listed = std::ranges::find(result.finds, first->point, &PlanFind::point);
    if (listed != result.finds.end())
        result.finds.erase(listed);
    else if (result.finds.size() > 1)
        result.finds.pop_back(); // as many as were asked for
    result.finds.insert(result.finds.begin(), *first);
    const double here = at(first->values, request.objective), there = at(best.values, request.objective);
    result.note = say("{} ranks first: by {} it is {} behind {}, less than the 80 % interval of the prediction can "
                      "tell apart, so the smaller deployment wins",
                      planMachines(optionOf(space, first->point)), say(wordOf(request.objective)),
                      formatText(std::abs(here / there - 1), ValueFormat::Percent), planMachines(expected));
    return result;
}

} // namespace headroom::planner
