// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explore/dividing_values.hpp"
#include "core/explore/levers.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/prices.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headroom::charts
{

namespace
{

/// Cells where a parameter has no snap points to offer; 240 evaluations at most.
constexpr int freeColumns = 20, freeRows = 12;
constexpr int fineCells = 64; ///< along each axis of a fine grid
constexpr std::size_t enoughSnaps = 8;

/// A parameter that can be an axis for the task; null where the choice is empty or means nothing there.
const ParameterRow* chosenAxis(const std::string& id, Task task)
{
    const ParameterRow* row = parameterRow(id);
    return row && appliesTo(*row, task) && row->group != ParameterGroup::Measured ? row : nullptr;
}

const MetricRow& chosenMetric(const std::string& id, Task task)
{
    const MetricRow* row = id.empty() ? nullptr : metricRow(id);
    return row && appliesTo(*row, task) ? *row : *metricRow(task == Task::Training ? "mfu" : "tokens_per_s");
}

/// "MFU", "Throughput", "Step time": what the map is called after.
std::string_view mapName(const MetricRow& metric)
{
    return metric.id == "tokens_per_s" ? metric.longName : metric.label;
}

/// The second parameter: the length where the first is a batch, else the batch.
const ParameterRow& secondRow(const ParameterRow& first, Task task)
{
    const bool training = task == Task::Training;
    const std::string_view batch = training ? "micro_batch" : "batch";
    const std::string_view length = training ? "sequence_length" : "prompt_tokens";
    return *parameterRow(first.id == batch ? length : batch, task);
}

std::vector<double> cells(const ParameterRow& row, const Setup& setup, const Axis& axis, int count, double current,
                          bool fine)
{
    if (std::vector<double> dividing = dividingValues(row, setup); dividing.size() > 1)
        return dividing;
    // Snap points are the values that a person would choose.
    std::vector<double> snaps;
    std::ranges::copy_if(row.snaps, std::back_inserter(snaps),
                         [&](double snap) { return snap >= axis.minimum && snap <= axis.maximum; });
    if (fine)
        count = fineCells;
    else if (snaps.size() >= enoughSnaps)
        return snaps;
    const bool listed = !row.choices.empty() || row.kind == ParameterKind::Toggle;
    return listed ? sweepValues(row, row.minimum, row.maximum, count, current)
                  : sweepValues(row, axis.minimum, axis.maximum, count, current);
}

bool betterThan(double a, double b, Better better)
{
    return better == Better::Lower ? a < b : a > b;
}

/// A share of another format's peak is no comparison: FP32 keeps its slow units busier and trains slower.
bool isComparable(const ParameterRow& row, const MetricRow& metric, double value, double current)
{
    const bool format = priceOf(row) == LeverPrice::Accuracy;
    return metric.format != ValueFormat::Percent || !format || value == current;
}

std::string reading(const HeatMap& map, const ParameterRow& first, const ParameterRow& second, const MetricRow& metric,
                    const Point& now)
{
    std::size_t best = map.value.size();
    for (std::size_t i = 0; i < map.value.size(); ++i)
        if (map.infeasible[i] == 0 && isComparable(first, metric, map.x[i % map.x.size()], now.x) &&
            isComparable(second, metric, map.y[i / map.x.size()], now.y) &&
            (best == map.value.size() || betterThan(map.value[i], map.value[best], metric.better)))
            best = i;
    if (best == map.value.size())
        return said("Nothing on this map fits in memory.");
    const std::string name = metric.id == "tokens_per_s" ? std::string() : inSentence(metric.label) + " ";
    return say("{} that fits: {}{} at {} and {}.", metric.better == Better::Neither ? say("Highest") : say("Best"),
               name, formatText(map.value[best], map.format), named(first, map.x[best % map.x.size()]),
               named(second, map.y[best / map.x.size()]));
}

/// Every cell evaluated; what is not valid or has no value is marked like what does not fit.
void fill(HeatMap& map, const PreparedScenario& scenario, const ParameterRow& first, const ParameterRow& second,
          const MetricRow& metric)
{
    map.value.reserve(map.x.size() * map.y.size());
    map.infeasible.reserve(map.x.size() * map.y.size());
    const bool step = isOfStep(metric, scenario);
    const auto evaluated = step ? evaluateStep : evaluate;
    PreparedScenario base = scenario, cell = step ? ofStep(scenario) : scenario;
    DataRange values;
    for (const double rowValue : map.y) {
        base.setup() = scenario.setup();
        setAlong(base, second, rowValue, scenario);
        followPriceKind(base, second.id, scenario);
        for (const double columnValue : map.x) {
            cell.setup() = base.setup();
            setAlong(cell, first, columnValue, base);
            followPriceKind(cell, first.id, base);
            const bool valid = checkSetup(cell).empty();
            const Evaluation evaluation = valid ? evaluated(cell) : Evaluation{};
            const auto value = valid ? metric.value(evaluation) : std::nullopt;
            map.value.push_back(value.value_or(0));
            map.infeasible.push_back(value && allFits(evaluation) ? 0 : 1);
            values.add(map.value.back());
        }
    }
    map.minimum = values.low < 0 ? -niceCeil(-values.low) : 0;
    map.maximum = values.high > 0 ? niceCeil(values.high) : map.minimum < 0 ? 0 : 1;
    if (metric.format == ValueFormat::Percent && map.maximum > 0.2)
        map.maximum = std::max(map.maximum == 0.5 ? 0.5 : 1.0, values.high);
}

/// The cell that the view frames for a value: the nearest centre along the axis.
std::size_t cellOf(const std::vector<double>& centres, double value, AxisScale scale)
{
    const auto place = [scale](double v) { return scale == AxisScale::Log ? std::log(v) : v; };
    const auto away = [&](double centre) { return std::abs(place(centre) - place(value)); };
    return std::size_t(std::ranges::min_element(centres, {}, away) - centres.begin());
}

/// Between two cells of which the nearer fails what runs now is in neither: a frame would say that it does not run.
bool runsBetweenCells(const ChartContext& context, const ChartSpec& spec, const MetricRow& metric, const Point& now)
{
    const HeatMap& map = *spec.heatMap;
    if (map.x.empty() || map.y.empty() || !metric.value(context.evaluation) || !allFits(context.evaluation))
        return false;
    const std::size_t column = cellOf(map.x, now.x, spec.x.scale), row = cellOf(map.y, now.y, spec.y.scale);
    const bool exact = map.x[column] == now.x && map.y[row] == now.y;
    return !exact && map.infeasible[row * map.x.size() + column] != 0;
}

} // namespace

ChartSpec heatMap(const ChartContext& context)
{
    const Task task = context.scenario.task;
    const HeatMapChoice& choice = context.heatMap;
    const MetricRow& metric = chosenMetric(choice.metric, task);
    const ParameterRow* chosen = chosenAxis(choice.x, task);
    const ParameterRow& first = chosen ? *chosen : sweepRow(context);
    const ParameterRow* other = chosenAxis(choice.y, task);
    const ParameterRow& second = other && other->id != first.id ? *other : secondRow(first, task);
    const double x = currentValue(first, context.scenario, context.evaluation);
    const double y = currentValue(second, context.scenario, context.evaluation);

    ChartSpec spec;
    spec.id = "heat_map";
    spec.title = say("{} over {} and {}", say(mapName(metric)), inSentence(first.label), inSentence(second.label));
    DataRange xRange, yRange;
    xRange.add(x);
    yRange.add(y);
    for (const PinnedScenario* pin : comparablePins(context)) {
        xRange.add(currentValue(first, pin->prepared, pin->evaluation));
        yRange.add(currentValue(second, pin->prepared, pin->evaluation));
    }
    spec.x = parameterAxis(first, xRange);
    spec.y = parameterAxis(second, yRange);
    narrowTo(spec.x, first, dividingValues(first, context.scenario), xRange);
    narrowTo(spec.y, second, dividingValues(second, context.scenario), yRange);

    HeatMap map;
    map.x = cells(first, context.scenario, spec.x, freeColumns, x, choice.fine);
    map.y = cells(second, context.scenario, spec.y, freeRows, y, choice.fine);
    map.format = metric.format;
    map.label = say(metric.label);
    map.metric = metric.id;
    fill(map, context.scenario, first, second, metric);
    spec.reading = reading(map, first, second, metric, {.x = x, .y = y});
    spec.summary = say("{}: {} by {} cells, {} of them do not fit. {}", spec.title, map.x.size(), map.y.size(),
                       std::ranges::count(map.infeasible, 1), spec.reading);
    spec.heatMap = std::move(map);
    for (const PinnedScenario* pin : comparablePins(context))
        spec.guides.push_back(pinGuide(*pin, currentValue(first, pin->prepared, pin->evaluation),
                                       currentValue(second, pin->prepared, pin->evaluation)));
    spec.note = said("Hatched cells do not fit in memory, or the sizes do not go together.");
    if (runsBetweenCells(context, spec, metric, {.x = x, .y = y}))
        spec.note += " " + said("What runs now lies between the cells.");
    else
        spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, x, y, 0, said("now")});
    return spec;
}

} // namespace headroom::charts
