// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/training_flops.hpp"

#include "core/evaluate/attention_keys.hpp"

namespace headroom
{

TrainingCount trainingCount(const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    TrainingCount count;
    count.sequence = plan.sequence;
    count.sampleTokens = plan.sample;
    count.method = t.method;
    count.loraRank = double(t.loraRank);
    count.loraTargets = t.loraTargets;
    count.checkpointing = plan.checkpointing;
    count.checkpointEvery = double(t.checkpointEvery);
    count.flashAttention = plan.flash;
    // Megatron trains the layer where the model has one; the PyTorch stacks leave it out.
    count.multiTokenPrediction = t.software == TrainingSoftware::Megatron;
    return count;
}

FlopCounts trainingFlops(const TrainingPlan& plan) noexcept
{
    const ModelProfile& model = *plan.model;
    const TrainingCount count = trainingCount(plan);
    const double tokens = plan.microBatches * plan.microBatch * plan.data * plan.sequence;
    double core = attentionCoreFlopPerToken(model, plan.sample, KeyCount::ExactCausal);
    for (const LayerKind& kind : model.kinds)
        core += kind.count * layerIndexerFlopPerToken(kind, plan.sample, KeyCount::ExactCausal);
    const double weights = 2 * model.parameters.matmulActive;
    const double adapters = plan.adapters ? 2 * activeLoraParameters(model, count.loraRank, count.loraTargets) : 0;

    FlopCounts flops;
    flops.forward = tokens * (weights + core + adapters);
    flops.backwardActivation = tokens * (weights + 2 * core + adapters);
    flops.backwardWeight = tokens * (plan.adapters ? adapters : weights); // frozen weights need no gradient
    flops.model = flops.forward + flops.backwardActivation + flops.backwardWeight;
    flops.hardware = tokens * hardwareFlopPerToken(model, Convention::Exact, count);
    flops.recompute = flops.hardware - flops.model;
    flops.attention = tokens * core;
    flops.router = tokens * 2 * model.parameters.router;
    flops.lmHead = tokens * 2 * model.headWeights;
    return flops;
}

} // namespace headroom
