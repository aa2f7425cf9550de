// SPDX-License-Identifier: GPL-3.0-or-later
// SweepCurves: the scenario, its ideal and its pins evaluated along one parameter, shared by the charts that draw them.
#pragma once

#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/explore/sweep.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom
{

/// The scenario at one value of the parameter.
struct SweepPoint {
    double value = 0;
    Evaluation evaluation;
};

/// A pin along the parameter.
struct PinCurve {
    char letter = 'A';
    std::vector<SweepPoint> points; ///< valid points only
    std::string label{};            ///< "A", or with a name "A baseline"
};

/// One sweep for all charts of a context.
struct SweepCurves {
    const ParameterRow* row = nullptr; ///< never null
    double current = 0;
    Axis x;
    std::vector<SweepPoint> expected, ideal; ///< valid points only, ascending, at least the current one
    std::vector<PinCurve> pins;              ///< those of the scenario's task
    std::string note;                        ///< what was held or let go along the sweep; may be empty

    /// The curve of the pin with this letter; null: its task is another.
    [[nodiscard]] const PinCurve* ofPin(char letter) const
    {
        const auto pin = std::ranges::find(pins, letter, &PinCurve::letter);
        return pin == pins.end() ? nullptr : &*pin;
    }
};

/// The curves of a context: those it carries, else evaluated now (about 270 evaluations and 130 more per pin).
[[nodiscard]] std::shared_ptr<const SweepCurves> curvesOf(const ChartContext& context);

/// A copy to set parameters of. Curves show steps: whether a training's phases go together with a value is no matter of
/// theirs.
[[nodiscard]] PreparedScenario ofStep(const PreparedScenario& scenario);

/// The parameter of a context's x axis: the chosen one where it applies to the task, else the task's default.
[[nodiscard]] const ParameterRow& sweepRow(const ChartContext& context);
/// The parameter's value as the evaluation took it: "max" batches have followed from memory, what is automatic and has
/// no value stands at the low end.
[[nodiscard]] double currentValue(const ParameterRow& row, const Setup& setup, const Evaluation& evaluation);
/// The slider's range, so that nothing moves while another parameter does; wider only for values outside it.
[[nodiscard]] Axis parameterAxis(const ParameterRow& row, const DataRange& range);
/// The axis of these values alone, ascending, and of what else is shown; nothing where there are none.
void narrowTo(Axis& axis, const ParameterRow& row, const std::vector<double>& values, const DataRange& shown);
/// Puts one value of the parameter in, and holds all others, a global batch too: dividingValues() go with it. The
/// current value gives the scenario itself.
void setAlong(Setup& setup, const ParameterRow& row, double value, const Setup& base);

/// A sentence and a space for the note of a chart of what the whole job takes: sweeps evaluate a training without the
/// steps of reinforcement learning around it. Empty where there are none.
[[nodiscard]] std::string updateAlone(const Evaluation& evaluation);

/// Whether a chart of steps counts failures. They stop a whole step of reinforcement learning: its update, which is
/// drawn, has none of its own.
[[nodiscard]] inline bool countsFailures(const Evaluation& evaluation)
{
    return evaluation.goodput && !evaluation.rl;
}

/// A figure of an evaluation; empty where it is not defined.
using Figure = std::optional<double> (*)(const Evaluation&);
/// A figure and the id that it has in the metric registry.
struct ShownMetric {
    std::string_view id;
    Figure figure;
};
using FigureBand = std::optional<Interval> (*)(const Evaluation&);

/// A line through the points that have a value.
[[nodiscard]] Series curve(std::string id, std::string label, SeriesRole role, int slot,
                           const std::vector<SweepPoint>& points, ShownMetric shown, FigureBand band = nullptr);
/// One dashed line per pin, "pin-a.mfu".
void addPinCurves(ChartSpec& spec, const SweepCurves& curves, ShownMetric shown);
/// The filled circle at the current value (and one per pin), where the figure is defined.
void addOperatingPoint(ChartSpec& spec, const SweepCurves& curves, const ChartContext& context, Figure figure);
/// A small open circle: what was measured.
void addMeasured(ChartSpec& spec, double x, std::optional<double> y, std::string_view metric);
/// The name of a line that is the only prediction: "expected", or that efficiencies of the user's own are in force.
[[nodiscard]] std::string expectedLabel(const ChartContext& context);

/// First x at which the figure passes `threshold` upwards (or downwards); empty when it never does or always has.
[[nodiscard]] std::optional<double> crossing(std::span<const SweepPoint> points, Figure figure, double threshold,
                                             bool upwards);
/// From the first point that fits to the last: what a sentence of the chart speaks of. All where fewer than two fit.
[[nodiscard]] std::span<const SweepPoint> fittingPart(const std::vector<SweepPoint>& points);
/// ", which does not fit in memory" where it does not: behind the value that a sentence names.
[[nodiscard]] std::string unlessItFits(const SweepPoint& point);
/// Largest x that fits, counting from the smallest; empty when the smallest does not.
[[nodiscard]] std::optional<double> lastThatFits(const std::vector<SweepPoint>& points);

} // namespace headroom
