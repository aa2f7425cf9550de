// SPDX-License-Identifier: GPL-3.0-or-later
// Training goodput: checkpoints, failures and restarts of a planned training (docs/method/goodput.md).
#pragma once

#include "core/predict/goodput.hpp"
#include "core/predict/training/training_plan.hpp"
#include "core/predict/training/training_update.hpp"

namespace headroom
{

/// What the model of failures reads from a scenario, with the checkpoint's size.
struct TrainingFailures {
    FailureModel model;
    double learners = 1;        ///< models that learn, of equal size, and are saved: a critic beside the policy
    double checkpointBytes = 0; ///< of all of them
    CheckpointCopy copy;        ///< of the GPU that copies most, where neither a time nor a rate is stated
};
/// Of a job of reinforcement learning all GPUs of either side count.
[[nodiscard]] TrainingFailures trainingFailures(const TrainingPlan& plan, double trainableParameters) noexcept;

/// Smaller jobs fail more often for each GPU than large ones: those of 1,024 GPUs on Meta's RSC-1 saw 7.9 h between
/// failures where their nodes' rate alone gives 28.8 h (Kokolis et al., HPCA 2025, arXiv 2410.21680).
inline constexpr double smallJobGpus = 2000, smallJobFailures = 4;

/// Fills `result.goodput`, and warns: of the steps in `result.rl` where it has them. `trainingTokens` are those of the
/// whole run, where it is of one piece. Precondition: step time, tokens a second and parameters are known.
void addGoodput(const TrainingPlan& plan, std::optional<double> trainingTokens, Evaluation& result) noexcept;

} // namespace headroom
