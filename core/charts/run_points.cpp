// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/run_points.hpp"

#include "core/charts/sweep_curves.hpp"
#include "core/explain/words.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom
{
namespace
{

/// Runs farther than this many doublings say little about the scenario (nearnessWord: up to "similar").
constexpr double nearEnough = 5;
constexpr std::size_t mostPublished = 12, mostOwn = 200;

/// "Close: same model, …", then who says so.
std::string detailOf(const MeasuredRun& run, const RunFeatures& here, std::string_view along)
{
    const double distance = runDistance(run.features, here, along);
    std::string text =
        fmt::format("{}: {}", capitalized(said(nearnessWord(distance))), differenceText(run.features, here, along));
    if (!run.source.empty())
        text += "\n" + sourceText(run);
    return text;
}

void addSeries(ChartSpec& spec, const ChartContext& context, const RunPlacement& placement, const MeasuredRuns& runs,
               Series series, std::size_t most)
{
    const RunFeatures here = runFeatures(context.scenario, context.evaluation);
    const Convention accounting = context.scenario.accounting;
    const NearestQuery query{placement.metric, placement.alongParameter, accounting, most, nearEnough};
    series.kind = SeriesKind::Points;
    for (const NearRun& near : nearestRuns(runs, here, query))
        if (const auto at = placement.place(*near.run, *runFigure(*near.run, placement.metric, accounting)))
            series.points.push_back({.x = at->first,
                                     .y = at->second,
                                     .label = runTitle(*near.run),
                                     .base = {},
                                     .detail = detailOf(*near.run, here, placement.alongParameter)});
    if (!series.points.empty())
        spec.series.push_back(std::move(series));
}

} // namespace

void addRunPoints(ChartSpec& spec, const ChartContext& context, const RunPlacement& placement)
{
    if (!context.runs)
        return;
    Series series;
    if (context.runs->published) {
        series.id = "published";
        series.label = say("published");
        series.role = SeriesRole::Published;
        addSeries(spec, context, placement, *context.runs->published, series, mostPublished);
    }
    if (context.runs->own) {
        series.id = "own";
        series.label = said("your runs");
        series.role = SeriesRole::Own;
        addSeries(spec, context, placement, *context.runs->own, series, mostOwn);
    }
}

const MeasuredRun* runOfPoint(const ChartContext& context, const Series& series, const Point& point)
{
    if (!context.runs || (series.role != SeriesRole::Published && series.role != SeriesRole::Own))
        return nullptr;
    const auto& runs = series.role == SeriesRole::Published ? context.runs->published : context.runs->own;
    if (!runs)
        return nullptr;
    const Convention accounting = context.scenario.accounting;
    const auto lies = [&](const MeasuredRun& run) {
        if (runTitle(run) != point.label)
            return false;
        const auto tpot = runFigure(run, "tpot_s", accounting);
        if (tpot && point.x == 1 / tpot->measured) // throughput against speed
            return true;
        return std::ranges::any_of(std::array{"mfu", "mbu", "step_time_s", "tpot_s"}, [&](const char* metric) {
            const auto figure = runFigure(run, metric, accounting);
            return figure && figure->measured == point.y;
        });
    };
    const auto found = std::ranges::find_if(*runs, lies);
    return found == runs->end() ? nullptr : &*found;
}

void addRunPoints(ChartSpec& spec, const ChartContext& context, const SweepCurves& curves, std::string_view metric)
{
    const ParameterRow& row = *curves.row;
    if (!hasDistanceTerm(row.id, context.scenario.task))
        return; // runs cannot be laid along it: the price of a GPU, an assumption
    addRunPoints(spec, context, {metric, row.id, [&](const MeasuredRun& run, const RunFigure& figure) {
                                     const double x = currentValue(row, run.prepared, run.evaluation);
                                     const bool inside = x >= spec.x.minimum && x <= spec.x.maximum;
                                     return inside ? std::optional(std::pair(x, figure.measured)) : std::nullopt;
                                 }});
}

} // namespace headroom
