// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/chart_point.hpp"

#include "core/charts/pin_marks.hpp"
#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/prices.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

/// The pin that a series of this role shows; null: none.
const PinnedScenario* pinOf(const ChartContext& context, SeriesRole role)
{
    const auto pin = std::ranges::find(context.pins, pinLetter(role), &PinnedScenario::letter);
    return pin == context.pins.end() ? nullptr : &*pin;
}

void add(std::string& where, const std::string& part)
{
    where += (where.empty() ? "" : ", ") + part;
}

/// A measured run: what was observed there, where the metric has it, beside what is predicted for the same run.
ChartPoint measuredPoint(const ChartContext& context, const MeasuredRun& run, std::string metric)
{
    ChartPoint point{std::move(metric), run.prepared, run.evaluation, {}};
    point.scenario.accounting = context.scenario.accounting;
    point.evaluation = evaluate(point.scenario);
    const std::string observed = "observed." + point.metricId;
    if (const MetricRow* row = metricRow(observed); row && row->value(point.evaluation))
        point.metricId = observed;
    point.where = say("that was measured: {}{}{}", runTitle(run), run.source.empty() ? "" : "; ", run.source);
    return point;
}

} // namespace

std::optional<ChartPoint> chartPoint(const ChartContext& context, const ChartSpec& spec, std::string_view seriesId,
                                     std::size_t index)
{
    ChartPoint point{{}, context.scenario, context.evaluation, {}};
    const Task task = context.scenario.task;
    bool taken = true; // by the parameter: a stand-in may lie where no scenario does
    const auto move = [&](const Axis& axis, double value, const Evaluation& own, bool alone = true) {
        const ParameterRow* row = axis.parameter.empty() ? nullptr : parameterRow(axis.parameter, task);
        const bool there = row && value == currentValue(*row, point.scenario, own);
        // A heat map sets both axes: moving one changes what batch "max" is.
        if (!row || (there && alone))
            return;
        taken = taken && value >= row->minimum && value <= row->maximum;
        if (!taken)
            return;
        const PreparedScenario base = point.scenario;
        setAlong(point.scenario, *row, value, base);
        followPriceKind(point.scenario, row->id, base);
        if (!there)
            add(point.where, say("at {}", named(*row, value)));
    };
    if (spec.heatMap && seriesId == "heatmap") {
        const HeatMap& map = *spec.heatMap;
        if (index >= map.value.size())
            return std::nullopt;
        point.metricId = map.metric;
        move(spec.y, map.y[index / map.x.size()], context.evaluation, false);
        move(spec.x, map.x[index % map.x.size()], context.evaluation, false);
    } else {
        const auto series = std::ranges::find(spec.series, seriesId, &Series::id);
        if (series == spec.series.end() || index >= series->points.size())
            return std::nullopt;
        point.metricId = series->metric;
        if (const MeasuredRun* run = runOfPoint(context, series->points[index]))
            return measuredPoint(context, *run, std::move(point.metricId));
        if (series->points[index].origin.kind == PointOrigin::Kind::Shape) {
            point.where = say("that the profile shows: {}", series->points[index].label);
            return point;
        }
        const PinnedScenario* pin = pinOf(context, series->role);
        if (pin) {
            point.scenario = pin->prepared;
            point.evaluation = pin->evaluation;
        }
        const Evaluation own = point.evaluation;
        move(spec.x, series->points[index].x, own);
        if (series->role == SeriesRole::Ideal) {
            point.scenario.efficiency = {};
            point.scenario.efficiency.base = EfficiencyBase::Ideal;
            add(point.where, said("at the speed of light"));
        }
        if (pin)
            add(point.where, say("pin {}", pinLabel(*pin)));
    }
    if (!taken || !checkSetup(point.scenario).empty())
        return std::nullopt;
    if (!point.where.empty())
        point.evaluation = evaluate(point.scenario);
    const MetricRow* metric = metricRow(point.metricId);
    if (!metric || !metric->value(point.evaluation)) // an hour of a run without an end, say
        return std::nullopt;
    return point;
}

} // namespace headroom
