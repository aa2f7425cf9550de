// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingStep: the predicted time of one optimizer step, by part, and what it executes and moves on one accelerator.
#pragma once

#include "core/predict/training/training_layer.hpp"

namespace headroom
{

struct TrainingStep {
    std::array<double, timePartCount> time{}; ///< s; their sum, in this order, is `seconds`
    double seconds = 0;
    double waitS = 0;          ///< of them, that the accelerator waits for its host's update and link
    double hostBytes = 0;      ///< of the states of the rank that has most of them in its host's memory
    double bytes = 0;          ///< moved to and from device memory, per accelerator
    double flop = 0;           ///< executed, per accelerator
    double optimizerBytes = 0; ///< of `bytes`
    std::size_t stage = 0;     ///< of the pipeline, that sets the pace: whose work the parts are

    [[nodiscard]] double& part(TimePart p) noexcept { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double part(TimePart p) const noexcept { return time[static_cast<std::size_t>(p)]; }
};

/// The prediction of one step.
[[nodiscard]] TrainingStep trainingStep(const TrainingPlan& plan) noexcept;

/// The plan as if data-parallel ranks exchanged nothing. No other way to keep the states makes a pass shorter.
[[nodiscard]] TrainingPlan withoutDataExchange(const TrainingPlan& plan) noexcept;
/// s that every step with this layout takes, however the states are kept: the step as predicted, without data-parallel
/// exchange, optimizer and offloading. What remains does not read the sharding. Less a billionth, as sums round.
[[nodiscard]] double leastStepSeconds(const TrainingPlan& plan) noexcept;
/// The same where the plan's operators are known, from one that differs in checkpointing alone, say.
[[nodiscard]] double leastStepSeconds(const TrainingPlan& plan, const StepOperators& operators) noexcept;

/// s that a stage waits for its host in the forward pass of a micro-batch, whose kernels take `work` seconds: it
/// launches what recomputation launches once more.
[[nodiscard]] double hostForwardWait(const TrainingPlan& plan, std::size_t stage, double work) noexcept;

/// s of the forward passes of a step alone, as they give the probabilities of tokens that are known: nothing is kept,
/// nothing runs back (training_forward.cpp).
[[nodiscard]] double forwardSeconds(const TrainingPlan& plan) noexcept;

} // namespace headroom
