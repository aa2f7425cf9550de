// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/builders.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explain/words.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace headroom::charts
{

namespace
{

/// Cells where a parameter has no snap points to offer; 240 evaluations at most, finer grids show no more.
constexpr int columns = 20, rows = 12;
constexpr std::size_t enoughSnaps = 8;

/// The second parameter: the length where the first is a batch, else the batch.
const ParameterRow& secondRow(const ParameterRow& first, Task task)
{
    const bool training = task == Task::Training;
    const std::string_view batch = training ? "micro_batch" : "batch";
    const std::string_view length = training ? "sequence_length" : "prompt_tokens";
    return *parameterRow(first.id == batch ? length : batch, task);
}

std::vector<double> cells(const ParameterRow& row, const Axis& axis, int count, double current)
{
    // Snap points are the values that a person would choose.
    std::vector<double> snaps;
    std::ranges::copy_if(row.snaps, std::back_inserter(snaps),
                         [&](double snap) { return snap >= axis.minimum && snap <= axis.maximum; });
    if (snaps.size() >= enoughSnaps)
        return snaps;
    const bool listed = !row.choices.empty() || row.kind == ParameterKind::Toggle;
    return listed ? sweepValues(row, row.minimum, row.maximum, count, current)
                  : sweepValues(row, axis.minimum, axis.maximum, count, current);
}

double figure(const Evaluation& e)
{
    return (e.task == Task::Training ? e.mfu : e.tokensPerS).value_or(0);
}

std::string reading(const HeatMap& map, const ParameterRow& first, const ParameterRow& second, bool training)
{
    std::size_t best = map.value.size();
    for (std::size_t i = 0; i < map.value.size(); ++i)
        if (map.infeasible[i] == 0 && (best == map.value.size() || map.value[i] > map.value[best]))
            best = i;
    if (best == map.value.size())
        return "Nothing on this map fits in memory.";
    return fmt::format("Best that fits: {}{} at {} and {}.", training ? "MFU " : "",
                       formatText(map.value[best], map.format), named(first, map.x[best % map.x.size()]),
                       named(second, map.y[best / map.x.size()]));
}

} // namespace

ChartSpec heatMap(const ChartContext& context)
{
    const Task task = context.scenario.task;
    const bool training = task == Task::Training;
    const ParameterRow& first = sweepRow(context);
    const ParameterRow& second = secondRow(first, task);
    const double x = currentValue(first, context.scenario, context.evaluation);
    const double y = currentValue(second, context.scenario, context.evaluation);

    ChartSpec spec;
    spec.id = "heat_map";
    spec.title = fmt::format("{} over {} and {}", training ? "MFU" : "Throughput", inSentence(first.label),
                             inSentence(second.label));
    DataRange xRange, yRange;
    xRange.add(x);
    yRange.add(y);
    spec.x = parameterAxis(first, xRange);
    spec.y = parameterAxis(second, yRange);

    HeatMap map;
    map.x = cells(first, spec.x, columns, x);
    map.y = cells(second, spec.y, rows, y);
    map.format = training ? ValueFormat::Percent : ValueFormat::TokensPerS;
    map.label = training ? "MFU" : "Tokens/s";
    map.value.reserve(map.x.size() * map.y.size());
    map.infeasible.reserve(map.x.size() * map.y.size());
    PreparedScenario base = context.scenario, cell = context.scenario;
    DataRange values;
    for (const double rowValue : map.y) {
        static_cast<Setup&>(base) = context.scenario;
        setAlong(base, second, rowValue, context.scenario);
        for (const double columnValue : map.x) {
            static_cast<Setup&>(cell) = base;
            setAlong(cell, first, columnValue, base);
            const bool valid = checkSetup(cell).empty();
            const Evaluation evaluation = valid ? evaluate(cell) : Evaluation{};
            map.value.push_back(valid ? figure(evaluation) : 0);
            map.infeasible.push_back(valid && evaluation.fits ? 0 : 1);
            values.add(map.value.back());
        }
    }
    map.minimum = 0;
    map.maximum = values.high > 0 ? niceCeil(values.high) : 1;
    if (training && map.maximum > 0.2)
        map.maximum = std::max(map.maximum == 0.5 ? 0.5 : 1.0, values.high);
    spec.reading = reading(map, first, second, training);
    spec.summary = fmt::format("{}: {} by {} cells, {} of them do not fit. {}", spec.title, map.x.size(), map.y.size(),
                               std::ranges::count(map.infeasible, 1), spec.reading);
    spec.heatMap = std::move(map);
    spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, x, y, 0, "now"});
    spec.note = "Hatched cells do not fit in memory, or the sizes do not go together.";
    return spec;
}

} // namespace headroom::charts
