// SPDX-License-Identifier: GPL-3.0-or-later
// What a search starts from, where the scenario as it stands cannot be evaluated; whose prices it knows.
#pragma once

#include "core/plan/planner.hpp"

namespace headroom
{

/// The scenario with every size that the search may choose at its smallest, so that a layout which the search replaces
/// anyway cannot make the question invalid. What is held stays; the number of GPUs, unless held, is the smallest that
/// it allows.
[[nodiscard]] Scenario planBase(Scenario scenario, const PlanDimensions& free, bool countIsHeld);

/// Replicas of a service are to be as many as they are: a number that follows from the count is stated.
void holdReplicas(Setup& setup);

/// Whether GPUs of another kind read the prompts beside `device` and nobody knows their price: then none of both
/// together is known, as in lookUpPrice().
[[nodiscard]] bool readerUnpriced(const PreparedScenario& base, const Accelerator& device, PriceKind kind);

} // namespace headroom
