// SPDX-License-Identifier: GPL-3.0-or-later
// LessonFigure: one quantity that lessons may state or ask for: every metric, and what lies between them.
#pragma once

#include "core/metrics/metric_registry.hpp"
#include "core/predict/evaluate.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

struct LessonFigure {
    std::string_view id;
    ValueFormat format = ValueFormat::Plain;
    std::optional<double> (*value)(const Setup&, const Evaluation&) = nullptr;
    const MetricRow* metric = nullptr; ///< the metric it is, else null and `value` is set
    bool amount = false;               ///< of FLOP: written as their rate is, without "/s"
};

/// By id: "mfu", "observed.mfu", "ridge", "convention.palm", "share.tensor_parallel"; empty where there is
/// none.
[[nodiscard]] std::optional<LessonFigure> lessonFigure(std::string_view id);
/// Every id, for messages.
[[nodiscard]] std::vector<std::string_view> lessonFigureIds();

/// The figure's value; empty where it is not defined for the scenario.
[[nodiscard]] std::optional<double> valueOf(const LessonFigure& figure, const Setup& setup,
                                            const Evaluation& evaluation);
/// "43 %", "295 FLOP/byte", "2.43 TFLOP"; a time in `unit`, whatever its size, where there is one: "0.238 s".
[[nodiscard]] std::string textOf(const LessonFigure& figure, double value, std::string_view unit = {});

/// Seconds in a unit that questions and placeholders may ask for: "s", "ms"; empty where there is none such.
[[nodiscard]] std::optional<double> lessonUnit(std::string_view unit);

} // namespace headroom
