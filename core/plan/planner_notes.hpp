// SPDX-License-Identifier: GPL-3.0-or-later
// What an answer has to say of the space that was searched.
#pragma once

#include "core/plan/planner_space.hpp"

namespace headroom::planner
{

/// What was not looked at, what counts as what, which formats stay, why there is nothing to look at.
[[nodiscard]] std::vector<std::string> spaceNotes(const PlanSpace& space);
/// Why there is nothing to look at; empty where there is.
[[nodiscard]] std::string noLayoutText(const PlanSpace& space);

} // namespace headroom::planner
