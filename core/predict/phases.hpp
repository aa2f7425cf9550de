// SPDX-License-Identifier: GPL-3.0-or-later
// A training in phases: each evaluated with its own sequences, batch and devices, and their sum
// (docs/method/phases.md).
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <vector>

namespace headroom
{

/// Whether the run is phases: a training's, for no step of reinforcement learning is one.
[[nodiscard]] bool inPhases(const PreparedScenario& prepared) noexcept;
/// Tokens of a run that is of one piece; empty where it is in phases, which have tokens of their own.
[[nodiscard]] std::optional<double> tokensInOnePiece(const PreparedScenario& prepared) noexcept;

/// Puts in what the phase states, and takes out what is not of it: a measurement, reinforcement learning.
void takePhase(Setup& setup, const TrainingPhase& phase);
/// A phase as it is evaluated: the scenario with what the phase states put in, its tokens as those of the run.
[[nodiscard]] PreparedScenario phaseScenario(const PreparedScenario& prepared, const TrainingPhase& phase);

/// What one phase takes.
struct PhaseResult {
    double tokens = 0, seconds = 0;       ///< calendar time where failures are counted
    double gpuHours = 0;                  ///< of the GPUs that train
    std::optional<double> cost;           ///< with a price
    std::optional<double> siteWatts, kwh; ///< where the site's energy counts
    std::optional<double> lostS;          ///< of `seconds`, that failures take, where they are counted
    double gpus = 0, sequenceLength = 0, tokensPerStep = 0, tokensPerS = 0;
    std::optional<double> mfu;
    bool fits = true;    ///< the devices, and a host whose memory is stated
    WarningSet warnings; ///< of the phase, with their numbers
};
/// One by one, in their order; empty without phases.
[[nodiscard]] std::vector<PhaseResult> evaluatePhases(const PreparedScenario& prepared);
[[nodiscard]] PhaseResult evaluatePhase(const PreparedScenario& prepared, const TrainingPhase& phase) noexcept;

/// Fills in the sum where the run is in phases, and as such the run's time, cost, energy and carbon in `result`, which
/// holds the scenario's own step with what it warns of. Allocates nothing.
void addPhases(const PreparedScenario& prepared, Evaluation& result) noexcept;

/// The warning that names every phase that does not fit. Evaluates them.
[[nodiscard]] std::string unfitPhasesText(const PreparedScenario& prepared);

/// What phases warn of beside the scenario's own step, each with its name. Evaluates them.
[[nodiscard]] std::string phaseWarningsText(const PreparedScenario& prepared);

/// Index of the first phase with the longest samples, where those are longer than the scenario's own; empty where none
/// are.
[[nodiscard]] std::optional<std::size_t> longestPhase(const PreparedScenario& prepared) noexcept;
/// Tokens of a sample in a phase: effectiveSampleTokens() with what the phase states.
[[nodiscard]] std::int64_t phaseSampleTokens(const PreparedScenario& prepared, const TrainingPhase& phase) noexcept;

/// The phase's own name, else "phase 2".
[[nodiscard]] std::string phaseName(const TrainingPhase& phase, std::size_t index);

} // namespace headroom
