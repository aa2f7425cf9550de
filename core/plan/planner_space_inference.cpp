// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_space.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::planner
{
namespace
{

std::vector<std::int64_t> doublings(bool free, std::int64_t held, std::int64_t most)
{
    if (!free)
        return {held};
    std::vector<std::int64_t> sizes;
    for (std::int64_t n = 1; n <= most; n *= 2)
        sizes.push_back(n);
    return sizes;
}

std::vector<std::int64_t> stages(bool free, std::int64_t held, std::int64_t layers, std::int64_t most)
{
    if (!free)
        return {held};
    constexpr std::int64_t node = 8; // within a node, three GPUs may do where two are too few
    std::vector<std::int64_t> sizes;
    for (std::int64_t p = 1; p <= std::min(layers, most); ++p)
        if (p <= node || layers % p == 0 || (p & (p - 1)) == 0) // some stages may hold a layer more than others
            sizes.push_back(p);
    return sizes;
}

} // namespace

void PlanSpace::addInference(std::uint32_t accelerator)
{
    const PreparedScenario& base = m_request.base;
    const Parallelism& held = base.parallelism;
    const InferenceWorkload& w = base.inference;
    if (m_batches.empty()) {
        m_batches = {w.batch};
        if (isFree(PlanDimension::Batch) && !isLoaded()) {
            m_batches = {1};
            for (std::int64_t n = 2; n <= mostPlanBatch; n *= 2) {
                m_batches.push_back(n);
                if (3 * n / 2 < mostPlanBatch)
                    m_batches.push_back(3 * n / 2);
            }
        }
    }
    const std::int64_t limit = std::max(mostReplicaGpus, modelParallelRanks(held) * held.attentionData);
    const std::int64_t most = std::min(m_request.gpuCounts.back(), limit);
    const ModelArchitecture& model = base.model->architecture;
    const bool shares = base.model->experts > 0 || model.attention.kind == AttentionKind::Mla; // has use for it
    PlanPoint block;
    block.accelerator = accelerator;
    block.virtualPipeline = held.virtualPipeline;
    for (const DataType precision : precisions(*m_request.accelerators[accelerator].accelerator)) {
        block.precision = precision;
        for (const DataType cache : cachePrecisions()) {
            block.kvCache = cache;
            for (const std::int64_t t : tensorSizes(most)) {
                block.tensor = t;
                for (const std::int64_t p :
                     stages(isFree(PlanDimension::Pipeline), held.pipeline, model.layers, most)) {
                    block.pipeline = p;
                    const std::int64_t pieces = std::min(most, w.promptTokens + w.outputTokens); // a token each
                    for (const std::int64_t c : doublings(isFree(PlanDimension::Context), held.context, pieces)) {
                        block.context = c;
                        const bool freeData = isFree(PlanDimension::AttentionData);
                        for (const std::int64_t a : doublings(freeData, held.attentionData, shares ? most : 1)) {
                            block.attentionData = a;
                            block.gpus = t * p * c * a;
                            if (block.gpus <= most && replicas(block))
                                addExperts(block, t * a);
                        }
                    }
                }
            }
        }
    }
}

std::optional<PlanSpace::Replicas> PlanSpace::replicas(const PlanPoint& block) const
{
    const std::vector<std::int64_t>& counts = m_request.gpuCounts;
    const std::int64_t g = block.gpus, least = m_hasReaders ? 1 : counts.front();
    std::int64_t most = counts.back() - (m_hasReaders ? 1 : 0); // at least one that reads
    if (m_request.mostReplicas)
        most = std::min(most, *m_request.mostReplicas * g);
    if (const auto held = m_request.base.parallelism.replicas; held && !isFree(PlanDimension::Replicas)) {
        const bool within = *held <= most / g && *held * g >= least;
        return within ? std::optional(Replicas{*held, *held}) : std::nullopt;
    }
    if (m_hasReaders || (isFree(PlanDimension::Replicas) && m_request.base.inference.requestsPerS)) {
        const Replicas range{(least + g - 1) / g, most / g};
        return range.least <= range.most ? std::optional(range) : std::nullopt;
    }
    // Further replicas would multiply throughput and cost alike.
    const auto found = std::ranges::find_if(counts, [g](std::int64_t n) { return n % g == 0; });
    return found != counts.end() ? std::optional(Replicas{*found / g, *found / g}) : std::nullopt;
}

} // namespace headroom::planner
