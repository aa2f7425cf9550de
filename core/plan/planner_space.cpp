// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_space.hpp"

#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom::planner
{

PlanSpace::PlanSpace(const PlanRequest& request)
    : m_request(request), m_hasReaders(hasPrefillPool(request.base)), m_readers(readersOf(request))
{
    for (std::uint32_t i = 0; i < request.accelerators.size(); ++i)
        request.base.task == Task::Training ? addTraining(i) : addInference(i);
}

bool PlanSpace::headsDivide(std::int64_t tensor) const
{
    const ModelArchitecture& model = m_request.base.model->architecture;
    const auto together = [](std::int64_t a, std::int64_t b) { return a < 1 || b < 1 || a % b == 0 || b % a == 0; };
    return (model.heads < 1 || model.heads % tensor == 0) && together(model.kvHeads, tensor);
}

std::vector<std::int64_t> PlanSpace::tensorSizes(std::int64_t most, PlanDimension of) const
{
    const PreparedScenario& base = m_request.base;
    if (!isFree(of))
        return {of == PlanDimension::RolloutTensor ? rolloutTensor(base) : base.parallelism.tensor};
    std::vector<std::int64_t> sizes;
    const std::int64_t heads = std::max<std::int64_t>(1, base.model->architecture.heads);
    for (std::int64_t t = 1; t <= std::min(heads, most); ++t)
        if (headsDivide(t))
            sizes.push_back(t);
    return sizes;
}

/// Expert sizes of a block that `ranks` ranks may share, each one block.
void PlanSpace::addExperts(PlanPoint block, std::int64_t ranks)
{
    const auto experts = static_cast<std::int64_t>(m_request.base.model->experts);
    if (!isFree(PlanDimension::Expert) || experts < 2) {
        block.expert = m_request.base.parallelism.expert;
        m_blocks.push_back(block);
        return;
    }
    for (std::int64_t e = 1; e <= std::min(experts, ranks); ++e) {
        const bool even = e % block.tensor == 0 || block.tensor % e == 0;
        if (experts % e == 0 && ranks % e == 0 && even) {
            block.expert = e;
            m_blocks.push_back(block);
        }
    }
}

std::vector<DataType> PlanSpace::precisions(const Accelerator& accelerator) const
{
    const bool training = m_request.base.task == Task::Training;
    const DataType base = training ? m_request.base.training.precision : m_request.base.inference.weights;
    std::vector<DataType> all{base};
    // Bits a weight stated by hand belong to one format only.
    if (!isFree(PlanDimension::Precision) || (!training && m_request.base.inference.weightBits))
        return all;
    const auto add = [&](DataType type, bool there) {
        if (there && std::ranges::find(all, type) == all.end())
            all.push_back(type);
    };
    add(DataType::Bf16, accelerator.peakFlops(DataType::Bf16) > 0);
    add(DataType::Fp8, accelerator.peakFlops(DataType::Fp8) > 0);
    if (!training) {
        add(DataType::Int8, accelerator.peakFlops(DataType::Int8) > 0);
        add(DataType::Fp4, accelerator.peakFlops(DataType::Fp4) > 0);
        add(DataType::Int4, true); // stored in 4 bits, multiplied in 16
    }
    return all;
}

std::vector<DataType> PlanSpace::cachePrecisions() const
{
    std::vector<DataType> all{m_request.base.inference.kvCache};
    if (isFree(PlanDimension::KvCache))
        for (const DataType type : {DataType::Bf16, DataType::Fp8})
            if (std::ranges::find(all, type) == all.end())
                all.push_back(type);
    return all;
}

std::uint64_t PlanSpace::count(const PlanPoint& block) const
{
    return m_request.base.task == Task::Training ? trainingChoices(block).count() : m_batches.size();
}

void PlanSpace::apply(const PlanPoint& point, PreparedScenario& s) const
{
    const PlanAccelerator& device = m_request.accelerators[point.accelerator];
    const Parallelism& base = m_request.base.parallelism;
    s.accelerator = device.accelerator;
    s.hardware.pricePerGpuHour = device.pricePerGpuHour;
    s.hardware.spotMtbfHours = device.spotMtbfHours;
    if (s.price != device.price)
        s.price = device.price;
    s.hardware.count = point.gpus;
    Parallelism& p = s.parallelism;
    p.tensor = point.tensor;
    p.pipeline = point.pipeline;
    p.virtualPipeline = point.virtualPipeline;
    p.context = point.context;
    p.expert = point.expert;
    p.attentionData = point.attentionData;
    if (s.task == Task::Training) {
        p.replicas = point.replicas > 1 || base.replicas ? std::optional(point.replicas) : std::nullopt;
        p.sharding = point.sharding;
        p.sequenceParallel =
            point.sequenceParallel == (point.tensor > 1) ? std::nullopt : std::optional(point.sequenceParallel);
        s.training.microBatch = point.microBatch;
        s.training.checkpointing = point.checkpointing;
        s.training.checkpointEvery = point.checkpointEvery;
        s.training.precision = point.precision;
        s.training.offload = point.offload;
        s.training.chunkedLoss = point.chunkedLoss;
        s.training.gradients = point.gradients;
        if (isRl(s)) {
            s.training.rl.rolloutTensor = point.rolloutTensor;
            if (s.training.rl.placement == RlPlacement::Separate)
                s.training.rl.rolloutCount = point.rollouts;
        }
    } else {
        p.replicas = point.replicas;
        s.inference.batch = point.batch;
        s.inference.weights = point.precision;
        s.inference.kvCache = point.kvCache;
        s.inference.batchMax = m_request.base.inference.batchMax && !isFree(PlanDimension::Batch);
        if (!m_readers.empty())
            applyReader(point, s);
    }
}

void PlanSpace::applyReader(const PlanPoint& point, PreparedScenario& s) const
{
    const PlanReader& reader = m_readers[point.reader];
    InferenceWorkload& w = s.inference;
    w.prefillPool.tensor = reader.layout.tensor;
    w.prefillPool.pipeline = reader.layout.pipeline;
    w.prefillPool.context = reader.layout.context;
    w.prefillPool.expert = reader.layout.expert;
    w.prefillPool.attentionData = reader.layout.attentionData;
    w.prefillPool.count = point.readers > 0 ? std::optional(point.readers * reader.gpus) : std::nullopt;
    const bool same = reader.device.accelerator == s.accelerator;
    s.prefillAccelerator = same ? nullptr : reader.device.accelerator;
    w.prefillPool.accelerator = same ? std::nullopt : CatalogId::from(reader.device.accelerator->id);
    w.prefillPool.pricePerGpuHour =
        reader.device.pricePerGpuHour == s.hardware.pricePerGpuHour ? std::nullopt : reader.device.pricePerGpuHour;
}

std::optional<std::int64_t> PlanSpace::heldReaders(const PlanReader& reader) const
{
    const auto& held = m_request.base.inference.prefillPool.count;
    if (!held || isFree(PlanDimension::Replicas))
        return std::nullopt;
    return *held % reader.gpus == 0 ? *held / reader.gpus : 0;
}

std::string PlanSpace::heldFormats() const
{
    const PreparedScenario& base = m_request.base;
    const bool precision = !isFree(PlanDimension::Precision);
    if (base.task == Task::Training)
        return precision ? say("The matmuls stay in {}", toId(base.training.precision)) : std::string();
    const bool cache = !isFree(PlanDimension::KvCache);
    if (precision && cache)
        return say("Weights stay in {}, the cache in {}", toId(base.inference.weights), toId(base.inference.kvCache));
    if (precision)
        return say("Weights stay in {}", toId(base.inference.weights));
    return cache ? say("The cache stays in {}", toId(base.inference.kvCache)) : std::string();
}

std::vector<std::string> PlanSpace::notes() const
{
    std::vector<std::string> notes;
    const PreparedScenario& base = m_request.base;
    if (base.task == Task::Inference && !isLoaded())
        notes.push_back(said("No load is stated (requests_per_s): the smallest number of replicas is taken"));
    if (base.task == Task::Inference && isLoaded() && m_request.objective == PlanObjective::Time)
        notes.push_back(said("The most replicas are the fastest: as many are taken as the GPUs allow"));
    if (base.task == Task::Inference && m_request.gpuCounts.back() > mostReplicaGpus)
        notes.push_back(
            say("One replica has at most {} GPUs", std::max(mostReplicaGpus, modelParallelRanks(base.parallelism))));
    if (base.task == Task::Training && !base.training.globalBatch && !isRl(base))
        notes.emplace_back(
            said("No global batch is stated: each configuration trains micro-batch × data sequences a step"));
    if (base.task == Task::Training && base.training.trainingTokens && !countsFailures(base.training))
        notes.emplace_back(said("Failures are not counted in the time and the cost to train"));
    if (m_hasReaders)
        notes.emplace_back(said("The GPUs are those of both pools together"));
    if (m_hasReaders && m_readers.empty())
        notes.emplace_back(
            said("No pool can read the prompts: in every layout the weights are more than it has memory for"));
    if (isRl(base)) {
        if (base.training.rl.placement == RlPlacement::Separate)
            notes.emplace_back(said("The GPUs are those that train and those that generate together"));
        notes.emplace_back(said("Published steps of reinforcement learning took 1.1 to 1.8 times as long as predicted, "
                                "and have no interval: what is asked for holds for the predicted step"));
    } else if (m_request.slowEnd)
        notes.emplace_back(said("Targets hold at the slow end of the 80 % interval"));
    if (const std::string held = heldFormats(); !held.empty())
        notes.push_back(held);
    if (m_blocks.empty())
        notes.emplace_back(
            said("No legal layout: the GPUs do not divide into the parallel sizes, or the global batch does "
                 "not divide over the data-parallel ranks"));
    return notes;
}

} // namespace headroom::planner
