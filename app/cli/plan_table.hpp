// SPDX-License-Identifier: GPL-3.0-or-later
// How `plan` prints its answer on the screen.
#pragma once

#include "app/cli/command.hpp"
#include "core/plan/planner_table.hpp"

namespace headroom::cli
{

/// One row an option, best first.
void printPlanTable(const PlanRequest& request, const PlanResult& result);
/// One row a multiple of the load, and why where there is none.
void printGrowth(Task task, std::span<const PlanGrowthRow> rows);
/// Below the table: the rejected cheaper options, the Pareto front, what was decided and what was left out.
void printPlanRemarks(const PlanRequest& request, const PlanResult& result, std::string_view objective);

} // namespace headroom::cli
