// SPDX-License-Identifier: GPL-3.0-or-later
// Run points: the published runs, and the user's own, that are near enough to the scenario to lie on its chart.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "core/runs/nearest_runs.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace headroom
{

struct SweepCurves;

/// Which runs a chart shows and where.
struct RunPlacement {
    std::string_view metric;           ///< only runs that measured it
    std::string_view shown;            ///< the metric that y is, of runs and predictions alike
    std::string_view alongParameter{}; ///< the x axis: how far runs lie apart along it does not count
    /// x and y of a run; empty where it has no place on the chart.
    std::function<std::optional<std::pair<double, double>>(const MeasuredRun&, const RunFigure&)> place;
    /// What else a reader must know of such a point, after the differences; may be empty.
    std::function<std::string(const MeasuredRun&)> remark{};
};

/// FLOP per byte of a run's step against what its measured time makes of the FLOP: runs on the scenario's own device,
/// whose roof the chart shows. The batch is what moves a step along the roof: how far runs lie apart by it does not
/// count.
[[nodiscard]] RunPlacement rooflinePlacement(const ChartContext& context);
/// A million tokens of a run's measured throughput, at the scenario's price (GPU-hours where it has none).
[[nodiscard]] RunPlacement costPlacement(const ChartContext& context, const SweepCurves& curves, const Axis& x);
/// The measured step for as many tokens on each GPU as the scenario's has there: steps of others are no measure of it.
[[nodiscard]] RunPlacement stepTimePlacement(const SweepCurves& curves, const Axis& x);
/// Measured peak memory, up to `most` bytes.
[[nodiscard]] RunPlacement memoryPlacement(const SweepCurves& curves, const Axis& x, double most);

/// Appends the series "published" and "own" (Points; absent where no run is near). Call it before the y axis is made.
void addRunPoints(ChartSpec& spec, const ChartContext& context, const RunPlacement& placement);

/// The run behind a point of such a series; null where the point is none, or its run has left the shelf.
[[nodiscard]] const MeasuredRun* runOfPoint(const ChartContext& context, const Point& point);

/// The commonest case: the swept parameter along x, the metric along y, within the x axis.
void addRunPoints(ChartSpec& spec, const ChartContext& context, const SweepCurves& curves, std::string_view metric);

} // namespace headroom
