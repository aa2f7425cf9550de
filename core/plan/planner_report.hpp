// SPDX-License-Identifier: GPL-3.0-or-later
// Planner report: finds turned back into scenarios, and why cheaper numbers of GPUs fail, in a sentence each.
#pragma once

#include "core/plan/planner_limits.hpp"
#include "core/plan/planner_space.hpp"

#include <stop_token>

namespace headroom::planner
{

/// The scenario of a point, evaluated.
[[nodiscard]] PlanOption optionOf(const PlanSpace& space, const PlanPoint& point);

/// Whether any configuration keeps all limits; ends with the first one found.
[[nodiscard]] bool anyFeasible(const PlanSpace& space, const std::stop_token& stop);

/// The configuration of the space that comes closest: fits and misses a limit by the smallest factor, or exceeds the
/// memory by the smallest factor. Empty where the space is empty or it was asked to stop.
[[nodiscard]] std::optional<PlanOption> nearestMiss(const PlanSpace& space, const std::stop_token& stop);

/// "2 × H100 SXM fails: …" from the option's evaluation; empty where it misses nothing.
[[nodiscard]] std::string failure(const PlanRequest& request, const PlanOption& option);

/// Cheaper numbers of GPUs than the best answer's that fail, nearest first; without an answer the largest of each
/// accelerator, or with a budget of the whole run the one that comes closest. `request` with its accelerators filled
/// in.
[[nodiscard]] std::vector<PlanRejection> rejections(const PlanRequest& request, const PlanOption* best,
                                                    const std::stop_token& stop);

} // namespace headroom::planner
