// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_layouts.hpp"
#include "core/plan/planner_load.hpp"
#include "core/plan/planner_sizes.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::planner
{
namespace
{

/// Adds the parallel sizes of a block whose accelerator and precisions are chosen.
void addSizes(const PlanRequest& request, PlanPoint block, std::vector<PlanPoint>& blocks)
{
    const PreparedScenario& base = request.base;
    const Parallelism& held = base.parallelism;
    const ModelArchitecture& model = base.model->architecture;
    const PlanSizes sizes(request);
    const std::int64_t limit = std::max(mostReplicaGpus, modelParallelRanks(held) * held.attentionData);
    const std::int64_t most = std::min(request.gpuCounts.back(), limit);
    const std::int64_t pieces =
        std::min(most, base.inference.promptTokens + base.inference.outputTokens);                 // a token each
    const bool shares = (base.model->experts > 0 || model.attention.kind == AttentionKind::Mla) && // has use for it
                        sizes.has(LayoutPart::AttentionData);
    for (const std::int64_t t : sizes.tensor(most)) {
        block.tensor = t;
        for (const std::int64_t p : sizes.servingStages(most)) {
            block.pipeline = p;
            for (const std::int64_t c :
                 sizes.doublings(PlanDimension::Context, held.context, sizes.mostRanks(LayoutPart::Context, pieces))) {
                block.context = c;
                for (const std::int64_t a :
                     sizes.doublings(PlanDimension::AttentionData, held.attentionData, shares ? most : 1)) {
                    block.attentionData = a;
                    block.gpus = t * p * c * a;
                    if (block.gpus > most || !replicasOf(request, block))
                        continue;
                    for (const std::int64_t e : sizes.expert(t, t * a)) {
                        block.expert = e;
                        blocks.push_back(block);
                    }
                }
            }
        }
    }
}

} // namespace

std::vector<PlanPoint> servingLayouts(const PlanRequest& request)
{
    const PlanSizes sizes(request);
    std::vector<PlanPoint> blocks;
    PlanPoint block;
    block.virtualPipeline = request.base.parallelism.virtualPipeline;
    for (std::uint32_t i = 0; i < request.accelerators.size(); ++i) {
        block.accelerator = i;
        for (const DataType precision : sizes.precisions(*request.accelerators[i].accelerator)) {
            block.precision = precision;
            for (const DataType cache : sizes.cachePrecisions()) {
                block.kvCache = cache;
                addSizes(request, block, blocks);
            }
        }
    }
    return blocks;
}

} // namespace headroom::planner
