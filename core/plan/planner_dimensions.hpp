// SPDX-License-Identifier: GPL-3.0-or-later
// Names of what the search may choose: the keys of scenario files, which are the ids of the parameters that lock it.
#pragma once

#include "core/plan/planner.hpp"

#include <string_view>

namespace headroom
{

struct PlanDimensionName {
    std::string_view key;
    PlanDimension dimension;
};

inline constexpr std::array<PlanDimensionName, 20> planDimensionNames{
    {{"tensor", PlanDimension::Tensor},
     {"pipeline", PlanDimension::Pipeline},
     {"virtual_pipeline", PlanDimension::VirtualPipeline},
     {"context", PlanDimension::Context},
     {"expert", PlanDimension::Expert},
     {"attention_data", PlanDimension::AttentionData},
     {"sharding", PlanDimension::Sharding},
     {"replicas", PlanDimension::Replicas},
     {"micro_batch", PlanDimension::MicroBatch},
     {"checkpointing", PlanDimension::Checkpointing},
     {"precision", PlanDimension::Precision},
     {"weights", PlanDimension::Precision},
     {"kv_cache", PlanDimension::KvCache},
     {"batch", PlanDimension::Batch},
     {"sequence_parallel", PlanDimension::SequenceParallel},
     {"offload", PlanDimension::Offload},
     {"gradients", PlanDimension::Gradients},
     {"chunked_loss", PlanDimension::ChunkedLoss},
     {"rl_rollout_count", PlanDimension::RolloutGpus},
     {"rl_rollout_tensor", PlanDimension::RolloutTensor}}};

} // namespace headroom
