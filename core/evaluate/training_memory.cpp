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
    double layers = 0, embeddings = 0; ///< embeddings: matrices of vocabulary × hidden
    double inFlight = 1;               ///< micro-batches whose activations are kept
    bool head = false;
};

double microBatchesInFlight(const TrainingPlan& plan) noexcept
{
    if (plan.pipeline <= 1)
        return 1;
    const double p = plan.pipeline, v = plan.virtualPipeline;
    const double depth = v > 1 ? p * (1 + (p - 1) / (p * v)) : p;
    return std::min(plan.microBatches, depth);
}

/// Bytes per parameter: stored weight, gradient, optimizer states with the master copy.
States bytesPerParameter(const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const double moments = optimizerStateBytes(t.optimizer);
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
    const bool master = plan.setup->training.masterWeights == MasterWeights::Fp32;
    const double local = n.dense / plan.shards + n.experts / plan.expertShards;
    // With a master copy the shard itself is fp32: 4 + gradient 4 + moments 8 = 16.
    States result = master ? States{4 * local, bytes.gradients * local, (bytes.optimizer - 4) * local}
                           : States{2 * local, 2 * local, bytes.optimizer * local};
    if (plan.shards <= 1)
        return result;
    const double layer = largestLayer(plan);
    if (plan.pipeline > 1) { // a stage stays gathered between its micro-batches
        result.weights += 2 * (n.dense + n.experts);
        result.gradients += 4 * (n.dense + n.experts);
        return result;
    }
    result.weights += 2 * 2 * layer;
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
    const bool divided = plan.sharding != Sharding::None;
    const double shards = divided ? plan.shards : 1, expertShards = divided ? plan.expertShards : 1;
    const double all = n.dense + n.experts, shard = n.dense / shards + n.experts / expertShards;
    // FP8 weights take as much as 16-bit ones: by rows for the forward pass and by columns for the backward, gathered
    // as such (fp8_param_gather of the NeMo and Megatron Bridge recipes), with no 16-bit copy beside them.
    States result{bytes.weights * all, bytes.gradients * all, bytes.optimizer * shard};
    if (plan.sharding == Sharding::Zero2)
        result.gradients = bytes.gradients * shard;
    if (divided)
        result.optimizer += plan.profile.zero1ExtraBytes * shard;
    return result;
}

/// A frozen base and trained adapters of 16 bytes a parameter.
States adapterStates(const TrainingPlan& plan, const StageParameters& n, const MemoryStage& stage) noexcept
{
    const double matrices = stage.embeddings * plan.model->headWeights / plan.tensor;
    // A frozen weight has no 16-bit master: with an 8-bit matmul it is kept as the matmul reads it.
    const double base = plan.quantized ? nf4Bytes : std::clamp(plan.inputBytes, 1.0, 2.0);
    const bool sharded = plan.sharding == Sharding::Fsdp && plan.shards > 1;
    const double shards = sharded ? plan.shards : 1, expertShards = sharded ? plan.expertShards : 1;
    States result;
    result.weights = base * ((n.dense - matrices) / shards + n.experts / expertShards) + 2 * matrices / shards;
    if (sharded)
        result.weights += 2 * 2 * largestLayer(plan) + 2 * plan.model->headWeights / plan.tensor;
    const double trained = n.trainableDense / shards + n.trainableExperts / expertShards;
    result.weights += 4 * trained;
    result.gradients = 4 * trained;
    result.optimizer = 8 * trained;
    return result;
}

States statesOf(const TrainingPlan& plan, const MemoryStage& stage) noexcept
{
    const StageParameters n = stageParameters(plan, stage.layers, stage.embeddings);
    States result = plan.adapters                     ? adapterStates(plan, n, stage)
                    : plan.sharding == Sharding::Fsdp ? shardedStates(plan, n)
                                                      : replicatedStates(plan, n);
    const Offload offload = plan.setup->training.offload;
    if (offload != Offload::None)
        result.optimizer = 0;
    if (offload == Offload::Parameters) // two layers at a time visit the device
        result.weights = std::min(result.weights, 2 * 2 * largestLayer(plan));
    return result;
}

/// What one layer keeps, by checkpointing mode, and its work space while it runs again.
struct LayerMemory {
    double kept = 0, workspace = 0;
};

double selectiveBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const AttentionWidths w = attentionWidths(kind);
    const double width = kind.ffn + double(kind.moe.sharedFfn) + double(kind.moe.topK * kind.moe.ffn);
    const double attention = w.queryWidth() + w.kvHeads * w.valueDim + w.outputWidth();
    return plan.tokens *
           (4 * plan.model->hidden / plan.sequenceSplit + 2 * attention / plan.tensor + 2 * width / plan.tensor);
}

/// Probabilities and masks that attention keeps without FlashAttention.
double scoreBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (plan.flash || kind.mixer != MixerKind::Attention)
        return 0;
    return plan.tokens * 5 * attentionWidths(kind).heads * plan.sample / plan.tensor;
}

LayerMemory layerMemory(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const double all = layerActivationBytes(plan, kind);
    const double input = 2 * plan.model->hidden * plan.tokens / plan.sequenceSplit;
    switch (plan.checkpointing) {
    case Checkpointing::Full:
        return {input, plan.constants.workspaceFactor * all};
    case Checkpointing::SelectiveLayer:
        return {(1 - plan.again.matmul) * all + plan.again.matmul * input, plan.constants.workspaceFactor * all};
    case Checkpointing::SelectiveOp:
        return {std::min(all, selectiveBytes(plan, kind)), all};
    case Checkpointing::AttentionOnly:
        return {all - scoreBytes(plan, kind), scoreBytes(plan, kind)};
    case Checkpointing::None:
    case Checkpointing::Unknown:
        break;
    }
    return {all, 0};
}

struct StageActivations {
    double kept = 0, workspace = 0, logits = 0;
};

StageActivations activationsOf(const TrainingPlan& plan, const MemoryStage& stage) noexcept
{
    StageActivations result;
    const double share = stage.layers / plan.model->layers;
    for (const LayerKind& kind : plan.model->kinds) {
        const LayerMemory layer = layerMemory(plan, kind);
        result.kept += stage.inFlight * share * kind.count * layer.kept;
        result.workspace = std::max(result.workspace, layer.workspace);
    }
    if (stage.head) {
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
    plan.projectAgain = plan.projectAgain || plan.mayProjectAgain;
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

TrainingMemory stageMemory(const TrainingPlan& plan, const MemoryStage& stage) noexcept
{
    const States states = statesOf(plan, stage);
    StageActivations activations = activationsOf(plan, stage);
    // Logits and a layer's work space never live at once; the larger of the two is in the peak.
    if (activations.logits >= activations.workspace)
        activations.workspace = 0;
    else
        activations.logits = 0;
    TrainingMemory m;
    const auto part = [&](MemoryPart p) -> double& { return m.parts[static_cast<std::size_t>(p)]; };
    part(MemoryPart::Weights) = states.weights;
    part(MemoryPart::Gradients) = states.gradients;
    part(MemoryPart::Optimizer) = states.optimizer;
    part(MemoryPart::Activations) = activations.kept + activations.workspace;
    part(MemoryPart::Logits) = activations.logits;
    const double tensors = std::accumulate(m.parts.begin(), m.parts.end(), 0.0);
    const double context = plan.constants.contextBytes + bucketBytes(plan);
    m.allocated = tensors + context;
    part(MemoryPart::Overhead) = allocatorReserve(plan, tensors) + context;
    m.reserved = std::accumulate(m.parts.begin(), m.parts.end(), 0.0);
    m.device = trainingDeviceBytes(plan, tensors);
    m.capacity = plan.accelerator->usableMemoryBytes();
    return m;
}

/// First and last stage; a single one is both.
std::array<MemoryStage, 2> memoryStages(const TrainingPlan& plan) noexcept
{
    if (plan.pipeline <= 1) {
        const MemoryStage only{plan.stage.layers, plan.model->untiedHeadParameters > 0 ? 2.0 : 1.0, 1, true};
        return {only, only};
    }
    const double first = microBatchesInFlight(plan);
    const double last = plan.virtualPipeline > 1 ? std::max(1.0, first - plan.pipeline + 1) : 1;
    return {MemoryStage{plan.stage.layers, 1, first, false}, MemoryStage{plan.stage.lastLayers, 1, last, true}};
}

} // namespace

namespace
{

bool projectsAgain(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    return plan.projectAgain && kind.mixer == MixerKind::Attention && kind.attention.kind == AttentionKind::Mla &&
           kind.attention.mla.qLoraRank > 0;
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
    const double input = narrow ? 1 : 2;
    // A frozen matmul needs no input for a weight gradient: without adapters there, nothing is kept for it.
    const bool frozen = plan.adapters && (plan.setup->training.loraTargets.bits & feedForwardTargets) == 0;
    double bytes = blocks * (4 + (frozen ? 1 : 2) * input) * h / sp; // two norm inputs, two norm outputs
    bytes += plan.profile.dropoutBytes * h / sp;
    if (kind.mixer == MixerKind::Attention) {
        bytes += 2 * (projectsAgain(plan, kind) ? latentWidth(kind)
                                                : (w.queryWidth() + w.kvHeads * (w.keyDim + w.valueDim)) / tp);
        bytes += (input * w.outputWidth() + 4 * w.heads) / tp;
    } else if (kind.mixer != MixerKind::None) {
        bytes += 2 * kind.mixerWeights / h / tp;
    }
    const auto feedForward = [&](bool gated) {
        const double kept = gated ? plan.profile.gatedMlpBytes : plan.profile.gatedMlpBytes - 2;
        // Of these, 2 are the input of the second matmul; the others go into the activation function.
        return (plan.narrowStore ? (kept - 2) / 2 : kept - 2) + (frozen ? 0 : input);
    };
    bytes += feedForward(kind.gated) * kind.ffn / tp;
    if (kind.hasMoe) {
        bytes += feedForward(kind.moe.gated) * double(kind.moe.sharedFfn) / tp;
        const double width = kind.moe.latent > 0 ? double(kind.moe.latent) : h;
        bytes += double(kind.moe.topK) *
                 (feedForward(kind.moe.gated) * double(kind.moe.ffn) + (2 + input) * width * plan.expertTensor) / tp;
    }
    return plan.profile.activationFactor * plan.tokens * bytes + scoreBytes(plan, kind);
}

TrainingMemory trainingMemory(const TrainingPlan& plan) noexcept
{
    const auto stages = memoryStages(plan);
    const TrainingMemory first = stageMemory(plan, stages[0]);
    if (plan.pipeline <= 1)
        return first;
    const TrainingMemory end = stageMemory(plan, stages[1]);
    return first.reserved >= end.reserved ? first : end;
}

std::array<double, 2> trainingStateBytes(const TrainingPlan& plan) noexcept
{
    const TrainingPlan least = thrifty(plan);
    const auto sum = [](const States& s) { return s.weights + s.gradients + s.optimizer; };
    const auto stages = memoryStages(least);
    const double first = sum(statesOf(least, stages[0]));
    return {first, plan.pipeline > 1 ? sum(statesOf(least, stages[1])) : first};
}

std::array<double, 2> trainingActivationBytes(const TrainingPlan& plan) noexcept
{
    const TrainingPlan least = thrifty(plan);
    const auto sum = [](const StageActivations& a) { return a.kept + std::max(a.workspace, a.logits); };
    const auto stages = memoryStages(least);
    const double first = sum(activationsOf(least, stages[0]));
    return {first, plan.pipeline > 1 ? sum(activationsOf(least, stages[1])) : first};
}

double trainingDeviceBytes(const TrainingPlan& plan, double tensors) noexcept
{
    const double least = tensors + fixedBytes(plan), capacity = plan.accelerator->usableMemoryBytes();
    const double wanted = least + (plan.constants.reservedFactor - 1) * tensors;
    return std::max(least, std::min(wanted, capacity));
}

TrainingMemory resolveUnstated(TrainingPlan& plan) noexcept
{
    TrainingMemory memory = trainingMemory(plan);
    if (memory.fits())
        return memory;
    const TrainingPlan asked = plan;
    const auto save = [&] {
        if (memory.fits())
            return;
        plan = thrifty(plan);
        plan.projectAgain = asked.projectAgain; // the only one that takes time comes last
        memory = trainingMemory(plan);
        if (memory.fits() || !plan.mayProjectAgain)
            return;
        plan.projectAgain = true;
        memory = trainingMemory(plan);
    };
    save();
    // scenario.md 1.3: unknown is predicted as none, or as full if that does not fit.
    if (plan.setup->training.checkpointing == Checkpointing::Unknown && !memory.fits()) {
        plan = asked;
        setCheckpointing(plan, Checkpointing::Full, 1);
        memory = trainingMemory(plan);
        save();
    }
    return memory;
}

} // namespace headroom
