// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_memory.hpp"

#include "core/predict/training/training_memory_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom
{
namespace
{

/// One forward, one backward: a stage keeps what the stages behind it still work on. Interleaved, it begins with
/// 2 (p - 1 - i) + (v - 1) p pieces and holds one more (Megatron-LM, core/pipeline_parallel/schedules.py).
double microBatchesInFlight(const TrainingPlan& plan, std::size_t stage) noexcept
{
    if (plan.pipeline <= 1)
        return 1;
    const double p = plan.pipeline, v = plan.virtualPipeline;
    const double i = double(stage), held = v > 1 ? p + (p - 1 - 2 * i) / v : p - i;
    return std::clamp(held, 1.0, std::max(1.0, plan.microBatches));
}

/// With all that the stack can save and the scenario leaves open.
TrainingPlan thrifty(const TrainingPlan& plan) noexcept
{
    TrainingPlan least = plan;
    least.chunkedLoss = plan.chunkedLoss || plan.mayChunkLoss;
    least.narrowStore = plan.narrowStore || plan.mayNarrowStore;
    least.narrowGradients = plan.narrowGradients || plan.mayNarrowGradients;
    least.projectAgain = plan.mayProjectAgain ? 1 : plan.projectAgain;
    return least;
}

/// Whether there is any of that.
bool maySave(const TrainingPlan& plan) noexcept
{
    return plan.mayChunkLoss || plan.mayNarrowStore || plan.mayNarrowGradients || plan.mayProjectAgain;
}

/// `bytesOf` a plan that is thrifty; most have nothing to save, and a copy of a plan is dear.
template <typename BytesOf>
auto ofThrifty(const TrainingPlan& plan, const BytesOf& bytesOf) noexcept
{
    return maySave(plan) ? bytesOf(thrifty(plan)) : bytesOf(plan);
}

double bucketBytes(const TrainingPlan& plan) noexcept
{
    return plan.gpus > 1 ? plan.profile.bucketBytes : 0;
}

/// What the allocator holds beyond the tensors: a share of them, less where the device is full.
double allocatorReserve(const TrainingDevice& device, double tensors) noexcept
{
    return std::clamp(device.capacity - tensors - device.fixed, 0.0, device.reserve * tensors);
}

/// Tensors of one stage by part.
using TensorParts = std::array<double, memoryPartCount>;

double sum(const TensorParts& parts) noexcept
{
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// States of a stage by when they are there.
struct Moments {
    double once = 0, again = 0, update = 0; ///< as in StageStates
};

Moments momentsOf(const TrainingPlan& plan, const TrainingStates& s) noexcept
{
    const double between = s.weights + s.optimizer, all = between + s.gradients;
    return {gradientsStay(plan) ? all : between, all, all + s.update};
}

/// Tensors of a stage at the fullest moment.
struct StageTensor {
    TensorParts parts{};
    double bytes = 0; ///< their sum
};
/// Gradients have what they add to it: nothing where the activations, gone before all gradients are there, take more.
StageTensor stageTensor(const TrainingPlan& plan, const TrainingStates& states, const StageActivations& a) noexcept
{
    const Moments moments = momentsOf(plan, states);
    // Logits and a layer's work space never live at once; the larger of the two is in the peak.
    const bool inLoss = a.logits >= a.workspace;
    const double grows = a.kept + (inLoss ? a.logits : a.workspace);
    const double peak = std::max(moments.update, (plan.microBatches > 1 ? moments.again : moments.once) + grows);
    const double added = peak - states.weights - states.optimizer - grows;
    const double gradients = std::clamp(added, 0.0, states.gradients);
    StageTensor result;
    const auto part = [&](MemoryPart p) -> double& { return result.parts[static_cast<std::size_t>(p)]; };
    part(MemoryPart::Weights) = states.weights;
    part(MemoryPart::Gradients) = gradients;
    part(MemoryPart::Optimizer) = states.optimizer + std::max(0.0, added - gradients);
    part(MemoryPart::Activations) = inLoss ? a.kept : grows;
    part(MemoryPart::Logits) = inLoss ? a.logits : 0;
    result.bytes = peak;
    return result;
}

TrainingMemory memoryOf(const TrainingPlan& plan, const TensorParts& tensors, double bytes) noexcept
{
    TrainingMemory m;
    m.parts = tensors;
    const double context = plan.constants.contextBytes + bucketBytes(plan);
    m.allocated = bytes + context;
    const TrainingDevice device(plan);
    m.reserved = m.allocated + allocatorReserve(device, bytes);
    m.device = device.bytes(bytes);
    m.parts[static_cast<std::size_t>(MemoryPart::Overhead)] = m.device - bytes;
    m.capacity = device.capacity;
    return m;
}

/// Whether one stage has as many layers of every kind as another, or more.
bool holdsAsMuch(const TrainingPlan& plan, std::size_t one, std::size_t other) noexcept
{
    bool all = true;
    for (std::size_t k = 0; k < plan.model->kinds.size() && all; ++k)
        all = plan.layout.layers(one, k) >= plan.layout.layers(other, k);
    return all;
}

/// Which they are follows from the layout alone: a search takes states and activations from different plans.
MemoryStages memoryStages(const TrainingPlan& plan) noexcept
{
    MemoryStages result;
    const auto stage = [&](std::size_t index) { return MemoryStage{index, microBatchesInFlight(plan, index)}; };
    const std::size_t last = plan.layout.last();
    result.stage[0] = stage(0);
    if (last > 0)
        result.stage[result.count++] = stage(last);
    for (std::size_t s = 1; s < last; s += plan.layout.alike(s)) {
        bool less = holdsAsMuch(plan, 0, s);
        for (std::size_t i = 2; i < result.count && !less; ++i)
            less = holdsAsMuch(plan, result.stage[i].index, s);
        if (less)
            continue;
        if (result.count < result.stage.size())
            result.stage[result.count++] = stage(s);
        else if (s == plan.layout.heaviest())
            result.stage.back() = stage(s);
    }
    return result;
}

/// What the tensors of those stages take under a plan.
struct StageTensors {
    std::array<TensorParts, mostMemoryStages> parts{};
    std::array<double, mostMemoryStages> bytes{}; ///< their sums
    std::size_t count = 0;

    explicit StageTensors(const TrainingPlan& plan) noexcept
    {
        const MemoryStages stages = memoryStages(plan);
        const auto activations = stageActivations(plan, stages);
        for (; count < stages.count; ++count) {
            const StageTensor stage =
                stageTensor(plan, trainingStates(plan, stages.stage[count].index), activations[count]);
            parts[count] = stage.parts;
            bytes[count] = stage.bytes;
        }
    }
    /// Of the fullest.
    [[nodiscard]] TrainingMemory memory(const TrainingPlan& plan) const noexcept
    {
        const auto fullest = std::size_t(std::ranges::max_element(bytes) - bytes.begin());
        return memoryOf(plan, parts[fullest], bytes[fullest]);
    }
};

/// Moves `most` towards `fewest` by the smallest share of the difference with which every stage has `room`, or by all
/// of it, and returns that share. So the memory stays at the capacity while the need grows, and nothing jumps where a
/// stack begins to save.
double save(StageTensors& most, const StageTensors& fewest, double room) noexcept
{
    constexpr double rounding = 1e-9; // what is saved up to the capacity fits
    double share = 0;
    for (std::size_t i = 0; i < most.count; ++i)
        if (const double needed = (most.bytes[i] - room) * (1 + rounding), can = most.bytes[i] - fewest.bytes[i];
            needed > 0 && can > 0)
            share = std::max(share, std::min(1.0, needed / can));
    for (std::size_t i = 0; i < most.count && share > 0; ++i) {
        for (std::size_t p = 0; p < most.parts[i].size(); ++p)
            most.parts[i][p] -= share * (most.parts[i][p] - fewest.parts[i][p]);
        most.bytes[i] = sum(most.parts[i]);
    }
    return share;
}

} // namespace

double hostInputBytes(const TrainingPlan& plan) noexcept
{
    const bool layers =
        plan.checkpointing == Checkpointing::Full || plan.checkpointing == Checkpointing::SelectiveLayer;
    if (!layers || !keepsInputsOnHost(plan))
        return 0;
    double most = 0;
    for (std::size_t s = 0; s < plan.layout.stages(); s += plan.layout.alike(s))
        most = std::max(most, microBatchesInFlight(plan, s) * plan.layout.layers(s));
    return most * plan.again.matmul * layerInputBytes(plan);
}

bool gradientsStay(const TrainingPlan& plan) noexcept
{
    return buffersGradients(plan.profile, plan.sharding) || plan.updatesInBackward;
}

StageStates trainingStateBytes(const TrainingPlan& plan) noexcept
{
    return ofThrifty(plan, [](const TrainingPlan& least) {
        const MemoryStages stages = memoryStages(least);
        StageStates states;
        for (states.count = 0; states.count < stages.count; ++states.count) {
            const Moments moments = momentsOf(least, trainingStates(least, stages.stage[states.count].index));
            states.once[states.count] = moments.once;
            states.again[states.count] = moments.again;
            states.update = std::max(states.update, moments.update);
        }
        return states;
    });
}

StageActivationBytes trainingActivationBytes(const TrainingPlan& plan) noexcept
{
    return ofThrifty(plan, [](const TrainingPlan& least) {
        const MemoryStages stages = memoryStages(least);
        const auto activations = stageActivations(least, stages);
        StageActivationBytes result;
        result.accumulates = least.microBatches > 1;
        for (std::size_t i = 0; i < stages.count; ++i)
            result.bytes[i] = activations[i].kept + std::max(activations[i].workspace, activations[i].logits);
        return result;
    });
}

TrainingDevice::TrainingDevice(const TrainingPlan& plan) noexcept
    : capacity(plan.accelerator->usableMemoryBytes()),
      fixed(plan.constants.driverBytes + (plan.gpus > 1 ? plan.constants.communicationBytes : 0) + bucketBytes(plan)),
      reserve(plan.constants.reservedFactor - 1)
{
}

TrainingMemory resolveUnstated(TrainingPlan& plan, WarningSet& warnings) noexcept
{
    const auto fitted = [&] {
        StageTensors tensors(plan);
        TrainingMemory memory = tensors.memory(plan);
        if (memory.fits() || !maySave(plan))
            return memory;
        const TrainingDevice device(plan);
        const double room = device.capacity - device.fixed;
        TrainingPlan least = thrifty(plan);
        least.projectAgain = plan.projectAgain; // the only saving that takes time comes last
        StageTensors saved(least);
        if (const double share = save(tensors, saved, room); share > 0)
            warnings.add(WarningCode::SavesMemory, share);
        memory = tensors.memory(plan);
        if (!memory.fits() && plan.mayProjectAgain) {
            TrainingPlan again = least;
            again.projectAgain = 1;
            plan.projectAgain = save(saved, StageTensors(again), room);
            warnings.add(WarningCode::ProjectsAgain, plan.projectAgain);
            memory = saved.memory(least);
        }
        return memory;
    };
    TrainingMemory memory = fitted();
    // Unknown is predicted as none, or as full if that does not fit.
    if (plan.setup->training.checkpointing == Checkpointing::Unknown && !memory.fits()) {
        plan.projectAgain = 0;
        setCheckpointing(plan, Checkpointing::Full, 1);
        warnings.add(WarningCode::CheckpointingRaised);
        memory = fitted();
    }
    return memory;
}

} // namespace headroom
