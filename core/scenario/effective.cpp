// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom
{

std::int64_t modelParallelRanks(const Parallelism& parallelism)
{
    return parallelism.tensor * parallelism.pipeline * parallelism.context;
}

std::int64_t dataParallelRanks(const Setup& setup)
{
    return std::max<std::int64_t>(1, setup.hardware.count / modelParallelRanks(setup.parallelism));
}

std::int64_t servingReplicas(const Setup& setup)
{
    if (setup.parallelism.replicas)
        return *setup.parallelism.replicas;
    const std::int64_t ranks = modelParallelRanks(setup.parallelism) * setup.parallelism.attentionData;
    return std::max<std::int64_t>(1, setup.hardware.count / ranks);
}

std::int64_t shardingReplicas(const Setup& setup)
{
    return setup.task == Task::Training ? setup.parallelism.replicas.value_or(1) : 1;
}

std::int64_t effectiveGlobalBatch(const Setup& setup)
{
    return setup.training.globalBatch.value_or(setup.training.microBatch * dataParallelRanks(setup));
}

Sharding effectiveSharding(const Setup& setup)
{
    if (setup.parallelism.sharding)
        return *setup.parallelism.sharding;
    return setup.task == Task::Training && setup.hardware.count > 1 ? Sharding::Fsdp : Sharding::None;
}

bool effectiveSequenceParallel(const Setup& setup)
{
    return setup.parallelism.sequenceParallel.value_or(setup.parallelism.tensor > 1);
}

Gradients effectiveGradients(const Setup& setup)
{
    const TrainingWorkload& training = setup.training;
    if (training.gradients)
        return *training.gradients;
    const bool sixteenBit = training.software == TrainingSoftware::Megatron2021 ||
                            training.software == TrainingSoftware::InternEvo ||
                            training.masterWeights == MasterWeights::None;
    return sixteenBit ? Gradients::Bf16 : Gradients::Fp32;
}

std::int64_t effectiveSampleTokens(const TrainingWorkload& training)
{
    return std::min(training.packedSampleTokens.value_or(training.sequenceLength), training.sequenceLength);
}

} // namespace headroom
