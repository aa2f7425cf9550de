// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explain/words.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::charts
{

namespace
{

/// Reading speed, about 30 tokens a second (Patel, sources.md 4: "30 to 33 ms a token").
constexpr double readingSpeedS = 0.030;
/// A step that took at most this much longer than the shortest is called flat.
constexpr double flatness = 1.15;

std::optional<double> stepTimeOf(const Evaluation& e)
{
    return e.stepTimeS;
}
std::optional<double> tpot(const Evaluation& e)
{
    return e.tpotS;
}
std::optional<double> ttft(const Evaluation& e)
{
    return e.ttftS;
}
std::optional<double> request(const Evaluation& e)
{
    return e.requestLatencyS;
}
std::optional<Interval> stepBand(const Evaluation& e)
{
    return e.stepTimeInterval;
}
std::optional<Interval> tpotBand(const Evaluation& e)
{
    return e.tpotInterval;
}

void addTarget(ChartSpec& spec, double y, std::string label)
{
    spec.guides.push_back({GuideKind::Horizontal, SeriesRole::Target, 0, y, 0, std::move(label)});
}

void finishAxis(ChartSpec& spec, std::string label)
{
    DataRange range;
    for (const Series& series : spec.series)
        range.add(series);
    for (const Guide& guide : spec.guides)
        range.add(guide.y);
    spec.y = logAxis(std::move(label), "seconds", ValueFormat::Seconds, range);
}

void summarize(ChartSpec& spec, const SweepCurves& curves, std::string_view figure, std::optional<double> now)
{
    spec.summary = fmt::format("{} from {} to {}: {} {} now. {}", spec.title, tickText(*curves.row, curves.x.minimum),
                               tickText(*curves.row, curves.x.maximum), figure,
                               formatText(now.value_or(0), ValueFormat::Seconds), spec.reading);
}

std::string tpotReading(const SweepCurves& curves, double target, std::string_view targetName)
{
    const auto& points = curves.expected;
    const std::string limit = fmt::format("{} ({})", targetName, formatText(target, ValueFormat::Seconds));
    if (const auto at = crossing(points, tpot, target, true))
        return fmt::format("TPOT passes {} at {}.", limit, named(*curves.row, *at));
    if (const auto at = crossing(points, tpot, target, false))
        return fmt::format("TPOT falls below {} at {}.", limit, named(*curves.row, *at));
    const bool below = points.front().evaluation.tpotS.value_or(0) < target;
    return fmt::format("TPOT stays {} {} over the whole range.", below ? "under" : "above", limit);
}

std::string stepReading(const SweepCurves& curves)
{
    const auto& points = curves.expected;
    const auto shortest =
        std::ranges::min_element(points, {}, [](const SweepPoint& p) { return p.evaluation.stepTimeS.value_or(0); });
    const double least = shortest->evaluation.stepTimeS.value_or(0);
    const double first = points.front().evaluation.stepTimeS.value_or(0);
    const double last = points.back().evaluation.stepTimeS.value_or(0);
    const auto time = [](double value) { return formatText(value, ValueFormat::Seconds); };
    if (std::max(first, last) <= flatness * least)
        return fmt::format("The step takes about {} whatever the {}.", time(least), inSentence(curves.row->label));
    if (last < first)
        return fmt::format("The step shrinks from {} at {} to {} at {}.", time(first),
                           named(*curves.row, points.front().value), time(last),
                           named(*curves.row, points.back().value));
    const auto bend = std::ranges::find_if(
        points, [first](const SweepPoint& p) { return p.evaluation.stepTimeS.value_or(0) > flatness * first; });
    const auto& flatEnd = bend == points.begin() ? *bend : *std::prev(bend);
    const bool addsTokens = curves.row->id == "micro_batch" || curves.row->id == "sequence_length";
    if (flatEnd.value >= 2 * points.front().value)
        return fmt::format("Flat until {}{}.", named(*curves.row, flatEnd.value),
                           addsTokens ? ": the extra tokens are nearly free" : "");
    return fmt::format("The step grows from {} at {} to {} at {}.", time(first),
                       named(*curves.row, points.front().value), time(last), named(*curves.row, points.back().value));
}

} // namespace

ChartSpec latency(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    const InferenceWorkload& work = context.scenario.inference;
    ChartSpec spec;
    spec.id = "latency";
    spec.title = "Latency over " + inSentence(curves->row->label);
    spec.x = curves->x;
    spec.note = curves->note;
    spec.series.push_back(curve("ideal", "ideal TPOT", SeriesRole::Ideal, 0, curves->ideal, tpot));
    spec.series.push_back(curve("request", "request", SeriesRole::Tertiary, 2, curves->expected, request));
    spec.series.push_back(curve("ttft", "TTFT", SeriesRole::Secondary, 1, curves->expected, ttft));
    addPinCurves(spec, *curves, tpot);
    spec.series.push_back(curve("tpot", "TPOT", SeriesRole::Current, 0, curves->expected, tpot, tpotBand));
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    addRunPoints(spec, context, *curves, "tpot_s");
    addMeasured(spec, curves->current, context.scenario.measured.tpotS);
    addOperatingPoint(spec, *curves, context, tpot);

    const double target = work.tpotTargetS.value_or(readingSpeedS);
    // One name a line: a target at reading speed is called a target.
    if (work.tpotTargetS != readingSpeedS)
        addTarget(spec, readingSpeedS, "reading speed");
    if (work.tpotTargetS)
        addTarget(spec, *work.tpotTargetS, "TPOT target");
    if (work.ttftTargetS)
        addTarget(spec, *work.ttftTargetS, "TTFT target");
    finishAxis(spec, "TPOT, TTFT and request");
    if (work.tpotTargetS)
        spec.guides.push_back(
            {GuideKind::HorizontalBand, SeriesRole::Target, 0, spec.y.minimum, *work.tpotTargetS, "in time"});
    spec.reading = tpotReading(*curves, target, work.tpotTargetS ? "its target" : "reading speed");
    summarize(spec, *curves, "TPOT", context.evaluation.tpotS);
    return spec;
}

ChartSpec stepTime(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    ChartSpec spec;
    spec.id = "step_time";
    spec.title = "Step time over " + inSentence(curves->row->label);
    spec.x = curves->x;
    spec.note = curves->note;
    spec.series.push_back(curve("ideal", "ideal", SeriesRole::Ideal, 0, curves->ideal, stepTimeOf));
    addPinCurves(spec, *curves, stepTimeOf);
    spec.series.push_back(
        curve("step_time", "expected", SeriesRole::Current, 0, curves->expected, stepTimeOf, stepBand));
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    addRunPoints(spec, context, *curves, "step_time_s");
    if (context.evaluation.observed)
        addMeasured(spec, curves->current, context.evaluation.observed->stepTimeS);
    addOperatingPoint(spec, *curves, context, stepTimeOf);
    finishAxis(spec, "Step time");
    spec.reading = stepReading(*curves);
    summarize(spec, *curves, "step time", context.evaluation.stepTimeS);
    return spec;
}

} // namespace headroom::charts
