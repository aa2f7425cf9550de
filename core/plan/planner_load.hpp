// SPDX-License-Identifier: GPL-3.0-or-later
// What a load leaves open of a layout that serves: whether there is one, its batches, its numbers of replicas.
#pragma once

#include "core/plan/planner_point.hpp"

namespace headroom::planner
{

/// Inference with a stated load, in requests a second or users.
[[nodiscard]] bool isLoaded(const PlanRequest& request);

/// Powers of two, and what lies halfway between two of them, from 1 to `most`, ascending.
[[nodiscard]] std::vector<std::int64_t> listedBatches(std::int64_t most);

/// Batches to try of every layout, ascending: those of the list where the batch is free and no load decides it, else
/// the base's.
[[nodiscard]] std::vector<std::int64_t> batchesOf(const PlanRequest& request);

/// Smallest and largest number of replicas, and where the numbers of GPUs are exact what lies between them.
struct Replicas {
    std::int64_t least = 1, most = 1;
    const std::vector<std::int64_t>* exact = nullptr; ///< numbers of GPUs, ascending; null: any will do
    std::int64_t gpus = 1;                            ///< of a replica
    /// The smallest number from `replicas` on, up to the most.
    [[nodiscard]] std::int64_t from(std::int64_t replicas) const;
    /// The largest number up to `replicas`; less than the least where there is none.
    [[nodiscard]] std::int64_t upTo(std::int64_t replicas) const;
};
/// Of an inference block (`gpus` of one replica); empty where none goes together with the GPUs.
[[nodiscard]] std::optional<Replicas> replicasOf(const PlanRequest& request, const PlanPoint& block);

inline constexpr std::int64_t mostPlanBatch = 2048; ///< what "max" means too in a scenario

} // namespace headroom::planner
