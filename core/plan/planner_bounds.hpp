// SPDX-License-Identifier: GPL-3.0-or-later
// Planner bounds: what no configuration of a group can beat, so that the group needs no evaluation. Each is a lower
// bound of what evaluate() gives (tests/core/test_planner_bounds.cpp).
#pragma once

#include "core/plan/planner.hpp"
#include "core/predict/training/training_plan.hpp"

#include <array>

namespace headroom::planner
{

/// By objective, smaller is better; infinity where the price or the power is unknown.
using PlanValues = std::array<double, planObjectiveCount>;

/// The value of one objective.
[[nodiscard]] constexpr double& at(PlanValues& values, PlanObjective o)
{
    return values[static_cast<std::size_t>(o)];
}
/// The value of one objective.
[[nodiscard]] constexpr double at(const PlanValues& values, PlanObjective o)
{
    return values[static_cast<std::size_t>(o)];
}

/// The values of an evaluated configuration.
[[nodiscard]] PlanValues valuesOf(const PreparedScenario& scenario, const Evaluation& evaluation) noexcept;

/// FLOP of the method for a token: the same in every layout.
struct TokenFlop {
    double counted = 0; ///< under the scenario's convention
    double exact = 0;
};
[[nodiscard]] TokenFlop tokenFlop(const PreparedScenario& scenario, const TrainingPlan& plan) noexcept;

/// The best values that a step of at least `seconds` can have.
[[nodiscard]] PlanValues bestValues(const PreparedScenario& scenario, const TrainingPlan& plan, double seconds,
                                    const TokenFlop& flop) noexcept;

/// The values of steps of reinforcement learning, of which none is lost to failures. To the digit those of an
/// evaluation with this step.
[[nodiscard]] PlanValues rlValues(const PreparedScenario& scenario, const RlResult& step) noexcept;

/// Bounds and values are computed in different orders: rounding may differ in the last digits.
inline constexpr double roundingSlack = 1e-9;

} // namespace headroom::planner
