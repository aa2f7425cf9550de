// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/run_points.hpp"

#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/runs/stated_figures.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{
namespace
{

/// Runs farther than this many doublings say little about the scenario (nearnessWord: up to "similar").
constexpr double nearEnough = 5;
constexpr std::size_t mostPublished = 12, mostOwn = 200;

/// "Close: same model, …", then who says so.
std::string detailOf(const MeasuredRun& run, const RunFeatures& here, const RunPlacement& placement)
{
    const std::string_view along = placement.alongParameter;
    const double distance = runDistance(run.features, here, along);
    std::string text =
        fmt::format("{}: {}", capitalized(said(nearnessWord(distance))), differenceText(run.features, here, along));
    if (const std::string remark = placement.remark ? placement.remark(run) : std::string(); !remark.empty())
        text += "; " + remark;
    if (!run.source.empty())
        text += "\n" + sourceText(run);
    return text;
}

void addSeries(ChartSpec& spec, const ChartContext& context, const RunPlacement& placement, const MeasuredRuns& runs,
               Series series, PointOrigin::Kind kind, std::size_t most)
{
    const RunFeatures here = runFeatures(context.scenario, context.evaluation);
    const Convention accounting = context.scenario.accounting;
    const NearestQuery query{placement.metric, placement.alongParameter, accounting, runs.size(), nearEnough};
    series.kind = SeriesKind::Points;
    series.metric = placement.shown;
    for (const NearRun& near : nearestRuns(runs, here, query)) {
        if (series.points.size() >= most)
            break;
        if (const auto at = placement.place(*near.run, *runFigure(*near.run, placement.metric, accounting)))
            series.points.push_back({.x = at->first,
                                     .y = at->second,
                                     .label = runTitle(*near.run),
                                     .detail = detailOf(*near.run, here, placement),
                                     .origin = {kind, near.run->id}});
    }
    if (!series.points.empty())
        spec.series.push_back(std::move(series));
}

/// The run's own value of the parameter, where it lies on the axis.
std::optional<double> onAxis(const MeasuredRun& run, const ParameterRow& row, const Axis& axis)
{
    const double x = currentValue(row, run.prepared, run.evaluation);
    return x >= axis.minimum && x <= axis.maximum ? std::optional(x) : std::nullopt;
}

/// GPU-hours for a million tokens, times the price.
double costOf(const MeasuredRun& run, double tokensPerS, const std::optional<double>& price)
{
    constexpr double million = 1e6;
    return price.value_or(1) * double(run.prepared.hardware.count) * million / (tokensPerS * secondsPerHour);
}

/// FLOP per byte of a step, and what one device executes of it in a second of the measured time.
std::optional<std::pair<double, double>> rateOf(const MeasuredRun& run)
{
    const Evaluation& e = run.evaluation;
    if (!e.credible() || !e.observed->stepTimeS || *e.observed->stepTimeS <= 0 || e.intensityFlopPerByte <= 0)
        return std::nullopt;
    return std::pair(e.intensityFlopPerByte,
                     e.flops.hardware / double(run.prepared.hardware.count) / *e.observed->stepTimeS);
}

} // namespace

RunPlacement rooflinePlacement(const ChartContext& context)
{
    const bool training = context.scenario.task == Task::Training;
    return {"mfu", "mfu", training ? "micro_batch" : "batch",
            [id = context.scenario.accelerator->id](const MeasuredRun& run, const RunFigure&) {
                return run.prepared.accelerator->id == id ? rateOf(run) : std::nullopt;
            }};
}

RunPlacement costPlacement(const ChartContext& context, const SweepCurves& curves, const Axis& x)
{
    const ParameterRow& row = *curves.row;
    const auto price = context.scenario.hardware.pricePerGpuHour;
    return {
        "tokens_per_s", "cost.per_million_tokens", row.id,
        [&row, &x, price](const MeasuredRun& run, const RunFigure& tokens) -> std::optional<std::pair<double, double>> {
            const auto at = onAxis(run, row, x);
            return at ? std::optional(std::pair(*at, costOf(run, tokens.measured, price))) : std::nullopt;
        },
        [priced = price.has_value()](const MeasuredRun&) {
            return priced ? said("at this scenario's price") : std::string();
        }};
}

RunPlacement stepTimePlacement(const SweepCurves& curves, const Axis& x)
{
    const ParameterRow& row = *curves.row;
    // Tokens of a step on a GPU: the scenario's where the run lies, over the run's.
    const auto scale = [&curves, &row](const MeasuredRun& run) -> std::optional<double> {
        const double at = currentValue(row, run.prepared, run.evaluation);
        const auto near = std::ranges::min_element(
            curves.expected, {}, [at](const SweepPoint& point) { return std::abs(point.value - at); });
        const double there = run.evaluation.tokensPerStep / double(run.prepared.hardware.count);
        if (near == curves.expected.end() || !(there > 0))
            return std::nullopt;
        const Evaluation& e = near->evaluation;
        return e.tokensPerSPerGpu && e.stepTimeS ? std::optional(*e.tokensPerSPerGpu * *e.stepTimeS / there)
                                                 : std::nullopt;
    };
    return {
        "step_time_s", "step_time_s", row.id,
        [&row, &x, scale](const MeasuredRun& run, const RunFigure& step) -> std::optional<std::pair<double, double>> {
            const auto at = onAxis(run, row, x);
            const auto times = at ? scale(run) : std::nullopt;
            return times ? std::optional(std::pair(*at, step.measured * *times)) : std::nullopt;
        },
        [scale](const MeasuredRun& run) {
            constexpr double same = 0.005;
            const double times = scale(run).value_or(1);
            return std::abs(times - 1) > same
                       ? say("measured {}, times {} for as many tokens on a GPU",
                             formatText(run.evaluation.observed->stepTimeS.value_or(0), ValueFormat::Seconds),
                             formatText(times, ValueFormat::Plain))
                       : std::string();
        }};
}

RunPlacement memoryPlacement(const SweepCurves& curves, const Axis& x, double most)
{
    const ParameterRow& row = *curves.row;
    return {
        "memory.used_bytes", "memory.used_bytes", row.id,
        [&row, &x, most](const MeasuredRun& run, const RunFigure& bytes) -> std::optional<std::pair<double, double>> {
            const auto at = onAxis(run, row, x);
            return at && bytes.measured <= most ? std::optional(std::pair(*at, bytes.measured)) : std::nullopt;
        },
        [](const MeasuredRun& run) { return peakMemoryKindText(run.prepared.measured); }};
}

void addRunPoints(ChartSpec& spec, const ChartContext& context, const RunPlacement& placement)
{
    if (!context.runs)
        return;
    Series series;
    if (context.runs->published) {
        series.id = "published";
        series.label = say("published");
        series.role = SeriesRole::Published;
        addSeries(spec, context, placement, *context.runs->published, series, PointOrigin::Kind::PublishedRun,
                  mostPublished);
    }
    if (context.runs->own) {
        series.id = "own";
        series.label = said("your runs");
        series.role = SeriesRole::Own;
        addSeries(spec, context, placement, *context.runs->own, series, PointOrigin::Kind::OwnRun, mostOwn);
    }
}

const MeasuredRun* runOfPoint(const ChartContext& context, const Point& point)
{
    using Kind = PointOrigin::Kind;
    const Kind kind = point.origin.kind;
    if (!context.runs || (kind != Kind::PublishedRun && kind != Kind::OwnRun))
        return nullptr;
    const auto& runs = kind == Kind::PublishedRun ? context.runs->published : context.runs->own;
    if (!runs)
        return nullptr;
    const auto found = std::ranges::find(*runs, point.origin.id, &MeasuredRun::id);
    return found == runs->end() ? nullptr : &*found;
}

void addRunPoints(ChartSpec& spec, const ChartContext& context, const SweepCurves& curves, std::string_view metric)
{
    const ParameterRow& row = *curves.row;
    if (!hasDistanceTerm(row.id, context.scenario.task))
        return; // runs cannot be laid along it: the price of a GPU, an assumption
    addRunPoints(spec, context, {metric, metric, row.id, [&](const MeasuredRun& run, const RunFigure& figure) {
                                     const auto x = onAxis(run, row, spec.x);
                                     return x ? std::optional(std::pair(*x, figure.measured)) : std::nullopt;
                                 }});
}

} // namespace headroom
