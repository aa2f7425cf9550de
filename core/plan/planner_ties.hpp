// SPDX-License-Identifier: GPL-3.0-or-later
// Ranking: the finds of a search by rank, with ties within the predictor's interval given to the smallest deployment
// that surely fits.
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
    /// Why the first is not the best by the objective; what would surely fit where none of that rank does.
    std::vector<std::string> notes;
};
/// Of what was found so far: best first. Where the request says so, ties go to the smallest deployment that surely
/// fits, or to the smallest, where none does; what would surely fit then stands in the notes.
[[nodiscard]] Ranking ranking(const PlanSpace& space, const PlanCollector& collector);

} // namespace headroom::planner
