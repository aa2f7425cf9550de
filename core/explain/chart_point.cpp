// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/chart_point.hpp"

#include "core/charts/run_points.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explore/sensitivity.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <array>

namespace headroom
{

namespace
{

struct SeriesMetric {
    std::string_view chart, series, metric; ///< an empty series: every other one of the chart
};

/// The first row that matches counts.
constexpr std::array table{
    SeriesMetric{"utilization", "hfu", "hfu"},
    SeriesMetric{"utilization", "mbu", "mbu"},
    SeriesMetric{"utilization", "mfu", "mfu"},
    SeriesMetric{"utilization", "ideal", "mfu"},
    SeriesMetric{"latency", "ttft", "ttft_s"},
    SeriesMetric{"latency", "request", "request_latency_s"},
    SeriesMetric{"latency", "", "tpot_s"},
    SeriesMetric{"step_time", "", "step_time_s"},
    SeriesMetric{"memory", "", "memory.used_bytes"},
    SeriesMetric{"throughput", "", "tokens_per_s"},
    SeriesMetric{"cost", "", "cost.per_million_tokens"},
    SeriesMetric{"loss_ladder", "", "mfu"},
    SeriesMetric{"conventions", "", "mfu"},
    SeriesMetric{"roofline", "", "mfu"},
};

std::string metricOf(const ChartContext& context, const ChartSpec& spec, std::string_view series)
{
    const Task task = context.scenario.task;
    const bool training = task == Task::Training;
    if (spec.id == "heat_map") {
        const MetricRow* chosen = metricRow(context.heatMap.metric);
        return std::string(chosen && appliesTo(*chosen, task) ? chosen->id : training ? "mfu" : "tokens_per_s");
    }
    if (spec.id == "sensitivity")
        return std::string(leadingMetric(task).id);
    if (spec.id == "time_breakdown")
        return training ? "step_time_s" : "tpot_s";
    for (const SeriesMetric& row : table)
        if (row.chart == spec.id && (row.series.empty() || row.series == series) && metricRow(row.metric))
            return std::string(row.metric);
    return training ? "mfu" : "mbu"; // pins of the utilisation chart
}

/// Index of the pin that a series "pin-a.…" belongs to.
std::optional<std::size_t> pinOf(const ChartContext& context, std::string_view series)
{
    if (!series.starts_with("pin-") || series.size() < 5)
        return std::nullopt;
    const char letter = static_cast<char>(series[4] - 'a' + 'A');
    const auto pin = std::ranges::find(context.pins, letter, &PinnedScenario::letter);
    if (pin == context.pins.end())
        return std::nullopt;
    return static_cast<std::size_t>(pin - context.pins.begin());
}

/// The parameter by whose label an axis is named.
const ParameterRow* axisParameter(const Axis& axis, Task task)
{
    for (const ParameterRow& row : parameterRegistry())
        if (say(row.label) == axis.label && (task == Task::Training ? row.training : row.inference))
            return &row;
    return nullptr;
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
    ChartPoint point{metricOf(context, spec, seriesId), context.scenario, context.evaluation, {}};
    const Task task = context.scenario.task;
    const auto move = [&](const ParameterRow* row, double value, const Evaluation& own) {
        if (!row || value == currentValue(*row, point.scenario, own))
            return;
        const PreparedScenario base = point.scenario;
        setAlong(point.scenario, *row, value, base);
        add(point.where, say("at {}", named(*row, value)));
    };
    if (spec.heatMap && seriesId == "heatmap") {
        const HeatMap& map = *spec.heatMap;
        if (index >= map.value.size())
            return std::nullopt;
        move(axisParameter(spec.y, task), map.y[index / map.x.size()], context.evaluation);
        move(axisParameter(spec.x, task), map.x[index % map.x.size()], context.evaluation);
    } else {
        const auto series = std::ranges::find(spec.series, seriesId, &Series::id);
        if (series == spec.series.end() || index >= series->points.size())
            return std::nullopt;
        if (const MeasuredRun* run = runOfPoint(context, series->points[index]))
            return measuredPoint(context, *run, std::move(point.metricId));
        const auto pin = pinOf(context, seriesId);
        if (pin) {
            point.scenario = context.pins[*pin].prepared;
            point.evaluation = context.pins[*pin].evaluation;
        }
        const Evaluation own = point.evaluation;
        const ChartRow* chart = chartRow(spec.id);
        if (chart && chart->swept && spec.id != "throughput")
            move(&sweepRow(context), series->points[index].x, own);
        if (series->role == SeriesRole::Ideal) {
            point.scenario.efficiency = {};
            point.scenario.efficiency.base = EfficiencyBase::Ideal;
            add(point.where, said("at the speed of light"));
        }
        if (pin)
            add(point.where, say("pin {}", context.pins[*pin].letter));
    }
    if (!checkSetup(point.scenario).empty())
        return std::nullopt;
    if (!point.where.empty())
        point.evaluation = evaluate(point.scenario);
    return point;
}

} // namespace headroom
