// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_layouts.hpp"
#include "core/plan/planner_sizes.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <utility>

namespace headroom::planner
{
namespace
{

/// Training GPUs to try of so many on both sides; the rest generates.
std::vector<std::int64_t> trainingShares(std::int64_t all)
{
    constexpr std::int64_t parts = 16, most = 64;
    std::int64_t step = 1;
    for (const std::int64_t d : divisors(all))
        if (d <= all / parts)
            step = d;
    step = std::max(step, (all + most - 1) / most);
    std::vector<std::int64_t> shares;
    for (std::int64_t generating = step; generating < all; generating += step)
        shares.push_back(all - generating);
    return shares;
}

/// Collects the layouts of a request.
class TrainingLayouts final
{
public:
    explicit TrainingLayouts(const PlanRequest& request) : m_request(request), m_base(request.base), m_sizes(request) {}

    [[nodiscard]] std::vector<PlanPoint> all()
    {
        for (std::uint32_t i = 0; i < m_request.accelerators.size(); ++i)
            add(i);
        return std::move(m_blocks);
    }

private:
    void add(std::uint32_t accelerator)
    {
        PlanPoint block;
        block.accelerator = accelerator;
        block.attentionData = m_base.parallelism.attentionData;
        for (const DataType precision : m_sizes.precisions(*m_request.accelerators[accelerator].accelerator)) {
            block.precision = precision;
            for (const std::int64_t gpus : m_request.gpuCounts) {
                block.gpus = gpus;
                isRl(m_base) ? addSplits(block) : addLayouts(block);
            }
        }
    }

    /// Layouts of a block whose GPUs all train.
    void addLayouts(PlanPoint block)
    {
        const auto layers = static_cast<std::int64_t>(m_base.model->layers);
        const std::int64_t sequence = m_base.training.sequenceLength, gpus = block.gpus;
        for (const std::int64_t t : m_sizes.tensor(gpus)) {
            if (gpus % t != 0)
                continue;
            block.tensor = t;
            const bool freePipeline = m_sizes.isFree(PlanDimension::Pipeline);
            for (const std::int64_t p : freeDivisors(freePipeline, m_base.parallelism.pipeline, gpus / t)) {
                if (freePipeline && p > m_sizes.mostRanks(LayoutPart::Pipeline, layers))
                    break;
                block.pipeline = p;
                const bool freeContext = m_sizes.isFree(PlanDimension::Context);
                for (const std::int64_t c : freeDivisors(freeContext, m_base.parallelism.context, gpus / t / p)) {
                    if (freeContext && c > 1 && (sequence % (2 * c) != 0 || !m_sizes.has(LayoutPart::Context)))
                        continue;
                    const std::int64_t data = gpus / t / p / c;
                    if (m_base.training.globalBatch && *m_base.training.globalBatch % data != 0)
                        continue;
                    block.context = c;
                    for (const std::int64_t e : m_sizes.expert(t, t * c * data)) {
                        block.expert = e;
                        m_blocks.push_back(block);
                    }
                }
            }
        }
    }

    /// Layouts of a block whose GPUs train and generate: at once, or some of them the one and some the other.
    void addSplits(PlanPoint block)
    {
        const std::int64_t all = block.gpus;
        std::vector<std::int64_t> training{all};
        if (m_base.training.rl.generatesApart()) {
            training = trainingShares(all);
            if (!m_sizes.isFree(PlanDimension::RolloutGpus))
                training = {all - rolloutGpus(m_base)};
        }
        for (const std::int64_t gpus : training) {
            if (gpus < 1)
                continue;
            block.gpus = gpus;
            block.rollouts = all - gpus;
            block.rolloutTensor = bestRolloutTensor(block);
            if (block.rolloutTensor > 0)
                addLayouts(block);
        }
    }

    /// GPUs of a copy with which the answers of a block are there soonest, whatever trains; of those that do not fit
    /// the leanest, and 0 where no size divides the GPUs.
    [[nodiscard]] std::int64_t bestRolloutTensor(PlanPoint block) const
    {
        const bool apart = m_base.training.rl.generatesApart();
        const std::int64_t gpus = apart ? block.rollouts : block.gpus;
        std::vector<std::int64_t> sizes = m_sizes.tensor(gpus, PlanDimension::RolloutTensor);
        PreparedScenario scenario = m_base;
        std::int64_t best = 0;
        RlResult of;
        for (const std::int64_t size : sizes) {
            if (gpus % size != 0)
                continue;
            block.rolloutTensor = size;
            applyPoint(m_request, block, scenario);
            const RlResult here = rlGeneration(scenario);
            const auto key = [](const RlResult& r) {
                return r.fits ? r.part(RlPart::Generate) : r.usedBytes / std::max(1.0, r.capacityBytes);
            };
            if (best > 0 && (here.fits != of.fits ? of.fits : key(of) <= key(here)))
                continue;
            best = size;
            of = here;
        }
        return best;
    }

    const PlanRequest& m_request;
    const PreparedScenario& m_base;
    PlanSizes m_sizes;
    std::vector<PlanPoint> m_blocks;
};

} // namespace

std::vector<PlanPoint> trainingLayouts(const PlanRequest& request)
{
    return TrainingLayouts(request).all();
}

} // namespace headroom::planner
