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
    double gatherS = 0;  ///< the controller collects the answers
    double readS = 0;    ///< it hands them to a forward pass, and takes in what that gives
    double learnS = 0;   ///< it hands them to the update
    double betweenS = 0; ///< it balances, judges and compares them itself
    std::array<double, rlPartCount>
        statesS{};         ///< around each part: states of the training leave the device or come back
    double stateBytes = 0; ///< of them, that the policy moves out and in for its update, bytes
    double hostBytes = 0;  ///< of all models, that wait in the host's memory at a time; none where that is the device's

    [[nodiscard]] double states(RlPart part) const noexcept { return statesS[static_cast<std::size_t>(part)]; }
    [[nodiscard]] double& states(RlPart part) noexcept { return statesS[static_cast<std::size_t>(part)]; }
    /// Into `r`: to its parts, and the sums.
    void addTo(RlResult& r, const RlWorkload& w) const noexcept;
};

/// Around the update that `plan` describes, with the answers and the longest of them in `r`. Nothing moves but over the
/// host link where nothing is lost. On GPUs of their own the critic, the reference and the reward model stay beside the
/// update as far as there is room, and count in `r.learnBytes`; the rest moves.
[[nodiscard]] RlFramework rlFramework(const PreparedScenario& prepared, const TrainingPlan& plan, RlResult& r) noexcept;

} // namespace headroom
