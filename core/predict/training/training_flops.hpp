// SPDX-License-Identifier: GPL-3.0-or-later
// Training FLOP: exact operator sums of a step, and a step's count under every convention.
#pragma once

#include "core/predict/training/training_plan.hpp"

namespace headroom
{

/// What the conventions need of a scenario that is checkpointed so: the plan's count, and an explanation's.
[[nodiscard]] TrainingCount trainingCount(const PreparedScenario& prepared, Checkpointing checkpointing) noexcept;

/// Exact sums of the whole job for one step: forward + backward = model, model + recompute = hardware. `perToken` is
/// that of the plan.
[[nodiscard]] FlopCounts trainingFlops(const TrainingPlan& plan, const TrainingFlopPerToken& perToken) noexcept;

} // namespace headroom
