// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/plan: what a day costs on deployments that were sized for its busiest hour (docs/method/planner.md).
#pragma once

#include "core/plan/planner_bounds.hpp"

namespace headroom::planner
{

/// The values of a configuration as the request ranks them: those of the evaluation, with the day's cost an hour on
/// average in place of the busiest hour's where replicas follow the load. A prefill pool is ranked by that hour alone.
[[nodiscard]] PlanValues valuesOf(const PlanRequest& request, const PreparedScenario& scenario,
                                  const Evaluation& evaluation) noexcept;

/// Gives every ranked option and those of the front its day, and says of the best what it costs.
void priceDay(const PreparedScenario& base, PlanResult& result);

} // namespace headroom::planner
