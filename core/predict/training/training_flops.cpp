// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_flops.hpp"

#include "core/scenario/effective.hpp"

namespace headroom
{

TrainingCount trainingCount(const TrainingWorkload& t, Checkpointing checkpointing) noexcept
{
    TrainingCount count;
    count.sequence = double(t.sequenceLength);
    count.sampleTokens = double(effectiveSampleTokens(t));
    count.method = t.method;
    count.loraRank = double(t.loraRank);
    count.loraTargets = t.loraTargets;
    count.checkpointing = checkpointing;
    count.checkpointEvery = double(t.checkpointEvery);
    count.flashAttention = t.flashAttention != FlashAttention::Off;
    // Megatron trains the layer where the model has one; the PyTorch stacks leave it out.
    count.multiTokenPrediction = t.software == TrainingSoftware::Megatron;
    return count;
}

FlopCounts trainingFlops(const TrainingPlan& plan, const TrainingFlopPerToken& perToken) noexcept
{
    const ModelProfile& model = *plan.model;
    const double tokens = plan.microBatches * plan.microBatch * plan.data * plan.sequence;
    const double core = perToken.exactCore(), weights = 2 * model.parameters.matmulActive;
    const double adapters = 2 * perToken.adapterParameters();

    FlopCounts flops;
    flops.forward = tokens * (weights + core + adapters);
    flops.backwardActivation = tokens * (weights + 2 * core + adapters);
    flops.backwardWeight = tokens * (plan.adapters ? adapters : weights); // frozen weights need no gradient
    flops.model = flops.forward + flops.backwardActivation + flops.backwardWeight;
    flops.hardware = tokens * perToken.hardware(Convention::Exact);
    flops.recompute = flops.hardware - flops.model;
    flops.attention = tokens * core;
    flops.router = tokens * 2 * model.parameters.router;
    flops.lmHead = tokens * 2 * model.headWeights;
    return flops;
}

} // namespace headroom
