// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_load.hpp"

#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::planner
{

bool isLoaded(const PlanRequest& request)
{
    return request.base.task == Task::Inference && (request.users || request.base.inference.requestsPerS);
}

std::vector<std::int64_t> listedBatches(std::int64_t most)
{
    std::vector<std::int64_t> batches{1};
    for (std::int64_t n = 2; n <= most; n *= 2) {
        batches.push_back(n);
        if (3 * n / 2 < most)
            batches.push_back(3 * n / 2);
    }
    return batches;
}

std::vector<std::int64_t> batchesOf(const PlanRequest& request)
{
    if (!request.free.has(PlanDimension::Batch) || isLoaded(request))
        return {request.base.inference.batch};
    return listedBatches(mostPlanBatch);
}

std::int64_t Replicas::from(std::int64_t replicas) const
{
    if (exact == nullptr)
        return replicas;
    const auto found = std::find_if(std::ranges::lower_bound(*exact, replicas * gpus), exact->end(),
                                    [this](std::int64_t n) { return n % gpus == 0; });
    return found != exact->end() ? std::min(*found / gpus, most) : most;
}

std::int64_t Replicas::upTo(std::int64_t replicas) const
{
    if (exact == nullptr)
        return replicas;
    for (auto end = std::ranges::upper_bound(*exact, replicas * gpus); end != exact->begin();)
        if (*--end % gpus == 0)
            return *end / gpus;
    return 0;
}

std::optional<Replicas> replicasOf(const PlanRequest& request, const PlanPoint& block)
{
    const std::vector<std::int64_t>& counts = request.gpuCounts;
    const bool hasReaders = hasPrefillPool(request.base), isFree = request.free.has(PlanDimension::Replicas);
    const std::int64_t g = block.gpus;
    const std::int64_t least = std::max(hasReaders ? 1 : counts.front(), request.fewestReplicas.value_or(1) * g);
    std::int64_t most = counts.back() - (hasReaders ? 1 : 0); // at least one that reads
    if (request.mostReplicas)
        most = std::min(most, *request.mostReplicas * g);
    if (const auto held = request.base.parallelism.replicas; held && !isFree) {
        const bool within = *held <= most / g && *held * g >= least;
        return within ? std::optional(Replicas{*held, *held}) : std::nullopt;
    }
    if (hasReaders || (isFree && request.base.inference.requestsPerS)) {
        Replicas range{(least + g - 1) / g, most / g};
        if (request.exactCounts && !hasReaders) {
            range.exact = &counts;
            range.gpus = g;
            range = {range.from(range.least), range.upTo(range.most), &counts, g};
        }
        return range.least <= range.most ? std::optional(range) : std::nullopt;
    }
    // Further replicas would multiply throughput and cost alike.
    const auto found = std::ranges::find_if(counts, [g](std::int64_t n) { return n % g == 0; });
    return found != counts.end() ? std::optional(Replicas{*found / g, *found / g}) : std::nullopt;
}

} // namespace headroom::planner
