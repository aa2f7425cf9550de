// SPDX-License-Identifier: GPL-3.0-or-later
// Growth: the cheapest deployment at multiples of today's load (inference) or of the training tokens.
#pragma once

#include "core/plan/planner.hpp"

#include <span>

namespace headroom
{

/// Multiples that a growth table shows unless others are asked for.
inline constexpr std::array<double, 4> growthMultiples{1, 2, 5, 10};

/// One row a multiple, in the order given; fewer when asked to stop: missingMultiples() says which. Empty where nothing
/// can grow: no load, no users, no training tokens. Refused as plan() refuses.
[[nodiscard]] Expected<std::vector<PlanGrowthRow>>
planGrowth(const PlanRequest& request, std::span<const double> multiples, const std::stop_token& stop = {});

/// "Stopped: 5× and 10× were not searched" where a search was stopped before it had all rows; else empty.
[[nodiscard]] std::string missingMultiples(std::span<const double> multiples, std::span<const PlanGrowthRow> rows);

} // namespace headroom
