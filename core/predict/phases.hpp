// SPDX-License-Identifier: GPL-3.0-or-later
// A training in phases: each evaluated with its own sequences, batch and devices, and their sum
// (docs/method/phases.md).
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <vector>

namespace headroom
{

/// A phase as it is evaluated: the scenario with what the phase states put in, its tokens as those of the run.
[[nodiscard]] PreparedScenario phaseScenario(const PreparedScenario& prepared, const TrainingPhase& phase);

/// What one phase takes.
struct PhaseResult {
    double tokens = 0, seconds = 0; ///< calendar time where failures are counted
    double gpuHours = 0;            ///< of the GPUs that train
    std::optional<double> cost;     ///< with a price
    double gpus = 0, sequenceLength = 0, tokensPerStep = 0, tokensPerS = 0;
    std::optional<double> mfu;
    bool fits = true;
};
/// One by one, in their order; empty without phases.
[[nodiscard]] std::vector<PhaseResult> evaluatePhases(const PreparedScenario& prepared);
[[nodiscard]] PhaseResult evaluatePhase(const PreparedScenario& prepared, const TrainingPhase& phase) noexcept;

/// The sum; empty without phases and in inference. Allocates nothing.
[[nodiscard]] std::optional<PhasesTotal> phasesTotal(const PreparedScenario& prepared) noexcept;

/// The phase's own name, else "phase 2".
[[nodiscard]] std::string phaseName(const TrainingPhase& phase, std::size_t index);

} // namespace headroom
