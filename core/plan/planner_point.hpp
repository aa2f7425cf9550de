// SPDX-License-Identifier: GPL-3.0-or-later
// PlanPoint: one configuration, as numbers that are quick to copy and to compare.
#pragma once

#include "core/plan/planner.hpp"

#include <compare>

namespace headroom::planner
{

/// One configuration. The order is the tie-break: whatever the threads do, equal answers come in this order.
struct PlanPoint {
    std::uint32_t accelerator = 0; ///< index
    std::int64_t gpus = 1, tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1, attentionData = 1,
                 replicas = 1;
    Sharding sharding = Sharding::None;
    bool sequenceParallel = false;
    Offload offload = Offload::None;
    Checkpointing checkpointing = Checkpointing::None;
    std::int64_t checkpointEvery = 2, microBatch = 1, batch = 1;
    std::optional<bool> chunkedLoss;
    std::optional<Gradients> gradients;
    DataType precision = DataType::Bf16, kvCache = DataType::Bf16;
    std::uint32_t reader = 0;                     ///< index into PlanSpace::readers(), where there are any
    std::int64_t readers = 0;                     ///< instances of it; 0: as many as the load needs
    std::int64_t rollouts = 0, rolloutTensor = 1; ///< reinforcement learning: GPUs beside `gpus`, GPUs of a copy
    auto operator<=>(const PlanPoint&) const = default;
};

/// Makes a copy of the request's base scenario the point's, but for the pool that reads its prompts.
void applyPoint(const PlanRequest& request, const PlanPoint& point, PreparedScenario& scenario);

} // namespace headroom::planner
