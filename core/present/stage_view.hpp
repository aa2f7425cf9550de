// SPDX-License-Identifier: GPL-3.0-or-later
// StageView: one view of a talk — a scenario, what is pinned beside it, the charts and sliders to show, and a note.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/scenario/scenario_json.hpp"

#include <string>
#include <vector>

namespace headroom
{

struct StageView {
    static constexpr std::size_t mostCharts = 4, mostSliders = 3, mostPins = headroom::mostPins;

    std::string name; ///< headline; empty: model and accelerators
    std::string note; ///< what to say or to read under the charts; may be empty
    Scenario scenario;
    std::vector<SavedPin> pins;       ///< A, B, C with their names; at most mostPins
    std::vector<std::string> charts;  ///< ids of the chart registry, 1 to mostCharts, none twice, all of the task
    std::vector<std::string> sliders; ///< ids of the parameter registry, at most mostSliders, none twice
    std::string sweep;                ///< x axis of the charts over a parameter; empty = the task's own
    HeatMapChoice heatMap;

    bool operator==(const StageView&) const = default;
};

/// Whether a chart can stand in a view of this task.
[[nodiscard]] constexpr bool suits(const ChartRow& chart, Task task)
{
    return appliesTo(chart, task);
}
/// Whether a parameter can stand on the stage of this task: one that a hand moves, not a measurement.
[[nodiscard]] constexpr bool suits(const ParameterRow& parameter, Task task)
{
    return parameter.group != ParameterGroup::Measured && appliesTo(parameter, task);
}

/// A view of a scenario with these charts (those that suit it, at most mostCharts; the registry's first where none
/// does) and the sliders that people reach for first: what the charts are drawn over, lengths, GPUs.
[[nodiscard]] StageView usualView(const Scenario& scenario, const std::vector<std::string>& charts,
                                  std::string_view sweep);

} // namespace headroom
