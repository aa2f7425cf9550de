// SPDX-License-Identifier: GPL-3.0-or-later
// What the activations take in memory while training (docs/method/memory.md).
#include "core/predict/attention_keys.hpp"
#include "core/predict/expert_width.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/predict/training/training_rank.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

constexpr std::uint8_t feedForwardTargets = LoraTargets::Gate | LoraTargets::Up | LoraTargets::Down;

/// What one layer keeps, by checkpointing mode, and its work space while it runs again; `all` without checkpointing.
/// `inputs`: of what is kept, the inputs of layers that run again whole.
struct LayerMemory {
    double kept = 0, workspace = 0, all = 0, inputs = 0;
};

double selectiveBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const AttentionWidths w = attentionWidths(kind);
    const double routed = plan.expertImbalance * double(kind.moe.topK * kind.moe.ffn); // of the busiest group
    const double width = kind.ffn + double(kind.moe.sharedFfn) + routed;
    const RankHeads own = headsOnRank(kind, plan.tensor);
    const double result = plan.flash ? own.heads * w.valueDim : 0; // of unfused attention, it runs again
    const double attention = own.heads * w.keyDim + own.kvHeads * w.valueDim + result;
    return plan.tokens * plan.valueBytes *
           (2 * plan.model->hidden / plan.sequenceSplit + attention + width / plan.tensor);
}

/// Probabilities and masks that attention keeps without FlashAttention: of whole rows, packed samples or not.
double scoreBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (plan.flash || kind.mixer != MixerKind::Attention)
        return 0;
    const double each = 2 * plan.valueBytes + 1; // probabilities before and after dropout, and its mask
    return plan.tokens * each * headsOnRank(kind, plan.tensor).heads * plan.sequence;
}

LayerMemory layerMemory(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const double all = layerActivationBytes(plan, kind);
    const double checkpoint = keepsInputsOnHost(plan) ? 0 : std::min(all, layerInputBytes(plan));
    switch (plan.checkpointing) {
    case Checkpointing::Full:
        return {checkpoint, plan.constants.workspaceFactor * all, all, checkpoint};
    case Checkpointing::SelectiveLayer:
        return {(1 - plan.again.matmul) * all + plan.again.matmul * checkpoint, plan.constants.workspaceFactor * all,
                all, plan.again.matmul * checkpoint};
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

/// Of a token. Those of each pass of the head wait for its backward pass. In pieces they are as many as a token has
/// values, at most: Liger makes a piece of a share hidden ÷ vocabulary of the tokens (fused_linear_cross_entropy.py,
/// inc_factor).
double logitBytes(const TrainingPlan& plan) noexcept
{
    const double vocab = std::ceil(plan.model->vocab / plan.tensor);
    const TrainingConstants& c = plan.constants;
    return plan.chunkedLoss ? std::min(c.chunkedLogitBytes * vocab, c.chunkedHiddenBytes * plan.model->hidden)
                            : plan.heads() * plan.profile.logitBytes * vocab;
}

} // namespace

double layerInputBytes(const TrainingPlan& plan) noexcept
{
    return plan.valueBytes * plan.model->hidden * plan.tokens / plan.sequenceSplit;
}

bool keepsInputsOnHost(const TrainingPlan& plan) noexcept
{
    return plan.profile.offloadsCheckpoints && !plan.accelerator->unifiedMemory;
}

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
        const RankHeads own = headsOnRank(kind, plan.tensor);
        const double expanded = own.heads * w.keyDim + own.kvHeads * (w.keyDim + w.valueDim);
        bytes += value * ((1 - again) * expanded + again * latentWidth(kind));
        bytes += own.heads * (input * w.valueDim + 4);
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
        const double width = expertWidth(kind, h);
        bytes += plan.expertImbalance * double(kind.moe.topK) *
                 (feedForward(kind.moe.gated) * double(kind.moe.ffn) + (value + input) * width * plan.expertTensor) /
                 tp;
    }
    return plan.profile.activationFactor * plan.tokens * bytes + scoreBytes(plan, kind);
}

bool keepsInputGradients(const TrainingPlan& plan) noexcept
{
    return plan.profile.keepsInputGradients && plan.adapters && plan.sharding == Sharding::Fsdp &&
           (plan.checkpointing == Checkpointing::Full || plan.checkpointing == Checkpointing::SelectiveLayer);
}

std::array<StageActivations, mostMemoryStages> stageActivations(const TrainingPlan& plan,
                                                                const MemoryStages& stages) noexcept
{
    std::array<StageActivations, mostMemoryStages> results;
    std::array<double, mostMemoryStages> all{}, inputs{};
    for (std::size_t k = 0; k < plan.model->kinds.size(); ++k) {
        const LayerMemory layer = layerMemory(plan, plan.model->kinds[k]); // the same on every stage
        for (std::size_t i = 0; i < stages.count; ++i) {
            const MemoryStage& stage = stages.stage[i];
            const double layers = plan.layout.layers(stage.index, k);
            if (layers <= 0)
                continue;
            results[i].kept += stage.inFlight * layers * layer.kept;
            all[i] += stage.inFlight * layers * layer.all;
            inputs[i] += layers * layer.inputs;
            results[i].workspace = std::max(results[i].workspace, layer.workspace);
        }
    }
    for (std::size_t i = 0; i < stages.count; ++i) {
        StageActivations& result = results[i];
        // Of a layer that runs again, what was kept is part of what it needs: no more than without checkpointing.
        result.workspace = std::min(result.workspace, all[i] - result.kept);
        if (keepsInputGradients(plan))
            result.workspace += inputs[i]; // as large as what they are gradients of
        if (stages.stage[i].index == plan.layout.last()) {
            result.logits = logitBytes(plan) * plan.tokens;
        }
    }
    return results;
}

} // namespace headroom
