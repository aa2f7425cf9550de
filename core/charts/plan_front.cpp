// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/plan_charts.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/currency.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom::charts
{
namespace
{

/// An objective as people read it: what plan() compares, in the unit of the whole task.
struct Scale {
    const char* quantity; ///< id
    std::string_view label;
    std::string unit;
    ValueFormat format = ValueFormat::Plain;
    double factor = 1; ///< from PlanOption::values
    bool share = false;
};

Scale scaleOf(PlanObjective objective, const PlanRequest& request)
{
    const PreparedScenario& base = request.base;
    const bool training = base.task == Task::Training;
    const double tokens = base.training.trainingTokens.value_or(0);
    switch (objective) {
    case PlanObjective::Cost:
        if (training && tokens > 0)
            return {"cost_to_train", phrase("Cost to train"), currencySign(), ValueFormat::Money, tokens / 1e6};
        if (!training && (request.users || base.inference.requestsPerS))
            return {"cost_per_hour", phrase("Cost per hour"), currencySign(), ValueFormat::Money};
        return {"cost_per_million_tokens", phrase("Cost of a million tokens"), currencySign(), ValueFormat::Money};
    case PlanObjective::Time:
        if (training && tokens > 0)
            return {"days_to_train", phrase("Days to train"), said("days"), ValueFormat::Plain, tokens / secondsPerDay};
        if (training)
            return {"s_per_million_tokens", phrase("Time for a million tokens"), said("seconds"), ValueFormat::Seconds,
                    1e6};
        if (request.users || base.inference.requestsPerS)
            return {"waited_latency_s", phrase("Request latency, wait included"), said("seconds"),
                    ValueFormat::Seconds};
        return {"latency_s", phrase("Request latency"), said("seconds"), ValueFormat::Seconds};
    case PlanObjective::Energy:
        return {"joules_per_token", phrase("Energy per token"), "J", ValueFormat::Plain};
    case PlanObjective::Gpus:
        return {"count", phrase("GPUs"), "", ValueFormat::Integer};
    case PlanObjective::Mfu:
        break;
    }
    return {"mfu", phrase("MFU"), said("% of peak"), ValueFormat::Percent, -1, true};
}

std::optional<double> valueOf(const PlanOption& option, PlanObjective objective, const Scale& scale)
{
    const std::optional<double>& value = option.values[static_cast<std::size_t>(objective)];
    return value ? std::optional(*value * scale.factor) : std::nullopt;
}

Axis axisOf(const Scale& scale, const DataRange& range)
{
    if (scale.share)
        return shareAxis(scale.quantity, said(scale.label), range);
    const bool wide = !range.empty() && range.low > 0 && range.high / range.low > 5;
    return wide ? logAxis(scale.quantity, said(scale.label), scale.unit, scale.format, range)
                : linearAxis(scale.quantity, said(scale.label), scale.unit, scale.format, range);
}

} // namespace

ChartSpec planFront(const PlanRequest& request, const PlanResult& result)
{
    const std::array<Scale, 2> scales{scaleOf(request.front[0], request), scaleOf(request.front[1], request)};
    ChartSpec spec;
    spec.id = "plan_front";
    spec.title = say("{} against {}", say(scales[1].label), inSentence(scales[0].label));
    const auto series = [](const char* id, SeriesRole role, SeriesKind kind) {
        return Series{.id = id, .label = id, .role = role, .kind = kind};
    };
    Series front = series("front", SeriesRole::Current, SeriesKind::StepLine);
    Series marks = series("front points", SeriesRole::Current, SeriesKind::Points);
    Series others = series("ranked", SeriesRole::Secondary, SeriesKind::Points);
    front.label = say("front");
    others.slot = 1;
    DataRange x, y;
    const auto add = [&](const PlanOption& option, Series& to) {
        const auto across = valueOf(option, request.front[0], scales[0]);
        const auto up = valueOf(option, request.front[1], scales[1]);
        if (!across || !up) // what is not known has no place
            return;
        Point p;
        p.x = *across;
        p.y = *up;
        p.label = planMachines(option);
        p.detail = layoutText(option);
        p.origin = {PointOrigin::Kind::Layout, deploymentId(option)};
        x.add(p.x);
        y.add(p.y);
        to.points.push_back(std::move(p));
    };
    for (const PlanOption& option : result.front)
        add(option, marks);
    front.points = marks.points;
    for (const PlanOption& option : result.ranked)
        add(option, others);
    if (!y.empty() && !scales[1].share)
        y.add(1.1 * y.high); // the name of the highest stands above it, below the axis' own
    spec.x = axisOf(scales[0], x);
    spec.y = axisOf(scales[1], y);
    std::ranges::stable_sort(front.points, {}, &Point::x); // MFU is negated where it is compared
    if (result.front.empty())
        spec.reading = said("Nothing meets the targets, so there is nothing to trade.");
    else if (result.front.size() == 1)
        spec.reading = said("One deployment is best in both.");
    else
        spec.reading = say("{} deployments give up one for the other.", result.front.size());
    spec.summary = say("Pareto front: {}. {}", spec.title, spec.reading);
    spec.note = said("Other dots: ranked, but beaten in both.");
    if (result.cancelled)
        spec.note = result.notes.front() + ". " + spec.note;
    for (Series* one : {&others, &front, &marks})
        if (!one->points.empty())
            spec.series.push_back(std::move(*one));
    return spec;
}

} // namespace headroom::charts
