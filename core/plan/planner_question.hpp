// SPDX-License-Identifier: GPL-3.0-or-later
// The request that a scenario's saved question makes: the same in the window and on the command line.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/plan/planner.hpp"
#include "core/scenario/plan_question.hpp"

#include <functional>

namespace headroom
{

/// Whether a parameter is held by the user, by its id.
using IsDimensionHeld = std::function<bool(std::string_view parameterId)>;

/// What the search may choose: the usual, what the question frees, less what is held.
[[nodiscard]] PlanDimensions freedom(const PlanQuestion& question, const IsDimensionHeld& isHeld = {});

/// From the fewest to the most, each twice the one before, and the most itself.
[[nodiscard]] std::vector<std::int64_t> planCounts(double fewest, double most);

/// The scenario's own accelerator first, then those of the question that the catalogue knows enough of; prices as of
/// planAccelerator(). Ties go to the smaller deployment.
[[nodiscard]] PlanRequest planRequest(const PlanQuestion& question, const PreparedScenario& base,
                                      const Catalog& catalog, const IsDimensionHeld& isHeld = {});

} // namespace headroom
