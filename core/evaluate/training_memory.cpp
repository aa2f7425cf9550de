// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/training_memory.hpp"

#include "core/evaluate/attention_keys.hpp"
#include "core/evaluate/training_communication.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom
{
namespace
{

constexpr double nf4Bytes = 0.53; ///< NF4 with doubly quantised scales
constexpr std::uint8_t feedForwardTargets = LoraTargets::Gate | LoraTargets::Up | LoraTargets::Down;

/// Weights, gradients and optimizer states, before the allocator.
struct States {
    double weights = 0, gradients = 0, optimizer = 0;
};

/// One stage of the pipeline as memory sees it.
struct MemoryStage {
    std::size_t index = 0;
    double inFlight = 1; ///< micro-batches whose activations are kept
};

/// One forward, one backward: a stage keeps what the stages behind it still work on.
double microBatchesInFlight(const TrainingPlan& plan, std::size_t stage) noexcept
{
    if (plan.pipeline <= 1)
        return 1;
    const double p = plan.pipeline, v = plan.virtualPipeline;
    const double first = v > 1 ? p * (1 + (p - 1) / (p * v)) : p;
    return std::clamp(first - double(stage), 1.0, std::max(1.0, plan.microBatches));
}

/// Bytes per parameter: stored weight, gradient, optimizer states with the master copy.
States bytesPerParameter(const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const double moments = optimizerStateBytes(t.optimizer);
    if (plan.valueBytes > 2) // the weights are their own master copy
        return {plan.valueBytes, plan.valueBytes, moments};
    if (t.masterWeights == MasterWeights::None)
        return {2, 2, moments / 2};
    double gradients = t.gradients ? (*t.gradients == Gradients::Bf16 ? 2 : 4) : plan.profile.gradientBytes;
    if (plan.narrowGradients)
        gradients = 2;
    return {2, gradients, 4 + moments};
}

double largestLayer(const TrainingPlan& plan) noexcept
{
    double largest = 0;
    for (const LayerKind& kind : plan.model->kinds) {
        const double experts = double(kind.moe.experts) * kind.expertWeights;
        largest =
            std::max(largest, (kind.parameters - experts) / plan.tensor + experts / (plan.expert * plan.expertTensor));
    }
    return largest;
}

/// FSDP: everything in shards (fp32 unless the weights are 16-bit only), and what is gathered while a layer runs.
States shardedStates(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    const States bytes = bytesPerParameter(plan);
    const bool master = plan.setup->training.masterWeights == MasterWeights::Fp32 && plan.valueBytes <= 2;
    const double local = n.dense / plan.shards + n.experts / plan.expertShards;
    // With a master copy the shard itself is fp32: 4 + gradient 4 + moments 8 = 16.
    States result = master ? States{4 * local, bytes.gradients * local, (bytes.optimizer - 4) * local}
                           : States{bytes.weights * local, bytes.gradients * local, bytes.optimizer * local};
    const double layer = largestLayer(plan);
    if (plan.pipeline > 1) { // a stage stays gathered between its micro-batches
        result.weights += plan.valueBytes * (n.dense + n.experts);
        result.gradients += 4 * (n.dense + n.experts);
        return result;
    }
    result.weights += 2 * plan.valueBytes * layer;
    if (!plan.profile.keepsShards) {
        result.gradients += 4 * layer;
        result.weights += 4 * plan.model->headWeights / plan.tensor;
    }
    return result;
}

/// Megatron's layout, and DeepSpeed's: weights whole, optimizer states divided by ZeRO.
States replicatedStates(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    const States bytes = bytesPerParameter(plan);
    const bool divided = plan.sharding != Sharding::None && plan.shards > 1;
    const double shards = divided ? plan.shards : 1, expertShards = divided ? plan.expertShards : 1;
    const double all = n.dense + n.experts, shard = n.dense / shards + n.experts / expertShards;
    // FP8 weights take as much as 16-bit ones: by rows for the forward pass and by columns for the backward, gathered
    // as such (fp8_param_gather of the NeMo and Megatron Bridge recipes), with no 16-bit copy beside them.
    States result{bytes.weights * all, bytes.gradients * all, bytes.optimizer * shard};
    if (plan.sharding == Sharding::Zero2)
        result.gradients = bytes.gradients * shard;
    // Where nothing is divided, nothing is kept beside the parts.
    const double parts = (shards > 1 ? n.dense / shards : 0) + (expertShards > 1 ? n.experts / expertShards : 0);
    result.optimizer += plan.profile.zero1ExtraBytes * parts;
    return result;
}

/// A frozen base and trained adapters of 16 bytes a parameter.
States adapterStates(const TrainingPlan& plan, const StageParameters& n, const MemoryStage& stage) noexcept
{
    const double matrices = vocabularyMatrices(plan, stage.index) * plan.model->headWeights / plan.tensor;
    // A frozen weight has no 16-bit master: with an 8-bit matmul it is kept as the matmul reads it.
    const double base = plan.quantized ? nf4Bytes : std::clamp(plan.inputBytes, 1.0, plan.valueBytes);
    const bool sharded = plan.sharding == Sharding::Fsdp && plan.shards > 1;
    const double shards = sharded ? plan.shards : 1, expertShards = sharded ? plan.expertShards : 1;
    States result;
    result.weights = base * ((n.dense - matrices) / shards + n.experts / expertShards) + plan.valueBytes * matrices / shards;
    if (sharded)
        result.weights += 2 * base * largestLayer(plan) + plan.valueBytes * plan.model->headWeights / plan.tensor;
    const auto trained = [&](bool divided) {
        return divided ? n.trainableDense / plan.shards + n.trainableExperts / plan.expertShards
                       : n.trainableDense + n.trainableExperts;
    };
    result.weights += 4 * trained(sharded);
    result.gradients = 4 * trained(sharded || plan.sharding == Sharding::Zero2);
    result.optimizer = 8 * trained(plan.sharding != Sharding::None);
    return result;
}

States statesOf(const TrainingPlan& plan, const MemoryStage& stage) noexcept
{
    const StageParameters n = stageParameters(plan, stage.index);
    States result = plan.adapters                     ? adapterStates(plan, n, stage)
                    : plan.sharding == Sharding::Fsdp && plan.shards > 1 ? shardedStates(plan, n)
                                                                         : replicatedStates(plan, n);
    const Offload offload = plan.setup->training.offload;
    if (offload != Offload::None)
        result.optimizer = 0;
    if (offload == Offload::Parameters) // two layers at a time visit the device
        result.weights = std::min(result.weights, 2 * plan.valueBytes * largestLayer(plan));
    return result;
}

/// What one layer keeps, by checkpointing mode, and its work space while it runs again; `all` without checkpointing.
struct LayerMemory {
    double kept = 0, workspace = 0, all = 0;
};

double selectiveBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const AttentionWidths w = attentionWidths(kind);
    const double width = kind.ffn + double(kind.moe.sharedFfn) + double(kind.moe.topK * kind.moe.ffn);
    const double attention = w.queryWidth() + w.kvHeads * w.valueDim + w.outputWidth();
    return plan.tokens *
           plan.valueBytes * (2 * plan.model->hidden / plan.sequenceSplit + (attention + width) / plan.tensor);
}

/// Probabilities and masks that attention keeps without FlashAttention.
double scoreBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (plan.flash || kind.mixer != MixerKind::Attention)
        return 0;
    const double each = 2 * plan.valueBytes + 1; // probabilities before and after dropout, and its mask
    return plan.tokens * each * attentionWidths(kind).heads * plan.sample / plan.tensor;
}

LayerMemory layerMemory(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const double all = layerActivationBytes(plan, kind);
    const double input = plan.valueBytes * plan.model->hidden * plan.tokens / plan.sequenceSplit;
    switch (plan.checkpointing) {
    case Checkpointing::Full:
        return {std::min(all, input), plan.constants.workspaceFactor * all, all};
    case Checkpointing::SelectiveLayer:
        return {(1 - plan.again.matmul) * all + plan.again.matmul * std::min(all, input),
                plan.constants.workspaceFactor * all, all};
    case Checkpointing::SelectiveOp:
        return {std::min(all, selectiveBytes(plan, kind)), plan.constants.workspaceFactor * all, all};
    case Checkpointing::AttentionOnly:
        return {all - scoreBytes(plan, kind), plan.constants.workspaceFactor * scoreBytes(plan, kind), all};
    case Checkpointing::None:
    case Checkpointing::Unknown:
        break;
    }
    return {all, 0, all};
}

struct StageActivations {
    double kept = 0, workspace = 0, logits = 0;
};

StageActivations activationsOf(const TrainingPlan& plan, const MemoryStage& stage) noexcept
{
    StageActivations result;
    double all = 0;
    for (std::size_t k = 0; k < plan.model->kinds.size(); ++k) {
        const double layers = plan.layout.layers(stage.index, k);
        if (layers <= 0)
            continue;
        const LayerMemory layer = layerMemory(plan, plan.model->kinds[k]);
        result.kept += stage.inFlight * layers * layer.kept;
        all += stage.inFlight * layers * layer.all;
        result.workspace = std::max(result.workspace, layer.workspace);
    }
    // Of a layer that runs again, what was kept is part of what it needs: no more than without checkpointing.
    result.workspace = std::min(result.workspace, all - result.kept);
    if (stage.index == plan.layout.last()) {
        const double bytes = plan.chunkedLoss ? plan.constants.chunkedLogitBytes : plan.profile.logitBytes;
        result.logits = bytes * plan.tokens * std::ceil(plan.model->vocab / plan.tensor);
    }
    return result;
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
    const States states = statesOf(plan, stage);
    StageActivations activations = activationsOf(plan, stage);
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

namespace
{

/// Share of the layers of this kind that keep latents and project them up again.
double projectedAgain(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const bool can = kind.mixer == MixerKind::Attention && kind.attention.kind == AttentionKind::Mla &&
                     kind.attention.mla.qLoraRank > 0;
    return can ? plan.projectAgain : 0;
}

/// What multi-head latent attention keeps of queries, keys and values when it projects them up again.
double latentWidth(const LayerKind& kind) noexcept
{
    const auto& mla = kind.attention.mla;
    return double(mla.qLoraRank) + double(mla.kvLoraRank) + double(mla.qkRope);
}

} // namespace

double layerActivationBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const AttentionWidths w = attentionWidths(kind);
    const double h = plan.model->hidden, sp = plan.sequenceSplit, tp = plan.tensor;
    const double blocks = (kind.mixer != MixerKind::None ? 0.5 : 0) + (kind.ffn > 0 || kind.hasMoe ? 0.5 : 0);
    const bool narrow = plan.width != MatmulClass::Bits16; // FP8 keeps the inputs of matmuls at one byte
    const double value = plan.valueBytes, input = narrow ? 1 : value;
    // A frozen matmul needs no input for a weight gradient: without adapters there, nothing is kept for it.
    const bool frozen = plan.adapters && (plan.setup->training.loraTargets.bits & feedForwardTargets) == 0;
    double bytes = blocks * (2 * value + (frozen ? 1 : 2) * input) * h / sp; // two norm inputs, two norm outputs
    bytes += plan.profile.dropoutBytes * h / sp;
    if (kind.mixer == MixerKind::Attention) {
        const double again = projectedAgain(plan, kind);
        const double expanded = (w.queryWidth() + w.kvHeads * (w.keyDim + w.valueDim)) / tp;
        bytes += value * ((1 - again) * expanded + again * latentWidth(kind));
        bytes += (input * w.outputWidth() + 4 * w.heads) / tp;
    } else if (kind.mixer != MixerKind::None) {
        bytes += value * kind.mixerWeights / h / tp;
    }
    const auto feedForward = [&](bool gated) {
        const double kept = gated ? plan.profile.gatedMlpBytes : plan.profile.gatedMlpBytes - 2;
        // Of these, 2 are the input of the second matmul; the others go into the activation function.
        return (kept - 2) * (plan.narrowStore ? 0.5 : value / 2) + (frozen ? 0 : input);
    };
    bytes += feedForward(kind.gated) * kind.ffn / tp;
    if (kind.hasMoe) {
        bytes += feedForward(kind.moe.gated) * double(kind.moe.sharedFfn) / tp;
        const double width = kind.moe.latent > 0 ? double(kind.moe.latent) : h;
        bytes += double(kind.moe.topK) *
                 (feedForward(kind.moe.gated) * double(kind.moe.ffn) + (value + input) * width * plan.expertTensor) / tp;
    }
    return plan.profile.activationFactor * plan.tokens * bytes + scoreBytes(plan, kind);
}

TrainingMemory trainingMemory(const TrainingPlan& plan) noexcept
{
    return savedMemory(plan, plan).memory;
}

StageBytes trainingStateBytes(const TrainingPlan& plan) noexcept
{
    const TrainingPlan least = thrifty(plan);
    return onStages(least, [&](const MemoryStage& stage) {
        const States s = statesOf(least, stage);
        return s.weights + s.gradients + s.optimizer;
    });
}

StageBytes trainingActivationBytes(const TrainingPlan& plan) noexcept
{
    const TrainingPlan least = thrifty(plan);
    return onStages(least, [&](const MemoryStage& stage) {
        const StageActivations a = activationsOf(least, stage);
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
