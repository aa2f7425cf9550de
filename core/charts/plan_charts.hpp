// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of a plan: the map of what is feasible, and the Pareto front.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "core/plan/planner_map.hpp"

namespace headroom::charts
{

/// Colour: MFU in training; head-room under a load, else cost of a million tokens (tokens a second without a price).
/// The cell of `answer`, the plan's, is framed; null = none.
[[nodiscard]] ChartSpec planMap(const PlanRequest& request, const PlanMap& map, const PlanOption* answer = nullptr);
/// The front of `result` over the request's two axes, with the ranked deployments beside it.
[[nodiscard]] ChartSpec planFront(const PlanRequest& request, const PlanResult& result);

} // namespace headroom::charts
