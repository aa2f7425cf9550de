// SPDX-License-Identifier: GPL-3.0-or-later
// What a search starts from, where the scenario as it stands cannot be evaluated.
#pragma once

#include "core/plan/planner.hpp"

namespace headroom
{

/// The scenario with all sizes that `free` leaves to the search (and the number of GPUs, unless it is held) at their
/// smallest: a layout of another task, which the search replaces anyway, refuses no question. What is held stays, and
/// the number of GPUs is the smallest that it allows.
[[nodiscard]] Scenario planBase(Scenario scenario, const PlanDimensions& free, bool countIsHeld);

} // namespace headroom
