// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/inference_memory.hpp"
#include "core/explore/planner_search.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::planner
{

void PlanWorker::decideInference(PlanPoint block)
{
    const PlanRequest& request = m_space.request();
    const std::vector<std::int64_t>& batches = m_space.batches();
    m_counts.configurations += batches.size();
    PlanSpace::Replicas range = *m_space.replicas(block);
    const auto price = request.accelerators[block.accelerator].pricePerGpuHour;
    if (price && *price > 0 && request.limits.costPerHour) {
        const double perReplica = *price * double(block.gpus), limit = *request.limits.costPerHour;
        while (range.most >= range.least && double(range.most) * perReplica > limit)
            range.most = std::min(range.most - 1, static_cast<std::int64_t>(std::min(limit / perReplica, 1e15)));
        if (range.most < range.least) {
            m_counts.excludedByLimit += batches.size();
            return;
        }
    }
    PlanPoint point = block;
    point.replicas = 1;
    m_space.apply(point, m_scenario);
    const bool ideal = m_scenario.efficiency.base == EfficiencyBase::Ideal;
    const auto memory = inference::planMemory(m_scenario, inference::makeMachine(m_scenario, ideal));
    for (const std::int64_t batch : batches) {
        block.batch = batch;
        const double least = m_scenario.inference.batchMax ? 1 : double(batch);
        if (memory.maxBatch < least)
            ++m_counts.excludedByMemory;
        else
            decideBatch(block, range);
    }
}

/// The smallest number of replicas that carries the load and meets the targets. Waits fall as replicas are added, and
/// nothing else changes, so halving the range finds it.
void PlanWorker::decideBatch(PlanPoint point, PlanSpace::Replicas range)
{
    ++m_counts.evaluated;
    const std::int64_t gpus = point.gpus;
    const auto misses = [&](std::int64_t replicas) {
        point.replicas = replicas;
        point.gpus = gpus * replicas;
        return missedBy(point);
    };
    Shortfall first = misses(range.least);
    if (first.any() && range.most > range.least && m_evaluation.queue) {
        const double needed = std::max(m_evaluation.queue->replicasNeeded, double(range.least));
        if (needed > double(range.most))
            return;
        std::int64_t low = static_cast<std::int64_t>(needed), high = range.most;
        if (low > range.least || first.kind == LimitKind::Load)
            first = misses(low);
        if (first.kind == LimitKind::Ttft && low < high && !misses(high).any()) {
            while (high - low > 1) {
                const std::int64_t middle = low + (high - low) / 2;
                (misses(middle).any() ? low : high) = middle;
            }
            first = misses(high);
        }
    }
    if (!first.any())
        offer(point);
}

} // namespace headroom::planner
