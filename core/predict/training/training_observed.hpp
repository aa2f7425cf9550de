// SPDX-License-Identifier: GPL-3.0-or-later
// Observed training figures: what a measurement implies, by the definitions of the predicted ones.
#pragma once

#include "core/predict/training/training_plan.hpp"

namespace headroom
{

/// What turns a measurement into a step time, and a step time into utilisation.
struct StepFigures {
    double tokens = 0; ///< of the whole job in a step
    double gpus = 1;
    double modelFlop = 0;    ///< of a step, under the scenario's convention
    double hardwareFlop = 0; ///< the same, recomputation counted
    double peak = 0;         ///< FLOP/s that published fractions divide by
};

/// Step time that each measured value implies, in the order in which they decide; empty without any.
/// `disagreement` is the largest relative difference to the deciding one.
[[nodiscard]] std::optional<double> observedStepTime(const Measured& measured, const StepFigures& figures,
                                                     double& disagreement) noexcept;

} // namespace headroom
