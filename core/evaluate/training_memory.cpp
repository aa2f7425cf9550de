// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/training_memory.hpp"

#include "core/evaluate/training_memory_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom
{
namespace
{

/// One forward, one backward: a stage keeps what the stages behind it still work on.
double microBatchesInFlight(const TrainingPlan& plan, std::size_t stage) noexcept
{
    if (plan.pipeline <= 1)
        return 1;
    const double p = plan.pipeline, v = plan.virtualPipeline;
    const double first = v > 1 ? p * (1 + (p - 1) / (p * v)) : p;
    return std::clamp(first - double(stage), 1.0, std::max(1.0, plan.microBatches));
}

/// With all that the stack can save and the scenario leaves open.
TrainingPlan thrifty(TrainingPlan plan) noexcept
{
    plan.chunkedLoss = plan.chunkedLoss || plan.mayChunkLoss;
    plan.narrowStore = plan.narrowStore || plan.mayNarrowStore;
    plan.narrowGradients = plan.narrowGradients || plan.mayNarrowGradients;
    plan.projectAgain = plan.mayProjectAgain ? 1 : plan.projectAgain;
    return plan;
}

double bucketBytes(const TrainingPlan& plan) noexcept
{
    return plan.gpus > 1 ? plan.profile.bucketBytes : 0;
}

/// Beside the tensors: context and communication buffers, as the driver shows them.
double fixedBytes(const TrainingPlan& plan) noexcept
{
    const TrainingConstants& c = plan.constants;
    return c.driverBytes + (plan.gpus > 1 ? c.communicationBytes : 0) + bucketBytes(plan);
}

/// What the allocator holds beyond the tensors: a share of them, less where the device is full.
double allocatorReserve(const TrainingPlan& plan, double tensors) noexcept
{
    const double room = plan.accelerator->usableMemoryBytes() - tensors - fixedBytes(plan);
    return std::clamp(room, 0.0, (plan.constants.reservedFactor - 1) * tensors);
}

/// Tensors of one stage by part.
using TensorParts = std::array<double, memoryPartCount>;

TensorParts tensorParts(const TrainingPlan& plan, const MemoryStage& stage) noexcept
{
    const TrainingStates states = trainingStates(plan, stage.index);
    StageActivations activations = stageActivations(plan, stage);
    // Logits and a layer's work space never live at once; the larger of the two is in the peak.
    if (activations.logits >= activations.workspace)
        activations.workspace = 0;
    else
        activations.logits = 0;
    TensorParts parts{};
    const auto part = [&](MemoryPart p) -> double& { return parts[static_cast<std::size_t>(p)]; };
    part(MemoryPart::Weights) = states.weights;
    part(MemoryPart::Gradients) = states.gradients;
    part(MemoryPart::Optimizer) = states.optimizer;
    part(MemoryPart::Activations) = activations.kept + activations.workspace;
    part(MemoryPart::Logits) = activations.logits;
    return parts;
}

double sum(const TensorParts& parts) noexcept
{
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

TrainingMemory memoryOf(const TrainingPlan& plan, const TensorParts& tensors) noexcept
{
    TrainingMemory m;
    m.parts = tensors;
    const double bytes = sum(tensors), context = plan.constants.contextBytes + bucketBytes(plan);
    m.allocated = bytes + context;
    m.reserved = m.allocated + allocatorReserve(plan, bytes);
    m.device = trainingDeviceBytes(plan, bytes);
    m.parts[static_cast<std::size_t>(MemoryPart::Overhead)] = m.device - bytes;
    m.capacity = plan.accelerator->usableMemoryBytes();
    return m;
}

/// The stages that may be the fullest: the first has the embedding and most micro-batches in flight, the last the head,
/// and one between them may have the heaviest layers.
std::array<MemoryStage, 3> memoryStages(const TrainingPlan& plan) noexcept
{
    const auto stage = [&](std::size_t index) { return MemoryStage{index, microBatchesInFlight(plan, index)}; };
    return {stage(0), stage(plan.layout.heaviest()), stage(plan.layout.last())};
}

/// `bytesOf` of each of them, asked once for equal ones.
template <typename BytesOf>
StageBytes onStages(const TrainingPlan& plan, const BytesOf& bytesOf) noexcept
{
    const auto stages = memoryStages(plan);
    const double first = bytesOf(stages[0]);
    if (plan.pipeline <= 1)
        return {first, first, first};
    const double last = bytesOf(stages[2]);
    const bool between = stages[1].index != stages[0].index && stages[1].index != stages[2].index;
    return {first, between ? bytesOf(stages[1]) : last, last};
}

/// The memory of a stack that saves no more than it must.
struct SavedMemory {
    TrainingMemory memory; ///< of the fullest stage
    double share = 0;      ///< of what can be saved
};

/// Between `asked` and `least`: the smallest share of the difference with which every stage fits, or all of it. So the
/// memory stays at the capacity while the need grows, and nothing jumps where a stack begins to save.
SavedMemory savedMemory(const TrainingPlan& asked, const TrainingPlan& least) noexcept
{
    const auto stages = memoryStages(asked);
    const std::size_t count = asked.pipeline > 1 ? stages.size() : 1;
    const double room = asked.accelerator->usableMemoryBytes() - fixedBytes(asked);
    constexpr double rounding = 1e-9; // what is saved up to the capacity fits
    std::array<TensorParts, 3> most{}, fewest{};
    SavedMemory result;
    for (std::size_t i = 0; i < count; ++i) {
        most[i] = fewest[i] = tensorParts(asked, stages[i]);
        if (&asked == &least || sum(most[i]) <= room)
            continue;
        fewest[i] = tensorParts(least, stages[i]);
        const double can = sum(most[i]) - sum(fewest[i]);
        const double needed = (sum(most[i]) - room) * (1 + rounding);
        result.share = std::max(result.share, can > 0 ? std::min(1.0, needed / can) : 0);
    }
    double fullest = -1;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t p = 0; p < most[i].size(); ++p)
            most[i][p] -= result.share * (most[i][p] - fewest[i][p]);
        if (const double bytes = sum(most[i]); bytes > fullest) {
            fullest = bytes;
            result.memory = memoryOf(asked, most[i]);
        }
    }
    return result;
}

} // namespace

TrainingMemory trainingMemory(const TrainingPlan& plan) noexcept
{
    return savedMemory(plan, plan).memory;
}

StageBytes trainingStateBytes(const TrainingPlan& plan) noexcept
{
    const TrainingPlan least = thrifty(plan);
    return onStages(least, [&](const MemoryStage& stage) {
        const TrainingStates s = trainingStates(least, stage.index);
        return s.weights + s.gradients + s.optimizer;
    });
}

StageBytes trainingActivationBytes(const TrainingPlan& plan) noexcept
{
    const TrainingPlan least = thrifty(plan);
    return onStages(least, [&](const MemoryStage& stage) {
        const StageActivations a = stageActivations(least, stage);
        return a.kept + std::max(a.workspace, a.logits);
    });
}

double trainingDeviceBytes(const TrainingPlan& plan, double tensors) noexcept
{
    const double least = tensors + fixedBytes(plan), capacity = plan.accelerator->usableMemoryBytes();
    const double wanted = least + (plan.constants.reservedFactor - 1) * tensors;
    return std::max(least, std::min(wanted, capacity));
}

TrainingMemory resolveUnstated(TrainingPlan& plan, WarningSet& warnings) noexcept
{
    const auto fitted = [&] {
        SavedMemory memory = savedMemory(plan, plan);
        if (memory.memory.fits())
            return memory.memory;
        TrainingPlan least = thrifty(plan);
        least.projectAgain = plan.projectAgain; // the only saving that takes time comes last
        memory = savedMemory(plan, least);
        if (memory.share > 0)
            warnings.add(WarningCode::SavesMemory, memory.share);
        if (!memory.memory.fits() && plan.mayProjectAgain) {
            TrainingPlan again = least;
            again.projectAgain = 1;
            memory = savedMemory(least, again);
            plan.projectAgain = memory.share;
        }
        return memory.memory;
    };
    TrainingMemory memory = fitted();
    // scenario.md 1.3: unknown is predicted as none, or as full if that does not fit.
    if (plan.setup->training.checkpointing == Checkpointing::Unknown && !memory.fits()) {
        plan.projectAgain = 0;
        setCheckpointing(plan, Checkpointing::Full, 1);
        warnings.add(WarningCode::CheckpointingRaised);
        memory = fitted();
    }
    return memory;
}

} // namespace headroom
