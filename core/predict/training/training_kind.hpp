// SPDX-License-Identifier: GPL-3.0-or-later
// Training kind: which group of published runs a scenario resembles, and so which residuals give its interval.
#pragma once

#include "core/predict/training/training_plan.hpp"

namespace headroom
{

/// The group of the scenario; the second form makes the plan itself.
[[nodiscard]] TrainingKind trainingKind(const TrainingPlan& plan) noexcept;
[[nodiscard]] TrainingKind trainingKind(const PreparedScenario& prepared) noexcept;

} // namespace headroom
