// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/sweep_curves.hpp"

#include "core/charts/pin_marks.hpp"
#include "core/explore/dividing_values.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/prices.hpp"
#include "core/scenario/measurement.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace headroom
{

namespace
{

constexpr int pointCount = 128; ///< log-spaced points of one curve: smooth at any chart width that is shown
constexpr std::size_t tickCount = 7;

std::optional<SweepPoint> pointAt(PreparedScenario& scratch, const ParameterRow& row, double value,
                                  const PreparedScenario& base)
{
    setAlong(scratch, row, value, base);
    followPriceKind(scratch, row.id, base);
    if (!checkSetup(scratch).empty())
        return std::nullopt;
    return SweepPoint{value, evaluateStep(scratch)};
}

/// `known`: points of the same scenario along the same parameter, ascending as `values` are; taken over where they
/// meet.
std::vector<SweepPoint> evaluateAt(const PreparedScenario& base, const ParameterRow& row,
                                   const std::vector<double>& values, std::span<const SweepPoint> known = {})
{
    std::vector<SweepPoint> points;
    points.reserve(values.size() + 8);
    PreparedScenario scratch = ofStep(base);
    auto next = known.begin();
    for (const double value : values) {
        next = std::find_if(next, known.end(), [value](const SweepPoint& point) { return point.value >= value; });
        if (next != known.end() && next->value == value)
            points.push_back(*next);
        else if (auto point = pointAt(scratch, row, value, base))
            points.push_back(*point);
    }
    return points;
}

/// Points on both sides of each change of the bound, so that a kink is drawn sharp.
void addKinks(std::vector<SweepPoint>& ideal, const PreparedScenario& base, const ParameterRow& row)
{
    if (row.kind != ParameterKind::Integer && row.kind != ParameterKind::Real)
        return;
    PreparedScenario scratch = ofStep(base);
    std::vector<SweepPoint> found;
    for (std::size_t i = 1; i < ideal.size() && found.size() < 24; ++i) {
        const BoundBy before = ideal[i - 1].evaluation.boundBy;
        if (before == ideal[i].evaluation.boundBy)
            continue;
        double low = ideal[i - 1].value, high = ideal[i].value;
        for (int step = 0; step < 6; ++step) {
            const double middle = row.kind == ParameterKind::Integer ? std::floor((low + high) / 2) : (low + high) / 2;
            auto point = middle > low && middle < high ? pointAt(scratch, row, middle, base) : std::nullopt;
            if (!point)
                break;
            (point->evaluation.boundBy == before ? low : high) = middle;
            found.push_back(*point);
        }
    }
    ideal.insert(ideal.end(), found.begin(), found.end());
    std::ranges::sort(ideal, {}, &SweepPoint::value);
}

/// Gives a line its points, where the figure is defined, and the band around them.
void putPoints(Series& series, const std::vector<SweepPoint>& points, Figure figure, FigureBand band)
{
    series.points.reserve(points.size());
    Band limits;
    for (const SweepPoint& point : points) {
        const auto y = figure(point.evaluation);
        if (!y)
            continue;
        series.points.push_back({.x = point.value, .y = *y, .infeasible = !point.evaluation.fits});
        if (const auto interval = band ? band(point.evaluation) : std::nullopt) {
            limits.low.push_back(interval->low);
            limits.high.push_back(interval->high);
        }
    }
    if (!limits.low.empty() && limits.low.size() == series.points.size())
        series.band = std::move(limits);
}

/// What divides the pins' batches, too: their curves are of the same values.
std::vector<double> withPins(std::vector<double> values, const ChartContext& context, const ParameterRow& row)
{
    for (const PinnedScenario* pin : comparablePins(context)) {
        const std::vector<double> more = dividingValues(row, pin->prepared);
        values.insert(values.end(), more.begin(), more.end());
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

SweepCurves evaluateCurves(const ChartContext& context, const SweepCurves* before)
{
    SweepCurves curves;
    const ParameterRow& row = sweepRow(context);
    curves.row = &row;
    curves.current = currentValue(row, context.scenario, context.evaluation);
    DataRange range;
    range.add(curves.current);
    for (const PinnedScenario& pin : context.pins)
        range.add(currentValue(row, pin.prepared, pin.evaluation));
    curves.x = parameterAxis(row, range);
    const std::vector<double> dividing = dividingValues(row, context.scenario);
    if (!dividing.empty())
        curves.note = said("The global batch is held: these micro-batches divide it.");
    narrowTo(curves.x, row, dividing, range);

    const double low = row.choices.empty() ? curves.x.minimum : row.minimum;
    const double high = row.choices.empty() ? curves.x.maximum : row.maximum;
    std::vector<double> values =
        dividing.empty() ? sweepValues(row, low, high, pointCount, curves.current) : withPins(dividing, context, row);
    PreparedScenario ideal = context.scenario;
    ideal.efficiency = {};
    ideal.efficiency.base = EfficiencyBase::Ideal;
    curves.ideal = evaluateAt(ideal, row, values);
    addKinks(curves.ideal, ideal, row);
    values.clear();
    std::ranges::transform(curves.ideal, std::back_inserter(values), &SweepPoint::value);
    curves.expected = evaluateAt(context.scenario, row, values);
    if (curves.expected.empty())
        curves.expected.push_back({curves.current, context.evaluation});
    if (curves.expected.size() < 3 && row.choices.empty() && dividing.empty())
        curves.note = say("Few values of {} go with the other sizes.", inSentence(row.label));

    for (const PinnedScenario* pin : comparablePins(context)) {
        const PinCurve* known = before && before->row == &row ? before->ofPin(pin->letter) : nullptr;
        auto points =
            known ? evaluateAt(pin->prepared, row, values, known->points) : evaluateAt(pin->prepared, row, values);
        curves.pins.push_back({pin->letter, std::move(points), pinLabel(*pin)});
    }
    return curves;
}

} // namespace

void setAlong(Setup& scenario, const ParameterRow& row, double value, const Setup& base)
{
    scenario.measured = base.measured;
    row.set(scenario, value);
    leaveMeasurement(scenario, base);
}

double currentValue(const ParameterRow& row, const Setup& setup, const Evaluation& evaluation)
{
    if (row.id == "batch" && setup.inference.batchMax)
        return std::max(1.0, fullBatch(evaluation)); // whose memory it takes, however few are in flight
    const double value = row.get(setup);
    return value < row.minimum || value > row.maximum ? row.sliderMinimum : value;
}

void narrowTo(Axis& axis, const ParameterRow& row, const std::vector<double>& values, const DataRange& shown)
{
    if (values.empty())
        return;
    const double low = std::min(values.front(), shown.low), high = std::max(values.back(), shown.high);
    if (high <= low)
        return;
    axis.minimum = low;
    axis.maximum = high;
    axis.ticks.clear();
    const std::size_t stride = (values.size() + tickCount - 1) / tickCount;
    for (std::size_t i = 0; i < values.size(); i += stride)
        axis.ticks.push_back({values[i], tickText(row, values[i])});
}

const ParameterRow& sweepRow(const ChartContext& context)
{
    const Task task = context.scenario.task;
    const ParameterRow* row = parameterRow(context.sweepParameter, task);
    const bool usable = row && row->group != ParameterGroup::Measured;
    return usable ? *row : *parameterRow(defaultSweepParameter(task), task);
}

Axis parameterAxis(const ParameterRow& row, const DataRange& range)
{
    Axis axis;
    axis.parameter = axis.quantity = row.id;
    axis.label = say(row.label);
    axis.unit = say(row.unit);
    axis.format = row.format;
    if (!row.choices.empty() || row.kind == ParameterKind::Toggle) {
        const std::size_t count = row.choices.empty() ? 2 : row.choices.size();
        axis.minimum = -0.5;
        axis.maximum = static_cast<double>(count) - 0.5;
        for (std::size_t i = 0; i < count; ++i)
            axis.ticks.push_back({static_cast<double>(i), tickText(row, static_cast<double>(i))});
        return axis;
    }
    const bool log = row.scale == ParameterScale::Log && std::min(row.sliderMinimum, range.low) > 0;
    axis.scale = log ? AxisScale::Log : AxisScale::Linear;
    axis.minimum = range.low < row.sliderMinimum ? (log ? niceFloor(range.low) : range.low) : row.sliderMinimum;
    axis.maximum = range.high > row.sliderMaximum ? niceCeil(range.high) : row.sliderMaximum;
    axis.minimum = std::max(axis.minimum, row.minimum);
    axis.maximum = std::min(axis.maximum, row.maximum);
    if (axis.maximum <= axis.minimum)
        axis.maximum = axis.minimum + 1;

    std::vector<double> snaps;
    for (const double snap : row.snaps)
        if (snap >= axis.minimum && snap <= axis.maximum)
            snaps.push_back(snap);
    const std::size_t stride = (snaps.size() + tickCount - 1) / tickCount;
    for (std::size_t i = 0; i < snaps.size(); i += std::max<std::size_t>(1, stride))
        axis.ticks.push_back({snaps[i], tickText(row, snaps[i])});
    return axis;
}

std::string updateAlone(const Evaluation& evaluation)
{
    if (!evaluation.rl)
        return {};
    std::string note =
        said("Of the update alone, in which the GPUs train; the whole step has a figure of its own.") + " ";
    if (evaluation.goodput)
        note += said("Failures stop the whole job, and are left out here.") + " ";
    return note;
}

void shareCurves(ChartContext& context, const SweepCurves* before)
{
    context.curves = std::make_shared<const SweepCurves>(evaluateCurves(context, before));
}

PreparedScenario ofStep(const PreparedScenario& scenario)
{
    PreparedScenario step = scenario;
    step.phases.reset();
    return step;
}

std::shared_ptr<const SweepCurves> curvesOf(const ChartContext& context)
{
    return context.curves ? context.curves : std::make_shared<const SweepCurves>(evaluateCurves(context, nullptr));
}

Series curve(std::string id, std::string label, SeriesRole role, int slot, const std::vector<SweepPoint>& points,
             ShownMetric shown, FigureBand band)
{
    Series series{
        .id = std::move(id), .label = std::move(label), .role = role, .slot = slot, .metric = std::string(shown.id)};
    putPoints(series, points, shown.figure, band);
    return series;
}

void addPinCurves(ChartSpec& spec, const SweepCurves& curves, ShownMetric shown)
{
    for (const PinCurve& pin : curves.pins) {
        Series series = pinSeries(pin.letter, pin.label, spec.id, shown.id);
        putPoints(series, pin.points, shown.figure, nullptr);
        if (!series.points.empty())
            spec.series.push_back(std::move(series));
    }
}

void addOperatingPoint(ChartSpec& spec, const SweepCurves& curves, const ChartContext& context, Figure figure)
{
    for (const PinnedScenario* pin : comparablePins(context))
        if (const auto y = figure(pin->evaluation))
            spec.guides.push_back(pinGuide(*pin, currentValue(*curves.row, pin->prepared, pin->evaluation), *y));
    if (const auto y = figure(context.evaluation))
        spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, curves.current, *y, 0,
                               tickText(*curves.row, curves.current)});
}

void addMeasured(ChartSpec& spec, double x, std::optional<double> y, std::string_view metric)
{
    if (!y)
        return;
    spec.series.push_back({.id = "measured",
                           .label = said("measured"),
                           .role = SeriesRole::Measured,
                           .kind = SeriesKind::Points,
                           .points = {{.x = x, .y = *y, .label = said("measured")}},
                           .metric = std::string(metric)});
}

std::string expectedLabel(const ChartContext& context)
{
    return context.scenario.efficiency.isPlain() ? said("expected") : said("calibrated");
}

std::optional<double> crossing(std::span<const SweepPoint> points, Figure figure, double threshold, bool upwards)
{
    bool before = false;
    for (const SweepPoint& point : points) {
        const auto y = figure(point.evaluation);
        if (!y)
            continue;
        const bool passed = upwards ? *y >= threshold : *y <= threshold;
        if (passed && before)
            return point.value;
        before = !passed;
        if (passed)
            return std::nullopt;
    }
    return std::nullopt;
}

std::span<const SweepPoint> fittingPart(const std::vector<SweepPoint>& points)
{
    const auto fits = [](const SweepPoint& point) { return point.evaluation.fits; };
    const auto first = std::ranges::find_if(points, fits);
    const auto last = std::find_if(points.rbegin(), points.rend(), fits).base();
    return last - first < 2 ? std::span(points) : std::span(first, last);
}

std::string unlessItFits(const SweepPoint& point)
{
    return point.evaluation.fits ? std::string() : std::string(say(", which does not fit in memory"));
}

std::optional<double> lastThatFits(const std::vector<SweepPoint>& points)
{
    std::optional<double> last;
    for (const SweepPoint& point : points) {
        if (!point.evaluation.fits)
            break;
        last = point.value;
    }
    return last;
}

} // namespace headroom
