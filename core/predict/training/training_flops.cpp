// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_flops.hpp"

#include "core/scenario/effective.hpp"

namespace headroom
{

TrainingCount trainingCount(const PreparedScenario& prepared, Checkpointing checkpointing) noexcept
{
    const TrainingWorkload& t = prepared.training;
    TrainingCount count;
    count.sequence = double(t.sequenceLength);
    count.sampleTokens = double(effectiveSampleTokens(t));
    count.method = t.method;
    count.loraRank = double(t.loraRank);
    count.loraTargets = t.loraTargets;
    count.checkpointing = checkpointing;
    count.checkpointEvery = double(t.checkpointEvery);
    count.flashAttention = t.flashAttention != FlashAttention::Off;
    count.multiTokenPrediction = trainsPrediction(prepared);
    return count;
}

FlopCounts trainingFlops(const TrainingPlan& plan, const TrainingFlopPerToken& perToken) noexcept
{
    const ModelProfile& model = *plan.model;
    const double tokens = plan.microBatches * plan.microBatch * plan.data * plan.sequence;
    // Each pass of the head beyond the first multiplies weights that are counted once.
    const double heads = plan.heads() * 2 * model.headWeights;
    const double core = perToken.exactCore(), weights = 2 * (model.parameters.matmulActive - model.headWeights) + heads;
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
    flops.lmHead = tokens * heads;
    return flops;
}

} // namespace headroom
