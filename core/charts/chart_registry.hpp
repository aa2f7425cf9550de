// SPDX-License-Identifier: GPL-3.0-or-later
// Chart registry: one row per chart; a chart is a function from a context to a ChartSpec.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "core/comparison/pinned_scenario.hpp"
#include "core/predict/evaluate.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace headroom
{

struct SweepCurves;
struct RunShelf;

/// What the heat map is drawn of; empty or unsuitable for the task = its own choice.
struct HeatMapChoice {
    std::string x, y;   ///< parameter ids
    std::string metric; ///< id in the metric registry
    bool fine = false;  ///< a grid of 64 × 64 instead of the values that a person would choose
    bool operator==(const HeatMapChoice&) const = default;
};

/// What charts are drawn from: the scenario on the screen and what is pinned beside it.
struct ChartContext {
    PreparedScenario scenario;
    Evaluation evaluation; ///< of `scenario`
    std::vector<PinnedScenario> pins;
    std::string sweepParameter; ///< id in the parameter registry of the x axis; empty = the task's default
    HeatMapChoice heatMap;
    /// Evaluations that several charts share, from shareCurves(); empty: each builder makes its own.
    std::shared_ptr<const SweepCurves> curves;
    /// Published and own runs to lay beside the scenario (core/runs); empty: none are shown.
    std::shared_ptr<const RunShelf> runs;
};

/// One chart: what it is called and who draws it.
struct ChartRow {
    std::string_view id, title, description;
    bool training, inference; ///< tasks it makes sense for
    bool swept;               ///< drawn along the swept parameter, from the shared curves
    ChartSpec (*build)(const ChartContext&);
    /// Whether it comes by itself: it goes with what the scenario holds (a profile, phases) and nobody chooses it. Null
    /// for the others.
    bool (*comesWith)(const PreparedScenario&) = nullptr;
};

/// Evaluates the sweep once for all charts of a context. Call it again whenever anything above it changes. `before`:
/// the curves of a context with the same pins, whose points need not be evaluated again; null where there are none.
void shareCurves(ChartContext& context, const SweepCurves* before = nullptr);

/// All charts in the dashboard's order; the row of an id, null where there is none.
[[nodiscard]] std::span<const ChartRow> chartRegistry();
[[nodiscard]] const ChartRow* chartRow(std::string_view id);

} // namespace headroom
