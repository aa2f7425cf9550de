// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/plan: what a day costs on deployments that were sized for its busiest hour (docs/method/planner.md).
#pragma once

#include "core/plan/planner.hpp"

namespace headroom::planner
{

/// The scenario of an option with the day of `base` on its replicas. Where the day scales, as many as the option has
/// run in the busiest hour, and fewer follow by the same rule.
[[nodiscard]] PreparedScenario withDay(const PreparedScenario& base, const PlanOption& option) noexcept;

/// Gives every ranked option and those of the front its day, and says of the best what it costs.
void priceDay(const PreparedScenario& base, PlanResult& result);

} // namespace headroom::planner
