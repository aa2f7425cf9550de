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
#include <optional>

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
        return "GPUs";
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
    if (result.finds.empty())
        return result;
    const PlanRequest& request = space.request();
    const auto valueOf = [&](const PlanFind& find) { return at(find.values, request.objective); };
    const PlanFind best = result.finds.front();
    const PlanOption expected = optionOf(space, best.point);
    const std::vector<PlanFind> surely = collector.surely();
    const double limit = alikeUpTo(request, expected);
    const auto fewest = [&](const std::vector<PlanFind>& finds) -> std::optional<PlanFind> {
        const auto found = std::ranges::find_if(finds, [&](const PlanFind& find) { return valueOf(find) <= limit; });
        return found == finds.end() ? std::nullopt : std::optional(*found);
    };
    const auto behind = [&](const PlanFind& find) {
        return formatText(std::abs(valueOf(find) / valueOf(best) - 1), ValueFormat::Percent);
    };
    const auto nameSurest = [&] {
        if (surely.empty())
            return;
        const PlanOption safe = optionOf(space, surely.back().point);
        result.notes.push_back(say("The best that surely fits is {} ({}); by {} it is {} behind", planMachines(safe),
                                   layoutText(safe), say(wordOf(request.objective)), behind(surely.back())));
    };
    if (!isPredicted(request)) {
        if (best.mayNotFit)
            nameSurest();
        return result;
    }
    std::optional<PlanFind> first = fewest(surely);
    if (!first) { // nothing that surely fits is alike
        first = fewest(collector.smaller());
        nameSurest();
    }
    if (!first)
        return result;
    const auto gpusOf = [](const PlanFind& find) { return at(find.values, PlanObjective::Gpus); };
    const bool isSmaller = gpusOf(*first) < gpusOf(best);
    if (!isSmaller && best.mayNotFit == first->mayNotFit)
        return result;
    const auto listed = std::ranges::find(result.finds, first->point, &PlanFind::point);
    if (listed != result.finds.end())
        result.finds.erase(listed);
    else if (result.finds.size() > 1)
        result.finds.pop_back(); // as many as were asked for
    result.finds.insert(result.finds.begin(), *first);
    const std::optional<PlanFind> smallest = fewest(collector.smaller());
    const bool passedOver = !isSmaller || (smallest && gpusOf(*smallest) < gpusOf(*first)); // one that may not fit
    const PlanOption chosen = optionOf(space, first->point);
    const bool sameMachines = planMachines(chosen) == planMachines(expected); // then the layouts tell them apart
    const auto name = [sameMachines](const PlanOption& o) { return sameMachines ? layoutText(o) : planMachines(o); };
    // On the same machines both are predicted with the same error: what decides is room, and the difference is one.
    result.notes.push_back(
        sameMachines ? say("{} ranks first, because it surely fits: {} may not. By {} it is {} behind", name(chosen),
                           name(expected), say(wordOf(request.objective)), behind(*first))
        : passedOver
            ? say("{} ranks first: by {} it is {} behind {}, less than the 80 % interval of the prediction can "
                  "tell apart, so the smallest deployment that surely fits wins",
                  name(chosen), say(wordOf(request.objective)), behind(*first), name(expected))
            : say("{} ranks first: by {} it is {} behind {}, less than the 80 % interval of the prediction can "
                  "tell apart, so the smaller deployment wins",
                  name(chosen), say(wordOf(request.objective)), behind(*first), name(expected)));
    return result;
}

} // namespace headroom::planner
