// SPDX-License-Identifier: GPL-3.0-or-later
// Ranking: the finds of a search by rank, with ties within the predictor's interval given to the smaller deployment.
#pragma once

#include "core/plan/planner_collector.hpp"

namespace headroom::planner
{

/// Whether the objective is predicted, with an interval: the price of a stated load an hour and the number of GPUs are
/// known, and steps of reinforcement learning have none.
[[nodiscard]] bool isPredicted(const PlanRequest& request);

/// The worst value of the objective that lies within this deployment's 80 % interval; its own value where there is no
/// interval.
[[nodiscard]] double alikeUpTo(const PlanRequest& request, const PlanOption& option);

/// The finds of a search as they are listed.
struct Ranking {
    std::vector<PlanFind> finds; ///< best first
    std::string note;            ///< why the first is not the best by the objective; empty where it is
};
/// Of what was found so far: best first, ties given to the smaller deployment where the request says so.
[[nodiscard]] Ranking ranking(const PlanSpace& space, const PlanCollector& collector);

} // namespace headroom::planner
