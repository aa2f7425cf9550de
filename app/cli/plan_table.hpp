// SPDX-License-Identifier: GPL-3.0-or-later
// How `plan` prints its answer on the screen and as CSV.
#pragma once

#include "app/cli/command.hpp"
#include "core/explore/planner.hpp"

namespace headroom::cli
{

/// One row an option, best first.
void printPlanTable(const PlanRequest& request, const PlanResult& result, Format format);
/// Below the table: the rejected cheaper options, the Pareto front, what was decided and what was left out.
void printPlanRemarks(const PlanRequest& request, const PlanResult& result, std::string_view objective);

} // namespace headroom::cli
