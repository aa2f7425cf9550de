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
/// nothing else that limits speak of gets better, so doubling and halving find it.
void PlanWorker::decideBatch(PlanPoint point, PlanSpace::Replicas range)
{
    ++m_counts.evaluated;
    const std::int64_t gpus = point.gpus;
    const auto misses = [&](std::int64_t replicas) {
        point.replicas = replicas;
        point.gpus = gpus * replicas;
        return missedBy(point);
    };
    Shortfall missed = misses(range.least);
    if (missed.any() && range.most > range.least && m_evaluation.queue) {
        std::int64_t low = range.least;
        if (!(m_evaluation.queue->utilization < 1)) {
            if (m_evaluation.queue->replicasNeeded > double(range.most))
                return;
            low = std::max(low, static_cast<std::int64_t>(m_evaluation.queue->replicasNeeded));
            missed = misses(low);
        }
        const bool waitsOnly =
            missed.kind == LimitKind::Ttft && *longTtft(m_scenario, m_evaluation) <= *m_scenario.inference.ttftTargetS;
        if (missed.any() && (!waitsOnly || outbid()))
            return;
        for (std::int64_t step = 1; missed.any() && low < range.most; step *= 2) {
            std::int64_t high = std::min(range.most, low + step);
            missed = misses(high);
            if (missed.any()) {
                low = high;
                continue;
            }
            while (high - low > 1) {
                const std::int64_t middle = low + (high - low) / 2;
                (misses(middle).any() ? low : high) = middle;
            }
            missed = misses(high);
        }
    }
    if (!missed.any())
        offer(point);
}

/// Whether more replicas than those just evaluated can be no answer: they cost more, and spare no more than the wait.
bool PlanWorker::outbid()
{
    PlanValues least = valuesOf(m_scenario, m_evaluation);
    at(least, PlanObjective::Time) = m_evaluation.requestLatencyS.value_or(0);
    at(least, PlanObjective::Energy) *= 1 - roundingSlack;
    at(least, PlanObjective::Mfu) *= 1 + roundingSlack;
    m_collector.renew(m_standard);
    return m_collector.hopeless(least, m_standard);
}

} // namespace headroom::planner
