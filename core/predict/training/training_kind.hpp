// SPDX-License-Identifier: GPL-3.0-or-later
// Training kind: which group of published runs a scenario resembles, and so which residuals give its interval.
#pragma once

#include "core/predict/training/training_plan.hpp"

namespace headroom
{

/// The group of the scenario; the second form makes the plan itself.
[[nodiscard]] TrainingKind trainingKind(const TrainingPlan& plan) noexcept;
[[nodiscard]] TrainingKind trainingKind(const PreparedScenario& prepared) noexcept;

/// Ends of the 80 % interval of the step time, over what is predicted: those of the kind. Of a well tuned stack, which
/// no run is of, no less than those of a source that nobody has seen; where the family's constants are an estimate, no
/// less than those of such families.
[[nodiscard]] ResidualRange stepTimeRange(const TrainingPlan& plan, const TrainingCalibration& calibration) noexcept;

/// Which published runs' memory a job of the workload resembles. Empty where nobody says what it recomputes: what is
/// then predicted is one of several recipes.
[[nodiscard]] std::optional<MemoryKind> memoryKind(const TrainingWorkload& workload) noexcept;
/// Ends of the 80 % interval of the memory, over what is predicted. Empty where there is none.
[[nodiscard]] std::optional<ResidualRange> memoryRange(const PreparedScenario& prepared) noexcept;

} // namespace headroom
