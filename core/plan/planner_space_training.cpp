// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_space.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::planner
{
namespace
{

/// Micro-batches where no global batch limits them.
constexpr std::int64_t mostMicroBatch = 64;

std::vector<std::int64_t> divisors(std::int64_t n)
{
    std::vector<std::int64_t> low, high;
    for (std::int64_t i = 1; i * i <= n; ++i) {
        if (n % i != 0)
            continue;
        low.push_back(i);
        if (i != n / i)
            high.push_back(n / i);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

/// Fewest recomputed layers first.
std::vector<CheckpointingChoice> everyCheckpointing()
{
    constexpr std::int64_t sparsest = 8; // sparser still: hardly another figure
    std::vector<CheckpointingChoice> all{
        {Checkpointing::None, 2}, {Checkpointing::SelectiveOp, 2}, {Checkpointing::AttentionOnly, 2}};
    for (std::int64_t every = sparsest; every >= 2; --every)
        all.push_back({Checkpointing::SelectiveLayer, every});
    all.push_back({Checkpointing::Full, 2});
    return all;
}

std::vector<std::int64_t> freeDivisors(bool free, std::int64_t held, std::int64_t n)
{
    if (free)
        return divisors(n);
    return n % held == 0 ? std::vector{held} : std::vector<std::int64_t>{};
}

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

} // namespace

std::uint64_t TrainingChoices::count() const
{
    std::uint64_t pipelines = 0;
    for (const MicroBatchChoice& choice : microBatches)
        pipelines += choice.virtualPipelines.size();
    return pipelines * shardings.size() * sequenceParallel.size() * chunkedLoss.size() * checkpointing.size();
}

void PlanSpace::addTraining(std::uint32_t accelerator)
{
    const PreparedScenario& base = m_request.base;
    PlanPoint block;
    block.accelerator = accelerator;
    block.attentionData = base.parallelism.attentionData;
    for (const DataType precision : precisions(*m_request.accelerators[accelerator].accelerator)) {
        block.precision = precision;
        for (const std::int64_t gpus : m_request.gpuCounts) {
            block.gpus = gpus;
            isRl(base) ? addSplits(block) : addLayouts(block);
        }
    }
}

/// Layouts of a block whose GPUs all train.
void PlanSpace::addLayouts(PlanPoint block)
{
    const PreparedScenario& base = m_request.base;
    const auto layers = static_cast<std::int64_t>(base.model->layers);
    const std::int64_t sequence = base.training.sequenceLength, gpus = block.gpus;
    for (const std::int64_t t : tensorSizes(gpus)) {
        if (gpus % t != 0)
            continue;
        block.tensor = t;
        const bool freePipeline = isFree(PlanDimension::Pipeline);
        for (const std::int64_t p : freeDivisors(freePipeline, base.parallelism.pipeline, gpus / t)) {
            if (freePipeline && p > layers)
                break;
            block.pipeline = p;
            const bool freeContext = isFree(PlanDimension::Context);
            for (const std::int64_t c : freeDivisors(freeContext, base.parallelism.context, gpus / t / p)) {
                if (freeContext && c > 1 && sequence % (2 * c) != 0)
                    continue;
                const std::int64_t data = gpus / t / p / c;
                if (base.training.globalBatch && *base.training.globalBatch % data != 0)
                    continue;
                block.context = c;
                addExperts(block, t * c * data);
            }
        }
    }
}

/// Layouts of a block whose GPUs train and generate: at once, or some of them the one and some the other.
void PlanSpace::addSplits(PlanPoint block)
{
    const PreparedScenario& base = m_request.base;
    const std::int64_t all = block.gpus;
    std::vector<std::int64_t> training{all};
    if (base.training.rl.placement == RlPlacement::Separate) {
        training = trainingShares(all);
        if (!isFree(PlanDimension::RolloutGpus))
            training = {all - rolloutGpus(base)};
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

/// GPUs of a copy with which the answers of a block are there soonest, whatever trains; of those that do not fit the
/// leanest, and 0 where no size divides the GPUs.
std::int64_t PlanSpace::bestRolloutTensor(PlanPoint block) const
{
    const bool apart = m_request.base.training.rl.placement == RlPlacement::Separate;
    const std::int64_t gpus = apart ? block.rollouts : block.gpus;
    std::vector<std::int64_t> sizes = tensorSizes(gpus, PlanDimension::RolloutTensor);
    PreparedScenario scenario = m_request.base;
    std::int64_t best = 0;
    RlResult of;
    for (const std::int64_t size : sizes) {
        if (gpus % size != 0)
            continue;
        block.rolloutTensor = size;
        apply(block, scenario);
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

std::vector<std::int64_t> PlanSpace::virtualPipelines(const PlanPoint& block, std::int64_t microBatches) const
{
    if (!isFree(PlanDimension::VirtualPipeline))
        return {m_request.base.parallelism.virtualPipeline};
    std::vector<std::int64_t> all{1};
    const auto layers = static_cast<std::int64_t>(m_request.base.model->layers);
    if (block.pipeline < 2 || microBatches % block.pipeline != 0)
        return all;
    for (std::int64_t v = 2; v <= layers / block.pipeline; ++v) {
        const std::int64_t chunks = block.pipeline * v;
        if (layers % chunks == 0 || (layers + 2) % chunks == 0) // embedding and head may take a layer's place each
            all.push_back(v);
    }
    return all;
}

TrainingChoices PlanSpace::trainingChoices(const PlanPoint& block) const
{
    const PreparedScenario& base = m_request.base;
    const TrainingWorkload& w = base.training;
    const std::int64_t data = block.gpus / (block.tensor * block.pipeline * block.context);
    TrainingChoices choices;

    const auto addMicroBatch = [&](std::int64_t size, std::int64_t microBatches) {
        const std::int64_t known = isRl(base) ? 1 : microBatches; // of packed answers nobody knows how many
        choices.microBatches.push_back({size, virtualPipelines(block, known)});
    };
    if (w.globalBatch) {
        const std::int64_t local = *w.globalBatch / data;
        for (const std::int64_t m : freeDivisors(isFree(PlanDimension::MicroBatch), w.microBatch, local))
            addMicroBatch(m, local / m);
    } else if (isFree(PlanDimension::MicroBatch)) {
        for (std::int64_t m = 1; m <= mostMicroBatch; m *= 2)
            addMicroBatch(m, 1);
    } else {
        addMicroBatch(w.microBatch, 1);
    }

    std::vector<ShardingChoice> shardings;
    const std::int64_t ranks = data * block.context;
    const auto addSharding = [&](Sharding sharding) {
        const bool hybrid = sharding == Sharding::Fsdp && isFree(PlanDimension::Replicas);
        const std::int64_t held = base.parallelism.replicas.value_or(1);
        for (const std::int64_t r : freeDivisors(hybrid, sharding == Sharding::Fsdp ? held : 1, data))
            if (!hybrid || r == 1 || ranks / r > 1)
                shardings.push_back({sharding, r, Offload::None, w.gradients});
    };
    if (!isFree(PlanDimension::Sharding)) {
        Setup setup = base.setup();
        setup.hardware.count = block.gpus;
        addSharding(effectiveSharding(setup));
    } else {
        addSharding(Sharding::None);
        if (ranks > 1)
            addSharding(Sharding::Zero1);
        if (ranks > 1 && block.pipeline == 1)
            addSharding(Sharding::Zero2);
        if (ranks > 1)
            addSharding(Sharding::Fsdp);
    }
    std::vector<Offload> offloads{w.offload};
    if (isFree(PlanDimension::Offload))
        offloads = {Offload::None, Offload::Optimizer, Offload::Parameters};
    std::vector<std::optional<Gradients>> gradients{w.gradients};
    // Adapters and weights without a master copy have gradients of one kind only.
    if (isFree(PlanDimension::Gradients) && w.method == Method::Full && w.masterWeights == MasterWeights::Fp32)
        gradients = {Gradients::Fp32, Gradients::Bf16};
    for (ShardingChoice choice : shardings) {
        for (const Offload offload : offloads) {
            choice.offload = offload;
            for (const std::optional<Gradients> kind : gradients) {
                choice.gradients = kind;
                choices.shardings.push_back(choice);
            }
        }
    }

    choices.chunkedLoss = {w.chunkedLoss};
    if (isFree(PlanDimension::ChunkedLoss))
        choices.chunkedLoss = {false, true};

    choices.sequenceParallel = {base.parallelism.sequenceParallel.value_or(block.tensor > 1)};
    if (isFree(PlanDimension::SequenceParallel) && block.tensor > 1)
        choices.sequenceParallel = {false, true};
    else if (isFree(PlanDimension::SequenceParallel))
        choices.sequenceParallel = {false};

    choices.checkpointing = {{w.checkpointing, w.checkpointEvery}};
    if (w.checkpointing == Checkpointing::Unknown) // a measured run's; a plan has to know
        choices.checkpointing = {{Checkpointing::None, 2}, {Checkpointing::Full, 2}};
    if (isFree(PlanDimension::Checkpointing))
        choices.checkpointing = everyCheckpointing();
    return choices;
}

} // namespace headroom::planner
