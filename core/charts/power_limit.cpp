// SPDX-License-Identifier: GPL-3.0-or-later
// What a power limit takes of the throughput and saves of a token's energy.
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/hardware/power.hpp"
#include "core/predict/power_knee.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

namespace headroom::charts
{

namespace
{

std::string watts(double w)
{
    return formatText(w, ValueFormat::Watts);
}
/// A figure of each limit over the same without a limit.
Series over(std::string id, std::string label, SeriesRole role, int slot, const PowerKnee& knee,
            double LimitPoint::*figure, std::string metric)
{
    Series series{
        .id = std::move(id), .label = std::move(label), .role = role, .slot = slot, .metric = std::move(metric)};
    for (const LimitPoint& point : knee.points)
        series.points.push_back({.x = point.limitW, .y = point.*figure / (knee.rated.*figure)});
    return series;
}

std::string reading(const PowerKnee& knee)
{
    if (knee.bestW >= knee.ratedW)
        return say("A token takes the least energy without a limit, at {}.", watts(knee.ratedW));
    const double saved = 1 - knee.best.joulesPerToken / knee.rated.joulesPerToken;
    const double slower = 1 - knee.best.tokensPerS / knee.rated.tokensPerS;
    return knee.atLowest
               ? say("Energy per token falls down to {}, the lowest limit: {} less, for {} of the throughput.",
                     watts(knee.bestW), percentText(saved), percentText(slower))
               : say("The knee is at {}: {} less energy per token, for {} of the throughput. Below, a cut takes more "
                     "than it saves.",
                     watts(knee.bestW), percentText(saved), percentText(slower));
}

/// The throughput of pinned scenarios, each over its own without a limit.
void addPins(ChartSpec& spec, const ChartContext& context, DataRange& x, DataRange& y)
{
    for (const PinnedScenario* pin : comparablePins(context)) {
        const auto knee = powerKnee(pin->prepared);
        if (!knee)
            continue;
        Series line = pinSeries(*pin, spec.id, "tokens_per_s");
        for (const LimitPoint& point : knee->points)
            line.points.push_back({.x = point.limitW, .y = point.tokensPerS / knee->rated.tokensPerS});
        x.add(knee->ratedW);
        y.add(line);
        spec.series.push_back(std::move(line));
    }
}

} // namespace

ChartSpec powerLimit(const ChartContext& context)
{
    const PreparedScenario& scenario = context.scenario;
    ChartSpec spec;
    spec.id = "power_limit";
    spec.title = said("Power limit");
    const auto knee = powerKnee(scenario);
    DataRange x, y;
    y.add(1);
    if (knee) {
        spec.series.push_back(over("throughput", said("throughput"), SeriesRole::Current, 0, *knee,
                                   &LimitPoint::tokensPerS, "tokens_per_s"));
        spec.series.push_back(over("energy", said("energy per token"), SeriesRole::Secondary, besidePins, *knee,
                                   &LimitPoint::joulesPerToken, "energy.joules_per_token"));
        y.add(spec.series);
        x.add(0);
        x.add(knee->ratedW);
        if (knee->bestW < knee->ratedW)
            spec.guides.push_back({GuideKind::Vertical, SeriesRole::Target, knee->bestW, 0, 0,
                                   say("least energy {}", watts(knee->bestW))});
        if (knee->freeW > knee->bestW && knee->freeW < knee->ratedW)
            spec.guides.push_back({GuideKind::Vertical, SeriesRole::Limit, knee->freeW, 0, 0,
                                   say("not felt above {}", watts(knee->freeW))});
        const double now = boardWatts(scenario.hardware, *scenario.accelerator);
        if (const auto rate = context.evaluation.tokensPerS; rate && knee->rated.tokensPerS > 0)
            spec.guides.push_back(
                {GuideKind::OperatingPoint, SeriesRole::Current, now, *rate / knee->rated.tokensPerS, 0, watts(now)});
        spec.reading = reading(*knee);
        y.add(context.evaluation.tokensPerS.value_or(0) / knee->rated.tokensPerS);
    } else {
        // A chart shows something for every scenario: all of the throughput, at limits that nobody sets.
        spec.series.push_back({.id = "throughput",
                               .label = said("throughput"),
                               .points = {{.x = 0, .y = 1}, {.x = 1, .y = 1}},
                               .metric = "tokens_per_s"});
        x.add(0);
        x.add(1);
        spec.note = said(noKneeReason(scenario));
        spec.reading = said("What a limit would do is not known.");
    }
    addPins(spec, context, x, y);
    spec.x = linearAxis("power_limit_w", said("Power limit per GPU"), {}, ValueFormat::Watts, x);
    spec.x.parameter = "power_limit_w";
    spec.y = linearAxis("share_without_limit", said("Of that without a limit"), {}, ValueFormat::Percent, y);
    spec.summary = say("Throughput and energy per token over the power limit. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
