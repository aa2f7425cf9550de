// SPDX-License-Identifier: GPL-3.0-or-later
// PlanMap: the best deployment of each number of GPUs and batch (inference) or tensor size (training), or what fails.
#pragma once

#include "core/plan/planner_limits.hpp"

namespace headroom
{

struct PlanCell {
    std::optional<PlanOption> best; ///< most MFU of what meets the targets
    /// Without an answer: what the nearest configuration misses; None where no layout of these sizes is legal.
    planner::LimitKind cause = planner::LimitKind::None;
};

/// A grid of best deployments.
struct PlanMap {
    PlanDimension across = PlanDimension::Batch; ///< of the rows: Batch, or Tensor in training
    std::vector<std::int64_t> gpus, rows;        ///< columns, rows; ascending
    std::vector<PlanCell> cells;                 ///< rows.size() × gpus.size(), row-major
};

/// Of the request's first accelerator. Each cell is a search of its own with exactly so many GPUs. Empty where the
/// request is refused or when asked to stop.
[[nodiscard]] PlanMap planMap(const PlanRequest& request, const std::stop_token& stop = {});

} // namespace headroom
