// SPDX-License-Identifier: GPL-3.0-or-later
// RlFramework: what a framework does around the parts of a step of reinforcement learning (docs/method/rl.md, "Around
// the parts").
#pragma once

#include "core/predict/evaluation.hpp"
#include "core/predict/training/training_plan.hpp"

namespace headroom
{

/// Seconds that answers and states are under way, while every GPU of the part waits.
struct RlFramework {
    double gatherS = 0;    ///< the controller collects the answers
    double readS = 0;      ///< it hands them to a forward pass, and takes in what that gives
    double learnS = 0;     ///< it hands them to the update
    double betweenS = 0;   ///< it balances, judges and compares them itself
    double generateS = 0;  ///< weights leave the device before answers are generated on it, and come back
    double weightsS = 0;   ///< weights of the training come onto the device and leave it
    double frozenS = 0;    ///< so do those of a model that does not learn
    double statesS = 0;    ///< so do weights and optimizer
    double stateBytes = 0; ///< weights and optimizer of a GPU that trains

    /// Into `r`: to its parts, and the sums.
    void addTo(RlResult& r, const RlWorkload& w) const noexcept;
};

/// Around the update that `plan` describes, with the answers and the longest of them in `r`. Nothing moves but over the
/// host link where nothing is lost. On GPUs of their own the critic, the reference and the reward model stay beside the
/// update where all have room, and count in `r.learnBytes`; else states take turns.
[[nodiscard]] RlFramework rlFramework(const PreparedScenario& prepared, const TrainingPlan& plan, RlResult& r) noexcept;

} // namespace headroom
