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
#include <cmath>
#include <fmt/format.h>

namespace headroom::charts
{

namespace
{

constexpr std::string_view shown = "tokens_per_s";

/// Where on the chart an evaluation lies: speed of one user against output of one GPU, those that read prompts too.
std::optional<Point> place(const Evaluation& e, double decoding, std::string label)
{
    const double gpus = decoding + (e.pools ? e.pools->prefill.devices : 0);
    if (!e.tpotS || !e.tokensPerS || *e.tpotS <= 0 || *e.tokensPerS <= 0)
        return std::nullopt;
    return Point{.x = 1 / *e.tpotS, .y = *e.tokensPerS / gpus, .label = std::move(label), .infeasible = !e.fits};
}

/// The points that no other beats in both figures, slowest user first.
Series frontier(Series series, const std::vector<SweepPoint>& points, double gpus)
{
    series.metric = shown;
    for (const SweepPoint& point : points)
        if (auto at = place(point.evaluation, gpus, {}))
            series.points.push_back(std::move(*at));
    std::ranges::stable_sort(series.points,
                             [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    double best = 0; // from the fastest user down: keep what yields more than every faster one
    std::vector<Point> kept;
    for (auto point = series.points.rbegin(); point != series.points.rend(); ++point)
        if (point->y > best) {
            best = point->y;
            kept.push_back(std::move(*point));
        }
    std::ranges::reverse(kept);
    series.points = std::move(kept);
    return series;
}

double gpusOf(const Setup& setup)
{
    return static_cast<double>(setup.hardware.count);
}

std::string twoDigits(double value)
{
    return withLocalMark(fmt::format("{:.2g}", value));
}

/// Of a larger batch than fits a part waits: the point would be that of the largest.
bool runsTogether(const Evaluation& now, double batch)
{
    return !now.maxBatch || batch <= std::floor(*now.maxBatch);
}

std::string reading(const SweepCurves& curves, const Evaluation& now)
{
    const double target = 4 * curves.current; // two doublings: far enough to matter, near enough to choose
    const auto next = std::ranges::find_if(
        curves.expected, [&](const SweepPoint& p) { return p.value >= target && runsTogether(now, p.value); });
    if (next == curves.expected.end() && now.maxBatch && *now.maxBatch >= 1 && !runsTogether(now, target))
        return say(
            "Each point is a batch: more tokens per GPU to the left, faster answers to the right. {} is the most "
            "that fits.",
            wholeText(std::floor(*now.maxBatch)));
    if (next == curves.expected.end() || !now.tpotS || !now.tokensPerS || !next->evaluation.tpotS ||
        !next->evaluation.tokensPerS || *now.tokensPerS <= 0 || *now.tpotS <= 0)
        return said("Each point is a batch: more tokens per GPU to the left, faster answers to the right.");
    return say("Batch {} would give {}× the tokens per GPU for {}× the time per token{}.", wholeText(next->value),
               twoDigits(*next->evaluation.tokensPerS / *now.tokensPerS),
               twoDigits(*next->evaluation.tpotS / *now.tpotS), next->evaluation.fits ? "" : say(", but does not fit"));
}

/// What full batches would give, whatever is asked for today.
ChartContext withoutLoad(ChartContext context)
{
    const auto release = [](PreparedScenario& scenario, Evaluation& evaluation) {
        scenario.inference.requestsPerS.reset();
        evaluation = evaluate(scenario);
    };
    release(context.scenario, context.evaluation);
    for (PinnedScenario& pin : context.pins)
        if (pin.prepared.task == context.scenario.task)
            release(pin.prepared, pin.evaluation);
    context.curves.reset();
    return context;
}

} // namespace

ChartSpec throughput(const ChartContext& context)
{
    if (const auto queue = context.evaluation.queue; queue && context.scenario.inference.requestsPerS) {
        ChartSpec full = throughput(withoutLoad(context));
        full.note = say("With full batches, of which the load takes {}.", percentText(queue->utilization));
        return full;
    }
    // Always along the batch: with another axis on the other charts, this one evaluates its own.
    auto curves = curvesOf(context);
    if (curves->row->id != "batch") {
        ChartContext byBatch = context;
        byBatch.sweepParameter = "batch";
        byBatch.curves.reset();
        curves = curvesOf(byBatch);
    }
    const double gpus = gpusOf(context.scenario);
    ChartSpec spec;
    spec.id = "throughput";
    spec.title = said("Throughput against speed");
    spec.series.push_back(
        frontier({.id = "ideal", .label = said("ideal"), .role = SeriesRole::Ideal}, curves->ideal, gpus));

    for (const PinnedScenario* pin : comparablePins(context)) {
        if (const PinCurve* along = curves->ofPin(pin->letter))
            spec.series.push_back(frontier(pinSeries(*pin, spec.id, shown), along->points, gpusOf(pin->prepared)));
        if (const auto at = place(pin->evaluation, gpusOf(pin->prepared), {}))
            spec.guides.push_back(pinGuide(*pin, at->x, at->y));
    }
    spec.series.push_back(frontier({.id = "expected", .label = expectedLabel(context)}, curves->expected, gpus));

    Series marks{.id = "batches",
                 .label = said("batch"),
                 .role = SeriesRole::Secondary,
                 .kind = SeriesKind::Points,
                 .metric = std::string(shown)};
    for (const SweepPoint& point : curves->expected)
        if (runsTogether(context.evaluation, point.value) &&
            std::ranges::any_of(curves->x.ticks, [&](const Tick& tick) { return tick.position == point.value; }))
            if (auto at = place(point.evaluation, gpus, tickText(*curves->row, point.value)))
                marks.points.push_back(std::move(*at));
    spec.series.push_back(std::move(marks));
    addRunPoints(spec, context,
                 {"tpot_s", shown, "batch", [](const MeasuredRun& run, const RunFigure& tpot) {
                      const auto& tokens = run.prepared.measured.tokensPerS;
                      return tokens ? std::optional(std::pair(1 / tpot.measured, *tokens / gpusOf(run.prepared)))
                                    : std::nullopt;
                  }});
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    if (const auto at = place(context.evaluation, gpus, {}))
        spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, at->x, at->y, 0,
                               say("batch {}", tickText(*curves->row, curves->current))});

    const auto [x, y] = rangesOf(spec);
    spec.x = logAxis("tokens_per_s_per_user", said("Speed of one user"), said("tokens/s"), ValueFormat::TokensPerS, x);
    spec.y = logAxis("tokens_per_s_per_gpu", said("Output of one GPU"), said("tokens/s per GPU"),
                     ValueFormat::TokensPerS, y);
    spec.reading = reading(*curves, context.evaluation);
    spec.summary = say("Output tokens per GPU against the speed of one user, one point a batch. {}", spec.reading);
    return spec;
}

} // namespace headroom::charts
