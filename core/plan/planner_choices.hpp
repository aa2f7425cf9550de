// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingChoices: what is still open within a block of training.
#pragma once

#include "core/plan/planner_point.hpp"

namespace headroom::planner
{

/// How the states of training are spread, and what is moved to the host.
struct ShardingChoice {
    Sharding sharding = Sharding::None;
    std::int64_t replicas = 1;
    Offload offload = Offload::None;
    std::optional<Gradients> gradients;
};
/// What is computed again in the backward pass.
struct CheckpointingChoice {
    Checkpointing mode = Checkpointing::None;
    std::int64_t every = 2;
};
/// A micro-batch and the interleavings that are legal with it.
struct MicroBatchChoice {
    std::int64_t size = 1;
    std::vector<std::int64_t> virtualPipelines;
};

/// What is still open within a training block: every combination is one configuration.
struct TrainingChoices {
    std::vector<MicroBatchChoice> microBatches;
    std::vector<ShardingChoice> shardings;
    std::vector<bool> sequenceParallel;
    std::vector<std::optional<bool>> chunkedLoss;
    std::vector<CheckpointingChoice> checkpointing;
    [[nodiscard]] std::uint64_t count() const;
};
/// Of a block of training.
[[nodiscard]] TrainingChoices trainingChoices(const PlanRequest& request, const PlanPoint& block);

/// What a configuration takes of a choice.
inline void choose(PlanPoint& point, const ShardingChoice& choice)
{
    point.sharding = choice.sharding;
    point.replicas = choice.replicas;
    point.offload = choice.offload;
    point.gradients = choice.gradients;
}

/// Every configuration of a training block but for how states are kept: those are `choices.shardings` of each.
template <typename Visit>
void forEachGroup(PlanPoint point, const TrainingChoices& choices, const Visit& visit)
{
    for (const MicroBatchChoice& microBatch : choices.microBatches) {
        point.microBatch = microBatch.size;
        for (const std::int64_t virtualPipeline : microBatch.virtualPipelines) {
            point.virtualPipeline = virtualPipeline;
            for (const bool sequenceParallel : choices.sequenceParallel) {
                point.sequenceParallel = sequenceParallel;
                for (const std::optional<bool> chunkedLoss : choices.chunkedLoss) {
                    point.chunkedLoss = chunkedLoss;
                    for (const CheckpointingChoice& checkpointing : choices.checkpointing) {
                        point.checkpointing = checkpointing.mode;
                        point.checkpointEvery = checkpointing.every;
                        visit(point);
                    }
                }
            }
        }
    }
}

} // namespace headroom::planner
