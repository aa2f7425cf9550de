// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_communication.hpp"

#include "core/predict/attention_keys.hpp"
#include "core/predict/expert_width.hpp"
#include "core/predict/tensor_sums.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/predict/training/training_rank.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

/// Bytes of a weight as a gather moves it.
double weightLinkBytes(const TrainingPlan& plan) noexcept
{
    if (plan.quantized)
        return nf4Bytes;
    return plan.width == MatmulClass::Bits16 ? plan.valueBytes : 1;
}

constexpr double fp32Bytes = 4;

/// DeepSpeed's pipeline engine, which ran beside Megatron-LM in 2021 and 2022, all-reduces the 32-bit gradients that
/// its bf16 optimizer keeps, then divides the states (deepspeed/runtime/pipe/engine.py, _bf16_reduce_grads). Only
/// fp16's gradients of 16 bit are scattered.
bool reducesWhole(const TrainingPlan& plan) noexcept
{
    const TrainingSoftware software = plan.setup->training.software;
    return (software == TrainingSoftware::Megatron2021 || software == TrainingSoftware::DeepSpeed) && !plan.ideal &&
           plan.sharding == Sharding::Zero1 && plan.pipeline > 1 && plan.setup->training.precision != DataType::Fp16;
}

/// What of `time` shows; the compute that hides the rest is used up.
double hide(double time, double overlap, double& compute) noexcept
{
    const double exposed = TrainingPlan::exposed(time, overlap, compute);
    compute = std::max(0.0, compute - (time - exposed));
    return exposed;
}

/// Whether the tensor ranks gather the tokens of a feed-forward block and scatter its result. Where sequence
/// parallelism has divided the tokens and each expert lies on one rank, the all-to-all takes a rank's own tokens.
bool joinsFeedForward(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (!kind.hasMoe)
        return kind.ffn > 0;
    return kind.ffn > 0 || kind.moe.sharedFfn > 0 || plan.expertTensor > 1 || plan.sequenceSplit <= 1;
}

void addTensor(const TrainingPlan& plan, const LayerKind& kind, LayerCompute& compute,
               LayerCommunication& result) noexcept
{
    if (plan.tensor <= 1)
        return;
    const bool mixer = kind.mixer != MixerKind::None, feedForward = joinsFeedForward(plan, kind);
    const TensorSums sums = tensorSums(plan.model->architecture, mixer, feedForward);
    const double one =
        gatherTime(plan.valueBytes * plan.tokens * plan.model->hidden, plan.group(plan.tensor, 1), plan.links);
    // A sum is several of these. Sequence parallelism scatters results and gathers inputs forward, turns both round
    // backward, and gathers the inputs once more for the weight gradients.
    const bool divided = plan.sequenceSplit > 1;
    const double whole = plan.gathersOfSum();
    const double forward = divided ? sums.inputs + sums.results : whole * sums.results;
    const double backward = divided ? 2 * sums.inputs + sums.results : whole * sums.inputs;
    const double overlap = plan.profile.overlapTensor;
    result.tensorForward = hide(forward * one, overlap, compute.forward);
    result.tensorBackward = hide(backward * one, overlap, compute.backward);
}

/// A recurrence goes through a sequence in order. Its ranks trade pieces of the sequence for heads before it and back
/// after it, each time by an all-to-all that nothing hides (Megatron-LM, core/ssm/mamba_context_parallel.py): what the
/// input projection writes, then what the output projection reads.
void exchangeHeads(const TrainingPlan& plan, const LayerKind& kind, LayerCompute& compute,
                   LayerCommunication& result) noexcept
{
    const double after = recurrentWidth(kind), before = kind.mixerWeights / plan.model->hidden - after;
    const auto exchange = [&](double width) {
        const double bytes = plan.valueBytes * plan.tokens * width / plan.tensor;
        return exchangeTime(bytes, 1, 1, plan.group(plan.context, plan.tensor), plan.links);
    };
    const double both = exchange(before) + exchange(after), overlap = plan.ideal ? 1 : 0;
    result.contextForward = hide(both, overlap, compute.forward);
    result.contextBackward = hide(both, overlap, compute.backward);
}

/// Share of a rank's tokens whose keys and values travel: compressed ones as they are compressed (DeepSeek V4), beside
/// which the last few tokens before a rank's own are nothing.
double travellingShare(const LayerKind& kind) noexcept
{
    const auto ratio = double(kind.attention.compress);
    return kind.attention.kind != AttentionKind::Dsv4 ? 1 : ratio > 0 ? 1 / ratio : 0;
}

void addContext(const TrainingPlan& plan, const LayerKind& kind, LayerCompute& compute,
                LayerCommunication& result) noexcept
{
    if (plan.context <= 1 || kind.mixer == MixerKind::None || kind.cross) // text meets no keys of another rank there
        return;
    if (kind.mixer != MixerKind::Attention) {
        exchangeHeads(plan, kind, compute, result);
        return;
    }
    const AttentionWidths w = attentionWidths(kind);
    const GroupShape group = plan.group(plan.context, plan.tensor);
    const double token = plan.valueBytes * std::ceil(w.kvHeads / plan.tensor) * (w.keyDim + w.valueDim);
    const double steps = plan.context - 1, tokens = plan.tokens * travellingShare(kind), bytes = token * tokens;
    if (plan.ideal) { // no ring: what a window reaches, over all adapters, behind all that the layer computes
        const double reach = kind.window > 0 ? plan.microBatch * kind.window : steps * tokens;
        const double elsewhere = std::min((group.ranks - group.ranksPerNode) * tokens, reach);
        const double gather =
            leastGatherTime(token * std::min(steps * tokens, reach), token * elsewhere, group, plan.links);
        result.contextForward = hide(gather, 1, compute.forward);
        result.contextBackward = hide(2 * gather, 1, compute.backward);
        return;
    }
    // A rank sends to its neighbour alone: of a ring over nodes, the hop between two of them has one adapter.
    const double hop = group.crossesNodes() ? std::min(plan.links.scaleUp, plan.links.scaleOut) : plan.links.scaleUp;
    const double ring = steps * (bytes / hop + plan.links.start);
    const double share = plan.constants.ringExposed;
    result.contextForward = std::max(0.0, ring - compute.coreForward) + share * ring;
    // Keys and values travel again, and their gradients with them.
    result.contextBackward = std::max(0.0, 2 * ring - compute.coreBackward) + share * 2 * ring;
    compute.forward -= std::min(ring, compute.coreForward);
    compute.backward -= std::min(2 * ring, compute.coreBackward);
}

void addExpert(const TrainingPlan& plan, const LayerKind& kind, LayerCompute& compute,
               LayerCommunication& result) noexcept
{
    if (!kind.hasMoe || plan.expert <= 1)
        return;
    const double width = expertWidth(kind, plan.model->hidden);
    const double bytes = plan.valueBytes * plan.tokens / plan.tensor * plan.expertTensor * width;
    const double one =
        plan.expertImbalance * exchangeTime(bytes, double(kind.moe.topK), mostCopies(kind.moe, plan.constants),
                                            plan.group(plan.expert, plan.expertTensor), plan.links);
    const double overlap = plan.constants.exchangeOverlap;
    result.expertForward = hide(2 * one, overlap, compute.forward);
    result.expertBackward = hide(2 * one, overlap, compute.backward);
}

GroupShape expertGroup(const TrainingPlan& plan) noexcept
{
    return plan.group(plan.expertShards, plan.expert * plan.expertTensor);
}

/// What is hidden slows the compute beside it.
double shown(const TrainingPlan& plan, double time, double compute) noexcept
{
    const double exposed = TrainingPlan::exposed(time, plan.profile.overlapDataParallel, compute);
    return exposed + plan.constants.slowdown * (time - exposed);
}

/// All-reduce of shards between the groups of hybrid sharding: of `dense` and `experts` bytes that a rank holds before
/// they are divided. Experts have groups of their own, further apart.
double replicaTime(const TrainingPlan& plan, double dense, double experts) noexcept
{
    if (plan.replicas <= 1)
        return 0;
    const GroupShape groups = plan.group(plan.replicas, plan.tensor * plan.shards);
    const GroupShape copies = plan.group(plan.expertReplicas, plan.expert * plan.expertTensor * plan.expertShards);
    return plan.gathersOfSum() * (gatherTime(dense / plan.shards, groups, plan.links) +
                                  (experts > 0 ? gatherTime(experts / plan.expertShards, copies, plan.links) : 0));
}

/// FSDP: weights gathered forward and backward, gradients scattered, per layer and micro-batch.
void addSharded(const TrainingPlan& plan, const LayerKind& kind, const LayerCompute& compute,
                LayerCommunication& result) noexcept
{
    if (plan.sharding != Sharding::Fsdp || plan.shards <= 1 || plan.pipeline > 1)
        return; // inside a pipeline a stage stays gathered for the whole step
    const RankParameters weights = layerOnRank(plan, kind);
    const RankParameters trained = plan.adapters ? adaptersOnRank(plan, kind) : weights;
    const GroupShape dense = plan.shardGroup(), experts = kind.hasMoe ? expertGroup(plan) : GroupShape();
    const double bytes = weightLinkBytes(plan), gradient = gradientLinkBytes(plan);
    const double adapter = plan.adapters ? plan.valueBytes : 0; // they lie in the layer's shards, too
    const auto move = [&](double denseBytes, double expertBytes) {
        return gatherTime(denseBytes, dense, plan.links) +
               (expertBytes > 0 ? gatherTime(expertBytes, experts, plan.links) : 0);
    };
    const double gather =
        move(bytes * weights.dense + adapter * trained.dense, bytes * weights.experts + adapter * trained.experts);
    const double scatter = move(gradient * trained.dense, gradient * trained.experts) +
                           replicaTime(plan, gradient * trained.dense, gradient * trained.experts);
    result.dataForward = shown(plan, gather, compute.forward);
    result.data = result.dataForward + shown(plan, gather + scatter, compute.backward + compute.again);
}

/// What is outside the layers moves as PyTorch's FSDP moves it. Megatron's own and XLA's plan these exchanges by
/// themselves, and neither says when they do.
bool gathersAsPyTorch(TrainingSoftware software) noexcept
{
    using enum TrainingSoftware;
    return software != Megatron && software != Megatron2021 && software != Jax && software != JaxEager;
}

} // namespace

double communicationAgain(const TrainingPlan& plan) noexcept
{
    const Checkpointing mode = plan.checkpointing;
    return mode == Checkpointing::Full || mode == Checkpointing::SelectiveLayer ? plan.again.matmul : 0;
}

LayerCommunication layerCommunication(const TrainingPlan& plan, const LayerKind& kind, LayerCompute compute) noexcept
{
    LayerCommunication result;
    if (plan.gpus <= 1)
        return result;
    const LayerCompute all = compute;
    addContext(plan, kind, compute, result);
    addTensor(plan, kind, compute, result);
    addExpert(plan, kind, compute, result);
    compute.again -= communicationAgain(plan) * (all.forward - compute.forward); // the same hides there once more
    result.hiddenForward = all.forward - compute.forward;
    result.hiddenBackward = all.backward - compute.backward + all.again - compute.again;
    addSharded(plan, kind, compute, result);
    return result;
}

double gradientLinkBytes(const TrainingPlan& plan) noexcept
{
    return std::max(std::min(plan.profile.gradientLinkBytes, unreducedGradientBytes(plan)), plan.valueBytes);
}

bool sharesEmbedding(const TrainingPlan& plan) noexcept
{
    return plan.pipeline > 1 && (plan.model->untiedHeadParameters <= 0 || plan.model->predictionLayers > 0);
}

double vocabularyMatrices(const TrainingPlan& plan, std::size_t stage) noexcept
{
    if (plan.pipeline <= 1)
        return plan.model->untiedHeadParameters > 0 ? 2 : 1;
    if (stage != plan.layout.last())
        return stage == 0 ? 1 : 0;
    const bool copies = plan.model->untiedHeadParameters > 0 && sharesEmbedding(plan); // for layers that predict
    return copies ? 2 : 1;
}

PassExchange outsideExchange(const TrainingPlan& plan, double forward, double backward) noexcept
{
    if (plan.sharding != Sharding::Fsdp || plan.shards <= 1 || plan.pipeline > 1 ||
        !gathersAsPyTorch(plan.setup->training.software))
        return {};
    const double matrix = plan.model->headWeights / plan.tensor;
    const double behind = (vocabularyMatrices(plan, 0) - 1) * matrix + plan.model->outsideParameters / plan.tensor;
    const auto gather = [&](double weights) {
        return weights > 0 ? gatherTime(plan.valueBytes * weights, plan.shardGroup(), plan.links) : 0;
    };
    const auto scatter = [&](double weights) {
        const double bytes = gradientLinkBytes(plan) * weights;
        return plan.adapters || weights <= 0
                   ? 0
                   : gatherTime(bytes, plan.shardGroup(), plan.links) + replicaTime(plan, bytes, 0);
    };
    PassExchange result{shown(plan, gather(behind), forward), shown(plan, scatter(behind), backward)};
    if (!plan.ideal) { // at the speed of light it hides, as all communication does
        result.forward += gather(matrix);
        result.backward += scatter(matrix);
    }
    return result;
}

StageParameters stageParameters(const TrainingPlan& plan, std::size_t stage) noexcept
{
    StageParameters result;
    for (std::size_t k = 0; k < plan.model->kinds.size(); ++k) {
        const LayerKind& kind = plan.model->kinds[k];
        const double layers = plan.layout.layers(stage, k);
        if (layers <= 0)
            continue; // of a few dense layers before many with experts, most stages have none
        const RankParameters weights = layerOnRank(plan, kind);
        const RankParameters trained = plan.adapters ? adaptersOnRank(plan, kind) : weights;
        result.dense += layers * weights.dense;
        result.experts += layers * weights.experts;
        result.trainableDense += layers * trained.dense;
        result.trainableExperts += layers * trained.experts;
    }
    result.matrices = vocabularyMatrices(plan, stage) * plan.model->headWeights / plan.tensor;
    const double matrices = result.matrices + plan.model->outsideParameters / plan.tensor / plan.pipeline;
    result.dense += matrices;
    if (!plan.adapters)
        result.trainableDense += matrices;
    return result;
}

namespace
{

bool exchangesOnceAStep(const TrainingPlan& plan) noexcept
{
    return (plan.sharding != Sharding::Fsdp || plan.pipeline > 1) && plan.data * plan.context > 1;
}

/// s of one gather of so many bytes, each divided by the group that holds it.
double gatherBoth(const TrainingPlan& plan, const ShardGroups& groups, double dense, double experts) noexcept
{
    return gatherTime(dense, groups.dense, plan.links) +
           (experts > 0 ? gatherTime(experts, groups.experts, plan.links) : 0);
}

} // namespace

ShardGroups stepGroups(const TrainingPlan& plan) noexcept
{
    if (!exchangesOnceAStep(plan))
        return {};
    return {plan.shardGroup(), plan.model->moeLayers > 0 ? expertGroup(plan) : GroupShape()};
}

double stepDataParallel(const TrainingPlan& plan, const ShardGroups& groups, const StageParameters& parameters,
                        double forward, double backward, double idle) noexcept
{
    if (!exchangesOnceAStep(plan))
        return 0;
    const auto once = [&](double bytes) {
        return gatherBoth(plan, groups, bytes * parameters.trainableDense, bytes * parameters.trainableExperts);
    };
    const bool whole = reducesWhole(plan);
    const double gradient = whole ? fp32Bytes : gradientLinkBytes(plan);
    const double scatter = (whole ? 2 : 1) * once(gradient) + replicaTime(plan, gradient * parameters.trainableDense,
                                                                          gradient * parameters.trainableExperts);
    if (plan.sharding == Sharding::None)
        return shown(plan, plan.gathersOfSum() * scatter, backward + idle); // all-reduce of the gradients
    const double weight = weightLinkBytes(plan), wide = plan.valueBytes * parameters.matrices;
    const auto base = [&] {
        return gatherBoth(plan, groups, weight * (parameters.dense - parameters.matrices) + wide,
                          weight * parameters.experts);
    };
    double gather = plan.adapters ? once(plan.valueBytes) : base();
    if (plan.adapters && plan.sharding == Sharding::Fsdp) // the frozen weights lie in shards, too
        gather += base();
    // The micro-batch that hides the gather waits once: behind the part of the wait that the gather takes beyond the
    // forward pass no scatter of its own hides.
    const double left = std::max(0.0, idle - std::max(0.0, gather - forward));
    const bool each = plan.sharding == Sharding::Zero2; // gradients leave after every micro-batch
    const bool alone = each || plan.microBatches <= 1;
    const double first = shown(plan, scatter, backward + (alone ? left : idle));
    const double others = each ? (plan.microBatches - 1) * shown(plan, scatter, backward + idle) : 0;
    return first + others + shown(plan, gather, forward + idle);
}

} // namespace headroom
