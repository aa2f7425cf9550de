// SPDX-License-Identifier: GPL-3.0-or-later
// What the states of the parameters take in memory while training (docs/method/memory.md).
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/predict/training/training_rank.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// Bytes of the copies that an update of AdamW makes of one moment of two, each parameter's.
double copiedMoments(const TrainingPlan& plan, double moments) noexcept
{
    return plan.setup->training.optimizer == Optimizer::AdamW ? plan.profile.updateCopies * moments / 2 : 0;
}

/// Bytes per parameter: stored weight, gradient, optimizer states with the master copy, and what an update needs.
TrainingStates bytesPerParameter(const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const double moments = optimizerStateBytes(t.optimizer, MasterWeights::Fp32);
    if (plan.valueBytes > 2) // the weights are their own master copy
        return {plan.valueBytes, plan.valueBytes, moments, copiedMoments(plan, moments)};
    if (t.masterWeights == MasterWeights::None) {
        const double narrow = optimizerStateBytes(t.optimizer, MasterWeights::None);
        return {2, t.gradients == Gradients::Fp32 && !plan.narrowGradients ? 4.0 : 2.0, narrow,
                copiedMoments(plan, narrow)};
    }
    double gradients = plan.profile.gradientBytes;
    if (t.gradients == Gradients::Bf16)
        gradients = 2;
    else if (t.gradients) // beside those of 16 bit where a stack makes such: 4 bytes more (BLOOM's chronicles, prequel)
        gradients = gradients < 4 ? gradients + 4 : 4;
    if (plan.narrowGradients)
        gradients = 2;
    return {2, gradients, 4 + moments, copiedMoments(plan, moments)};
}

} // namespace

double unreducedGradientBytes(const TrainingPlan& plan) noexcept
{
    constexpr double fp32 = 4;
    return plan.adapters ? fp32 : std::min(fp32, bytesPerParameter(plan).gradients);
}

namespace
{

double largestLayer(const TrainingPlan& plan) noexcept
{
    double largest = 0;
    for (const LayerKind& kind : plan.model->kinds)
        largest = std::max(largest, layerOnRank(plan, kind).all());
    return largest;
}

/// A matrix of the vocabulary on a stage that has one, parameters of its rank.
double matrixOf(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    return n.matrices > 0 ? plan.model->headWeights / plan.tensor : 0;
}

/// Where each parameter is updated as soon as its gradient is there, which is then freed (a hook of torchtune's
/// full_finetune_single_device.py): what is there at once, of a layer or of a matrix, with its copies of a moment.
void freeGradients(const TrainingPlan& plan, const StageParameters& n, TrainingStates& states) noexcept
{
    if (!plan.updatesInBackward)
        return;
    const double share = std::max(largestLayer(plan), matrixOf(plan, n)) / std::max(1.0, n.dense + n.experts);
    states.gradients = std::min(1.0, share) * (states.gradients + states.update);
    states.update = 0;
}

/// Whether FSDP's shards of 16-bit weights are the 32-bit copy that the optimizer updates: not where it takes that
/// along to the host (ZeRO-Infinity, arXiv:2104.07857).
bool shardsAreMasters(const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    return t.masterWeights == MasterWeights::Fp32 && plan.valueBytes <= 2 && plan.offload == Offload::None;
}

/// Embedding and head, one matrix where they are tied: PyTorch's FSDP leaves them gathered between the passes.
double gatheredMatrices(const TrainingPlan& plan) noexcept
{
    return vocabularyMatrices(plan, 0) * plan.valueBytes * plan.model->headWeights / plan.tensor;
}

/// FSDP: everything in shards (fp32 unless the weights are 16-bit only), and what is gathered while a layer runs.
TrainingStates shardedStates(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    const TrainingStates bytes = bytesPerParameter(plan);
    const bool master = shardsAreMasters(plan);
    const double local = n.dense / plan.shards + n.experts / plan.expertShards;
    // With a master copy the shard itself is fp32: 4 + gradient 4 + moments 8 = 16.
    TrainingStates result =
        master ? TrainingStates{4 * local, bytes.gradients * local, (bytes.optimizer - 4) * local, bytes.update * local}
               : TrainingStates{bytes.weights * local, bytes.gradients * local, bytes.optimizer * local,
                                bytes.update * local};
    freeGradients(plan, n, result);
    const double unreduced = unreducedGradientBytes(plan);
    if (plan.pipeline > 1) { // a stage stays gathered between its micro-batches
        result.weights += plan.valueBytes * (n.dense + n.experts);
        result.gradients += unreduced * (n.dense + n.experts);
        return result;
    }
    const double layer = largestLayer(plan);
    result.weights += 2 * plan.valueBytes * layer;
    if (!plan.profile.keepsShards) {
        result.gradients += unreduced * layer;
        result.weights += gatheredMatrices(plan);
    }
    return result;
}

/// Megatron's layout, and DeepSpeed's: weights whole, optimizer states divided by ZeRO.
TrainingStates replicatedStates(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    const TrainingStates bytes = bytesPerParameter(plan);
    const bool divided = plan.sharding != Sharding::None && plan.shards > 1;
    const double shards = divided ? plan.shards : 1, expertShards = divided ? plan.expertShards : 1;
    const double all = n.dense + n.experts, shard = n.dense / shards + n.experts / expertShards;
    // FP8 weights take as much as 16-bit ones: by rows for the forward pass and by columns for the backward, gathered
    // as such (fp8_param_gather of the NeMo and Megatron Bridge recipes), with no 16-bit copy beside them.
    TrainingStates result{bytes.weights * all, bytes.gradients * all, bytes.optimizer * shard, bytes.update * shard};
    if (plan.sharding == Sharding::Zero2)
        result.gradients = bytes.gradients * shard;
    // Where nothing is divided, nothing is kept beside the parts.
    const double parts = (shards > 1 ? n.dense / shards : 0) + (expertShards > 1 ? n.experts / expertShards : 0);
    result.optimizer += plan.profile.zero1ExtraBytes * parts;
    freeGradients(plan, n, result);
    return result;
}

/// Of a trained adapter's parameter, in 32 bit: 16 with AdamW.
TrainingStates adapterBytes(const TrainingPlan& plan) noexcept
{
    const double moments = optimizerStateBytes(plan.setup->training.optimizer, MasterWeights::Fp32);
    return {4, 4, moments, copiedMoments(plan, moments)};
}

/// Of the trained adapters of a stage, what a rank holds where they are `divided`.
double adaptersHeld(const TrainingPlan& plan, const StageParameters& n, bool divided) noexcept
{
    return divided ? n.trainableDense / plan.shards + n.trainableExperts / plan.expertShards
                   : n.trainableDense + n.trainableExperts;
}

/// Weights of a frozen base and of its adapters with nothing gathered.
double adapterWeights(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    const bool sharded = plan.sharding == Sharding::Fsdp;
    const double shards = sharded ? plan.shards : 1, expertShards = sharded ? plan.expertShards : 1;
    return waitingWeightBytes(plan) * ((n.dense - n.matrices) / shards + n.experts / expertShards) +
           plan.valueBytes * n.matrices / shards + adapterBytes(plan).weights * adaptersHeld(plan, n, sharded);
}

/// A frozen base and trained adapters.
TrainingStates adapterStates(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    const double base = waitingWeightBytes(plan);
    const bool sharded = plan.sharding == Sharding::Fsdp && plan.shards > 1;
    const TrainingStates adapter = adapterBytes(plan);
    TrainingStates result;
    result.weights = adapterWeights(plan, n);
    result.gradients = adapter.gradients * adaptersHeld(plan, n, sharded || plan.sharding == Sharding::Zero2);
    const double updated = adaptersHeld(plan, n, plan.sharding != Sharding::None);
    result.optimizer = adapter.optimizer * updated;
    result.update = adapter.update * updated;
    if (sharded && plan.pipeline > 1) { // a stage stays gathered between its micro-batches
        result.weights += base * (n.dense - n.matrices + n.experts) + plan.valueBytes * n.matrices +
                          plan.valueBytes * adaptersHeld(plan, n, false);
        result.gradients += adapter.gradients * adaptersHeld(plan, n, false);
    } else if (sharded) {
        result.weights += 2 * base * largestLayer(plan) + gatheredMatrices(plan);
    }
    return result;
}

} // namespace

bool gradientsLeave(const TrainingPlan& plan) noexcept
{
    if (plan.offload == Offload::None || plan.pipeline > 1)
        return false;
    const Sharding asked = effectiveSharding(*plan.setup); // one GPU divides nothing, and its stack is the same
    return asked == Sharding::Fsdp || asked == Sharding::Zero2;
}

double waitingWeightBytes(const TrainingPlan& plan) noexcept
{
    if (plan.quantized)
        return nf4Bytes;
    // A frozen weight has no 16-bit master: with an 8-bit matmul it is kept as the matmul reads it.
    return plan.adapters ? std::clamp(plan.inputBytes, 1.0, plan.valueBytes) : plan.valueBytes;
}

SavedBytes savedBytes(const TrainingPlan& plan) noexcept
{
    const TrainingStates bytes = plan.adapters ? adapterBytes(plan) : bytesPerParameter(plan);
    return {bytes.weights, bytes.optimizer};
}

namespace
{

/// What of a stage is on the device at a time where the host has the rest: two layers, or one beside a matrix of the
/// vocabulary, of which the stage may have `matrix`.
double passingBy(double layer, double matrix) noexcept
{
    return layer + std::max(layer, matrix);
}

double visitingWeights(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    return passingBy(waitingWeightBytes(plan) * largestLayer(plan), plan.valueBytes * matrixOf(plan, n));
}

/// Gradients that wait to be copied.
double leavingGradients(const TrainingPlan& plan, const StageParameters& n) noexcept
{
    if (!plan.adapters) {
        const double each = bytesPerParameter(plan).gradients;
        return passingBy(each * largestLayer(plan), each * matrixOf(plan, n));
    }
    double largest = 0;
    for (const LayerKind& kind : plan.model->kinds)
        largest = std::max(largest, adaptersOnRank(plan, kind).all());
    return passingBy(adapterBytes(plan).gradients * largest, 0);
}

} // namespace

// One function with all that it calls: calls cost as much as the sums.
[[gnu::flatten]] TrainingStates trainingStates(const TrainingPlan& plan, std::size_t stage) noexcept
{
    const StageParameters n = stageParameters(plan, stage);
    TrainingStates result = plan.adapters                                        ? adapterStates(plan, n)
                            : plan.sharding == Sharding::Fsdp && plan.shards > 1 ? shardedStates(plan, n)
                                                                                 : replicatedStates(plan, n);
    if (plan.offload != Offload::None)
        result.optimizer = result.update = 0;
    if (gradientsLeave(plan))
        result.gradients = std::min(result.gradients, leavingGradients(plan, n));
    if (plan.offload == Offload::Parameters)
        result.weights = std::min(result.weights, visitingWeights(plan, n));
    return result;
}

RestingStates restingStates(const TrainingPlan& plan) noexcept
{
    const bool sharded = plan.sharding == Sharding::Fsdp && plan.shards > 1;
    const bool master = shardsAreMasters(plan);
    RestingStates most;
    for (std::size_t stage = 0; stage < plan.layout.stages(); stage += plan.layout.alike(stage)) {
        const TrainingStates states = trainingStates(plan, stage);
        RestingStates resting{states.weights, states.optimizer, states.weights};
        if (const StageParameters n = stageParameters(plan, stage); sharded) { // none gathered
            const double local = n.dense / plan.shards + n.experts / plan.expertShards;
            const double computed = bytesPerParameter(plan).weights;
            const double held = plan.adapters ? adapterWeights(plan, n) : (master ? 4 : computed) * local;
            resting.weights = std::min(states.weights, held);
            // The master copy is for learning: who does not learn is kept as it is computed with, but with TRL.
            const bool asComputed = master && !plan.adapters && !learnsWithTrl(*plan.setup);
            resting.frozenWeights = asComputed ? std::min(states.weights, computed * local) : resting.weights;
        }
        if (resting.weights + resting.optimizer > most.weights + most.optimizer)
            most = resting;
    }
    return most;
}

} // namespace headroom
