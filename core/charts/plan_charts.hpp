// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of a plan: the map of what is feasible, and the Pareto front.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "core/plan/planner_map.hpp"

namespace headroom::charts
{

/// Colour: MFU in training; head-room under a load, else cost of a million tokens (tokens a second without a price).
[[nodiscard]] ChartSpec planMap(const PlanRequest& request, const PlanMap& map);
/// The front of `result` over the request's two axes, with the ranked deployments beside it.
[[nodiscard]] ChartSpec planFront(const PlanRequest& request, const PlanResult& result);

} // namespace headroom::charts
