// SPDX-License-Identifier: GPL-3.0-or-later
// The layouts that a search decides, each the beginning of many configurations: the blocks of a PlanSpace.
#pragma once

#include "core/plan/planner_point.hpp"

namespace headroom::planner
{

/// Accelerator, precision, GPUs and parallel sizes; for a step of reinforcement learning also the GPUs that generate.
[[nodiscard]] std::vector<PlanPoint> trainingLayouts(const PlanRequest& request);

/// One replica (`gpus` of it) and its precisions, of those that go together with the request's GPUs.
[[nodiscard]] std::vector<PlanPoint> servingLayouts(const PlanRequest& request);

/// Replicas of inference have at most so many GPUs (unless the base's has more): eight nodes of eight.
inline constexpr std::int64_t mostReplicaGpus = 64;

} // namespace headroom::planner
