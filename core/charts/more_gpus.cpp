// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/phases.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/measurement.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::charts
{

namespace
{

constexpr double timesFewer = 16;  ///< as many times fewer GPUs than now the chart begins
constexpr double timesMore = 1024; ///< as many times more it ends: where jobs of today would stop gaining
constexpr int perDoubling = 2;     ///< points between one number of GPUs and twice that

constexpr std::string_view runningId = "tokens_per_s", effectiveId = "goodput.tokens_per_s";

std::optional<double> running(const Evaluation& e)
{
    return e.tokensPerS;
}
std::optional<double> effective(const Evaluation& e)
{
    return countsFailures(e) ? std::optional(e.goodput->tokensPerS) : e.tokensPerS;
}
/// With failures four times as frequent, where small jobs may see that.
std::optional<double> effectiveAtWorst(const Evaluation& e)
{
    return countsFailures(e) ? std::optional(e.goodput->tokensPerS * e.goodput->ettrLow / e.goodput->ettr)
                             : std::nullopt;
}

/// The scenario with more and fewer copies of its layout, as many as go with its batch.
std::vector<SweepPoint> alongGpus(const PreparedScenario& base)
{
    const ParameterRow& row = *parameterRow("count");
    const double now = double(base.hardware.count), ranks = double(modelParallelRanks(base.parallelism));
    const double fewestGpus = std::max(std::min(ranks, now), now / timesFewer);
    const double mostGpus = std::min(now * timesMore, row.maximum);
    std::vector<double> counts{now};
    for (double gpus = fewestGpus; gpus <= mostGpus; gpus *= std::exp2(1.0 / perDoubling))
        counts.push_back(ranks * std::max(1.0, std::round(gpus / ranks)));
    // Doublings of what is set go with most batches.
    for (double gpus = now; gpus <= mostGpus; gpus *= 2)
        counts.push_back(gpus);
    for (double gpus = now / 2; gpus >= fewestGpus && gpus == std::floor(gpus); gpus /= 2)
        counts.push_back(gpus);
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    std::vector<SweepPoint> points;
    PreparedScenario scratch = ofStep(base);
    for (const double gpus : counts) {
        scratch.setup() = base.setup();
        row.set(scratch, std::min(gpus, row.maximum));
        leaveMeasurement(scratch, base);
        if (gpus <= row.maximum && checkSetup(scratch).empty())
            points.push_back({gpus, evaluateStep(scratch)});
    }
    if (points.empty()) // sizes that go together nowhere: what is set, as it is evaluated
        points.push_back({now, evaluateStep(base)});
    return points;
}

/// In proportion to the GPUs, from what the fewest do.
Series inProportion(const std::vector<SweepPoint>& points)
{
    Series series{
        .id = "ideal", .label = said("in proportion"), .role = SeriesRole::Ideal, .metric = std::string(runningId)};
    const double each = running(points.front().evaluation).value_or(0) / points.front().value;
    for (const SweepPoint& point : points)
        series.points.push_back({.x = point.value, .y = each * point.value});
    return series;
}

/// What pinned scenarios train over the calendar.
void addPins(ChartSpec& spec, const ChartContext& context)
{
    for (const PinnedScenario* pin : comparablePins(context)) {
        Series line = pinSeries(*pin, spec.id, countsFailures(pin->evaluation) ? effectiveId : runningId);
        for (const SweepPoint& point : alongGpus(pin->prepared))
            if (const auto y = effective(point.evaluation))
                line.points.push_back({.x = point.value, .y = *y, .infeasible = !point.evaluation.fits});
        if (!line.points.empty())
            spec.series.push_back(std::move(line));
        if (const auto y = effective(pin->evaluation))
            spec.guides.push_back(pinGuide(*pin, double(pin->prepared.hardware.count), *y));
    }
}

/// The quickest of those that fit; of all where none does.
const SweepPoint& bestOf(const std::vector<SweepPoint>& points)
{
    return *std::ranges::max_element(points, {}, [](const SweepPoint& point) {
        return std::pair(point.evaluation.fits, effective(point.evaluation).value_or(0));
    });
}

std::string gpusText(double count)
{
    return parameterText(*parameterRow("count"), count);
}

/// "63 days", or the rate where the run's tokens are not known or in phases of other sizes.
std::string speedText(const Evaluation& e, bool inOnePiece)
{
    return e.secondsToTrain && inOnePiece ? secondsText(*e.secondsToTrain)
                                          : formatText(effective(e).value_or(0), ValueFormat::TokensPerS);
}

std::string reading(const ChartContext& context, const std::vector<SweepPoint>& points)
{
    const SweepPoint& best = bestOf(points);
    const Evaluation step = evaluateStep(context.scenario); // as the points are
    const bool onePiece = !inPhases(context.scenario);
    const std::string now = speedText(step, onePiece), then = speedText(best.evaluation, onePiece);
    const bool isLast = best.value == points.back().value;
    if (best.value == double(context.scenario.hardware.count))
        return isLast ? say("{} now, with as many GPUs as the layout and the batch take.", now)
                      : say("{} now: more GPUs would train no faster.", now);
    return isLast ? say("{} now; {} with {}, the most that the layout and the batch take here.", now, then,
                        gpusText(best.value))
                  : say("{} now; {} with {}: beyond, more GPUs stop helping.", now, then, gpusText(best.value));
}

} // namespace

ChartSpec moreGpus(const ChartContext& context)
{
    const PreparedScenario& scenario = context.scenario;
    const double now = double(scenario.hardware.count);
    const std::vector<SweepPoint> points = alongGpus(scenario);
    const bool counted = countsFailures(context.evaluation);

    ChartSpec spec;
    spec.id = "more_gpus";
    spec.title = said("More GPUs");
    spec.note = scenario.training.globalBatch ? said("Layout and global batch are held.")
                                              : said("The layout is held; the batch grows with the GPUs.");
    spec.note.insert(0, updateAlone(context.evaluation));
    if (!context.evaluation.goodput)
        spec.note = said("Failures are not counted: state GPU-hours per failure.") + " " + spec.note;
    spec.series.push_back(inProportion(points));
    if (counted)
        spec.series.push_back(curve("running", said("without failures"), SeriesRole::Secondary, besidePins, points,
                                    {runningId, running}));
    spec.series.push_back(curve("effective", counted ? said("effective") : expectedLabel(context), SeriesRole::Current,
                                0, points, {counted ? effectiveId : runningId, effective}));
    if (counted && context.evaluation.goodput->ettrLow < context.evaluation.goodput->ettr)
        spec.series.push_back(curve("worst", said("small jobs, at worst"), SeriesRole::Tertiary, besidePins + 1, points,
                                    {effectiveId, effectiveAtWorst}));
    if (const SweepPoint& best = bestOf(points); best.value < points.back().value)
        spec.guides.push_back({GuideKind::Vertical, SeriesRole::Target, best.value,
                               effective(best.evaluation).value_or(0), 0, say("most at {}", gpusText(best.value))});
    addPins(spec, context);
    if (const auto y = effective(context.evaluation))
        spec.guides.push_back(
            {GuideKind::OperatingPoint, SeriesRole::Current, now, *y, 0, tickText(*parameterRow("count"), now)});

    const auto [x, y] = rangesOf(spec);
    spec.x = logAxis("count", said("GPUs"), {}, ValueFormat::Integer, x);
    spec.x.parameter = "count";
    spec.y = logAxis("tokens_per_s", said("Throughput"), said("tokens/s"), ValueFormat::TokensPerS, y);
    spec.reading = reading(context, points);
    spec.summary = say("Throughput over the number of GPUs, and what failures leave of it. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
