// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingStep: the predicted time of one optimizer step, by part, and what it executes and moves on one accelerator.
#pragma once

#include "core/evaluate/training_layer.hpp"

namespace headroom
{

struct TrainingStep {
    std::array<double, timePartCount> time{}; ///< s; their sum, in this order, is `seconds`
    double seconds = 0;
    double bytes = 0;          ///< moved to and from device memory, per accelerator
    double flop = 0;           ///< executed, per accelerator
    double optimizerBytes = 0; ///< of `bytes`

    [[nodiscard]] double& part(TimePart p) noexcept { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double part(TimePart p) const noexcept { return time[static_cast<std::size_t>(p)]; }
};

/// The prediction of one step.
[[nodiscard]] TrainingStep trainingStep(const TrainingPlan& plan) noexcept;

/// Layers and heads of the stage that sets the pace: how often each operator runs in a step.
struct PacingStage {
    double layers = 0; ///< of this stage
    double heads = 0;  ///< 1 where it has the LM head
};
[[nodiscard]] PacingStage pacingStage(const TrainingPlan& plan) noexcept;

} // namespace headroom
