// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/prices.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
namespace headroom::charts
{

namespace
{

constexpr double million = 1e6;
constexpr std::string_view costMetric = "cost.per_million_tokens";

/// Price times GPU-hours for a million tokens; price 1 gives the GPU-hours themselves.
struct Meter {
    double price = 1;
    double gpus = 1, spares = 0;
    bool alongCount = false, alongSpares = false;
    double prefillPrice = 1; ///< of a prefill GPU, over `price`

    /// Over the calendar where failures count, with the GPUs that stand by.
    [[nodiscard]] std::optional<double> at(double x, const Evaluation& e) const
    {
        if (!e.tokensPerS || *e.tokensPerS <= 0)
            return std::nullopt;
        const bool counted = countsFailures(e);
        const double paid = (alongCount ? x : gpus) +
                            (!counted      ? 0
                             : alongSpares ? x
                                           : spares) +
                            (e.pools ? e.pools->prefill.devices * prefillPrice : 0);
        return price * paid * million / ((counted ? e.goodput->tokensPerS : *e.tokensPerS) * secondsPerHour);
    }
};

double prefillPrice(const Setup& setup)
{
    const auto &price = setup.hardware.pricePerGpuHour, &other = setup.inference.prefillPool.pricePerGpuHour;
    return price && other ? *other / *price : 1;
}

Meter meterFor(const Setup& setup, const ParameterRow& row, bool priced)
{
    const double price = priced ? setup.hardware.pricePerGpuHour.value_or(1) : 1;
    return {price,
            static_cast<double>(setup.hardware.count),
            static_cast<double>(setup.training.reliability.spares),
            row.id == "count",
            row.id == "spares",
            priced ? prefillPrice(setup) : 1};
}

/// What `points` cost, as a line of this style.
Series line(Series style, const std::vector<SweepPoint>& points, const Meter& meter)
{
    style.metric = costMetric;
    style.points.reserve(points.size());
    for (const SweepPoint& point : points)
        if (const auto y = meter.at(point.value, point.evaluation))
            style.points.push_back({.x = point.value, .y = *y, .infeasible = !point.evaluation.fits});
    return style;
}

std::string reading(const Series& expected, const SweepCurves& curves, ValueFormat format, std::string_view unit,
                    double now, bool fits)
{
    const Point* cheapest = nullptr;
    for (const Point& point : expected.points)
        if (!point.infeasible && (!cheapest || point.y < cheapest->y))
            cheapest = &point;
    if (!cheapest)
        return said("Nothing on this axis fits in memory.");
    const auto text = [&](double value) { return formatText(value, format) + std::string(unit); };
    if (!fits)
        return say("What is set does not fit; {} at {} is the least that does.", text(cheapest->y),
                   named(*curves.row, cheapest->x));
    if (cheapest->x == curves.current || cheapest->y >= 0.98 * now)
        return say("{} now, the least that fits along {}.", text(now), inSentence(curves.row->label));
    return say("{} now; {} at {}, the least that fits.", text(now), text(cheapest->y), named(*curves.row, cheapest->x));
}

} // namespace

ChartSpec cost(const ChartContext& context)
{
    const auto curves = curvesOf(context);
    const bool training = context.scenario.task == Task::Training;
    const bool priced = context.scenario.hardware.pricePerGpuHour.has_value();
    const auto allPriced = [](const PinnedScenario& pin) { return pin.prepared.hardware.pricePerGpuHour.has_value(); };
    ChartSpec spec;
    spec.id = "cost";
    spec.title = priced ? say("Cost over {}", inSentence(curves->row->label))
                        : say("GPU-hours over {}", inSentence(curves->row->label));
    spec.x = curves->x;
    spec.note = curves->note;
    if (!priced)
        spec.note = said("No price: shown in GPU-hours. Enter a price per GPU-hour to see money.");
    for (const std::string& source : priceSources(context.scenario))
        spec.note += (spec.note.empty() ? "" : " ") + source;
    spec.note.insert(0, updateAlone(context.evaluation));
    const Meter meter = meterFor(context.scenario, *curves->row, priced);
    spec.series.push_back(
        line({.id = "ideal", .label = said("ideal"), .role = SeriesRole::Ideal}, curves->ideal, meter));
    for (const PinnedScenario* pin : comparablePins(context)) {
        if (priced && !allPriced(*pin)) {
            spec.note = say("{} has no price and is left out.", pin->letter);
            continue;
        }
        if (const PinCurve* along = curves->ofPin(pin->letter))
            spec.series.push_back(line(pinSeries(*pin, spec.id, costMetric), along->points,
                                       meterFor(pin->prepared, *curves->row, priced)));
    }
    Series expected = line({.id = "expected", .label = said("expected")}, curves->expected, meter);
    const auto now = meter.at(curves->current, context.evaluation);
    const ValueFormat format = priced ? ValueFormat::Money : ValueFormat::Plain;
    spec.reading =
        reading(expected, *curves, format, priced ? "" : say(" GPU-hours"), now.value_or(0), context.evaluation.fits);
    spec.series.push_back(std::move(expected));
    std::erase_if(spec.series, [](const Series& series) { return series.points.empty(); });
    if (hasDistanceTerm(curves->row->id, context.scenario.task))
        addRunPoints(spec, context, costPlacement(context, *curves, spec.x));
    if (now)
        spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, curves->current, *now, 0,
                               tickText(*curves->row, curves->current)});

    DataRange range;
    range.add(spec.series);
    spec.y = logAxis(
        std::string(priced ? "cost" : "gpu_hours") + (training ? "_per_million_processed" : "_per_million_output"),
        priced ? said("Cost") : said("GPU-hours"),
        training ? said("per million tokens processed") : said("per million output tokens"), format, range);
    spec.summary = say("{} per million tokens. {}", spec.title, spec.reading);
    return spec;
}

} // namespace headroom::charts
