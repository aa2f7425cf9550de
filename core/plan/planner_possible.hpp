// SPDX-License-Identifier: GPL-3.0-or-later
// What would make an impossible plan possible: the least that limits have to give way, and for which deployment.
#pragma once

#include "core/plan/planner.hpp"

namespace headroom
{

struct PlanPossible {
    PlanRequest request; ///< the question with limits and targets that the option meets
    PlanOption option;   ///< the nearest of those that were rejected
    std::string text;    ///< "A deadline of 41 days would be met by 1024 × H100 SXM5 80GB"
};

/// Of a result without an answer, from the options that came closest; empty where there is an answer, where the search
/// was stopped, or where memory or the load is what fails: no target that gives way mends those.
[[nodiscard]] std::optional<PlanPossible> planPossible(const PlanRequest& request, const PlanResult& result);

} // namespace headroom
