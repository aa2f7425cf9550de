// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::charts
{

namespace
{

/// Reading speed: 250 words a minute (Brysbaert 2019, silent reading of English: 238), four tokens in three words.
constexpr double readingSpeedS = 0.180;
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
std::optional<double> utilization(const Evaluation& e)
{
    return e.queue ? std::optional(e.queue->utilization) : std::nullopt;
}
/// Beyond the capacity the wait for a place has no bound: what comes after it is not what users see.
bool isServed(const Evaluation& e)
{
    return !e.warnings.has(WarningCode::LoadBeyondCapacity);
}
std::optional<double> ttft(const Evaluation& e)
{
    return isServed(e) ? e.ttftS : std::nullopt;
}
std::optional<double> plainTpot(const Evaluation& e)
{
    return e.speculation ? std::optional(e.speculation->plainTpotS) : std::nullopt;
}
std::optional<double> speedup(const Evaluation& e)
{
    return e.speculation ? std::optional(e.speculation->speedup) : std::nullopt;
}
std::optional<double> late(const Evaluation& e)
{
    return e.tail ? e.tail->ttftS : std::nullopt;
}
std::optional<double> request(const Evaluation& e)
{
    return isServed(e) ? e.requestLatencyS : std::nullopt;
}
std::optional<Interval> stepBand(const Evaluation& e)
{
    return e.stepTimeInterval;
}
std::optional<Interval> tpotBand(const Evaluation& e)
{
    return e.tpotInterval;
}

constexpr ShownMetric showTpot{"tpot_s", tpot}, showStepTime{"step_time_s", stepTimeOf};

void addTarget(ChartSpec& spec, double y, std::string label)
{
    spec.guides.push_back({GuideKind::Horizontal, SeriesRole::Target, 0, y, 0, std::move(label)});
}

void finishAxis(ChartSpec& spec, std::string quantity, std::string label)
{
    DataRange range;
    range.add(spec.series);
    for (const Guide& guide : spec.guides)
        range.add(guide.y);
    spec.y = logAxis(std::move(quantity), std::move(label), said("seconds"), ValueFormat::Seconds, range);
}

void summarize(ChartSpec& spec, const SweepCurves& curves, std::string_view figure, std::optional<double> now)
{
    spec.summary = say("{} from {} to {}: {} {} now. {}", spec.title, tickText(*curves.row, curves.x.minimum),
                       tickText(*curves.row, curves.x.maximum), figure, secondsText(now.value_or(0)), spec.reading);
}

std::string tpotReading(const SweepCurves& curves, double target, std::string_view targetName)
{
    const auto points = fittingPart(curves.expected);
    const std::string limit = fmt::format("{} ({})", targetName, secondsText(target));
    if (const auto at = crossing(points, tpot, target, true))
        return say("TPOT passes {} at {}.", limit, named(*curves.row, *at));
    if (const auto at = crossing(points, tpot, target, false))
        return say("TPOT falls below {} at {}.", limit, named(*curves.row, *at));
    const bool below = points.front().evaluation.tpotS.value_or(0) < target;
    const std::string_view side = below ? say("under") : say("above");
    return points.size() < curves.expected.size() ? say("TPOT stays {} {} wherever it fits.", side, limit)
                                                  : say("TPOT stays {} {} over the whole range.", side, limit);
}

/// Where more is asked for than can be served; empty where all is served.
std::string capacityReading(const SweepCurves& curves)
{
    const auto& points = curves.expected;
    if (const auto at = crossing(points, utilization, 1, true))
        return say("From {} on more is asked for than can be served: waits have no bound.", named(*curves.row, *at));
    if (const auto at = crossing(points, utilization, 1, false))
        return say("Below {} more is asked for than can be served: waits have no bound.", named(*curves.row, *at));
    if (!isServed(points.front().evaluation))
        return said("More is asked for than can be served over the whole range: waits have no bound.");
    return {};
}

/// Where drafts stop paying, or begin to; where more of them bring nothing.
std::string draftReading(const SweepCurves& curves)
{
    const auto& points = curves.expected;
    if (curves.row->id == "draft_tokens") {
        const auto best = std::ranges::min_element(points, {}, [](const SweepPoint& p) { return *p.evaluation.tpotS; });
        return say("TPOT is shortest with {}.", named(*curves.row, best->value));
    }
    if (const auto at = crossing(points, speedup, 1, false))
        return say("Drafts pay up to {}.", named(*curves.row, *at));
    if (const auto at = crossing(points, speedup, 1, true))
        return say("Drafts pay from {} on.", named(*curves.row, *at));
    return speedup(points.front().evaluation).value_or(1) > 1 ? said("Drafts pay over the whole range.")
                                                              : said("Drafts pay nowhere in this range.");
}

std::string stepReading(const SweepCurves& curves)
{
    const auto points = fittingPart(curves.expected);
    const auto shortest =
        std::ranges::min_element(points, {}, [](const SweepPoint& p) { return p.evaluation.stepTimeS.value_or(0); });
    const double least = shortest->evaluation.stepTimeS.value_or(0);
    const double first = points.front().evaluation.stepTimeS.value_or(0);
    const double last = points.back().evaluation.stepTimeS.value_or(0);
    if (const double most = std::max(first, last); most <= flatness * least)
        return secondsText(least) == secondsText(most)
                   ? say("The step takes about {} whatever the {}.", secondsText(least), inSentence(curves.row->label))
                   : say("The step takes {} to {} whatever the {}.", secondsText(least), secondsText(most),
                         inSentence(curves.row->label));
    if (last < first)
        return say("The step shrinks from {} at {} to {} at {}{}.", secondsText(first),
                   named(*curves.row, points.front().value), secondsText(last), named(*curves.row, points.back().value),
                   unlessItFits(points.back()));
    const auto bend = std::ranges::find_if(
        points, [first](const SweepPoint& p) { return p.evaluation.stepTimeS.value_or(0) > flatness * first; });
    const auto& flatEnd = bend == points.begin() ? *bend : *std::prev(bend);
    const bool addsTokens = curves.row->id == "micro_batch" || curves.row->id == "sequence_length";
    if (flatEnd.value >= 2 * points.front().value)
        return say("Flat until {}{}.", named(*curves.row, flatEnd.value),
                   addsTokens ? say(": the extra tokens are nearly free") : "");
    return say("The step grows from {} at {} to {} at {}{}.", secondsText(first),
               named(*curves.row, points.front().value), secondsText(last), named(*curves.row, points.back().value),
               unlessItFits(points.back()));
}

} // namespace

ChartSpec latency(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    const InferenceWorkload& work = context.scenario.inference;
    ChartSpec spec;
    spec.id = "latency";
    spec.title = say("Latency over {}", inSentence(curves->row->label));
    spec.x = curves->x;
    spec.note = curves->note;
    spec.series.push_back(curve("ideal", said("ideal TPOT"), SeriesRole::Ideal, 0, curves->ideal, showTpot));
    spec.series.push_back(curve("request", said("request"), SeriesRole::Secondary, besidePins + 1, curves->expected,
                                {"request_latency_s", request}));
    spec.series.push_back(
        curve("ttft", said("TTFT"), SeriesRole::Secondary, besidePins, curves->expected, {"ttft_s", ttft}));
    spec.series.push_back(
        curve("late", said("late TTFT"), SeriesRole::Tertiary, besidePins, curves->expected, {"tail.ttft_s", late}));
    spec.series.push_back(curve("plain", said("TPOT without drafts"), SeriesRole::Tertiary, 0, curves->expected,
                                {"speculation.plain_tpot_s", plainTpot}));
    addPinCurves(spec, *curves, showTpot);
    spec.series.push_back(curve("tpot", said("TPOT"), SeriesRole::Current, 0, curves->expected, showTpot, tpotBand));
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    addRunPoints(spec, context, *curves, showTpot.id);
    if (context.evaluation.credible())
        addMeasured(spec, curves->current, context.scenario.measured.tpotS, showTpot.id);
    addOperatingPoint(spec, *curves, context, tpot);

    const double target = work.tpotTargetS.value_or(readingSpeedS);
    // One name a line: a target at reading speed is called a target.
    if (work.tpotTargetS != readingSpeedS)
        addTarget(spec, readingSpeedS, said("reading speed"));
    if (work.tpotTargetS)
        addTarget(spec, *work.tpotTargetS, said("TPOT target"));
    if (work.ttftTargetS)
        addTarget(spec, *work.ttftTargetS, said("TTFT target"));
    finishAxis(spec, "latency_s", said("TPOT, TTFT and request"));
    if (work.tpotTargetS)
        spec.guides.push_back(
            {GuideKind::HorizontalBand, SeriesRole::Target, 0, spec.y.minimum, *work.tpotTargetS, said("in time")});
    spec.reading = tpotReading(*curves, target, work.tpotTargetS ? said("its target") : said("reading speed"));
    if (context.evaluation.speculation)
        spec.reading = draftReading(*curves) + " " + spec.reading;
    if (const std::string beyond = capacityReading(*curves); !beyond.empty())
        spec.reading += " " + beyond;
    summarize(spec, *curves, said("TPOT"), context.evaluation.tpotS);
    return spec;
}

ChartSpec stepTime(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    ChartSpec spec;
    spec.id = "step_time";
    spec.title = say("Step time over {}", inSentence(curves->row->label));
    spec.x = curves->x;
    spec.note = curves->note;
    spec.series.push_back(curve("ideal", said("ideal"), SeriesRole::Ideal, 0, curves->ideal, showStepTime));
    addPinCurves(spec, *curves, showStepTime);
    spec.series.push_back(
        curve("step_time", expectedLabel(context), SeriesRole::Current, 0, curves->expected, showStepTime, stepBand));
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    if (hasDistanceTerm(curves->row->id, context.scenario.task))
        addRunPoints(spec, context, stepTimePlacement(*curves, spec.x));
    if (context.evaluation.credible())
        addMeasured(spec, curves->current, context.evaluation.observed->stepTimeS, showStepTime.id);
    addOperatingPoint(spec, *curves, context, stepTimeOf);
    finishAxis(spec, "step_time_s", said("Step time"));
    spec.reading = stepReading(*curves);
    summarize(spec, *curves, said("step time"), context.evaluation.stepTimeS);
    return spec;
}

} // namespace headroom::charts
