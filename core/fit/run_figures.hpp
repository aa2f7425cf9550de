// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/fit: how far a prediction is from what a run measured, and the multipliers that may mend it.
#pragma once

#include "core/predict/evaluate.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace headroom
{

/// ln(predicted ÷ measured) of a time; empty where the run has no such figure.
using Residual = std::optional<double> (*)(const PreparedScenario&, const Evaluation&);

[[nodiscard]] std::optional<double> stepResidual(const PreparedScenario& p, const Evaluation& e);
/// TPOT where it was measured, else the throughput as a time.
[[nodiscard]] std::optional<double> decodeResidual(const PreparedScenario& p, const Evaluation& e);
[[nodiscard]] std::optional<double> prefillResidual(const PreparedScenario& p, const Evaluation& e);
/// The step that was profiled, the host's time included; empty where a step time was measured beside it.
[[nodiscard]] std::optional<double> profiledStepResidual(const PreparedScenario& p, const Evaluation& e);

/// A multiplier that a fit may move.
struct Knob {
    std::string_view name; ///< in English: what say() is asked for
    /// `parts`: what profiles told before, 1 without them.
    void (*set)(Efficiency&, const Efficiency& parts, double factor);
};

/// Of whole runs: what profiles told of the parts keeps its proportions.
extern const Knob computeKnob, linkKnob, networkKnob, decodeKnob, prefillKnob;

/// A part of a profiled training step and the multiplier on it alone.
struct PartKnob {
    Knob knob;
    Residual residual;
};
/// Matmuls, attention and what memory bounds. Not the host: a profiler slows it.
extern const std::array<PartKnob, 3> partKnobs;
/// Exposed communication of a profiled step: linkKnob and networkKnob move it.
[[nodiscard]] std::optional<double> exchangeResidual(const PreparedScenario& p, const Evaluation& e);

} // namespace headroom
