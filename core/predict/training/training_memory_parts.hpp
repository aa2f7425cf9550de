// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingStates and StageActivations: tensor bytes of one pipeline stage on one rank, before the allocator.
#pragma once

#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_plan.hpp"

namespace headroom
{

/// Weights, gradients and optimizer states, and what the optimizer's update needs beside them, bytes.
struct TrainingStates {
    double weights = 0, gradients = 0, optimizer = 0, update = 0;
};
/// Of the stage with this index (0 is first).
[[nodiscard]] TrainingStates trainingStates(const TrainingPlan& plan, std::size_t stage) noexcept;

/// Bytes of a weight of the layers as it waits for its layer: NF4 of a quantized base, as the matmul reads it under an
/// adapter, else as it is computed with.
[[nodiscard]] double waitingWeightBytes(const TrainingPlan& plan) noexcept;

/// Whether gradients leave for the host layer by layer, as offloaded states of FSDP and ZeRO-2 do (ZeRO-Offload,
/// arXiv:2101.06840; PyTorch's CPUOffload). Others keep them on the device until the update.
[[nodiscard]] bool gradientsLeave(const TrainingPlan& plan) noexcept;

/// Whether steps of reinforcement learning are TRL's, on Transformers. It loads policy, reference and reward model with
/// the same arguments, and so in one type, and merges adapters before it hands weights over
/// (trl/trainer/grpo_trainer.py, model_init_kwargs, merge_adapter).
[[nodiscard]] inline bool learnsWithTrl(const Setup& setup) noexcept
{
    return setup.training.software == TrainingSoftware::Transformers;
}

/// What the fullest rank keeps between steps, bytes: nothing is gathered, no gradients.
struct RestingStates {
    double weights = 0, optimizer = 0;
    double frozenWeights = 0; ///< of a model of the same size that does not learn
};
[[nodiscard]] RestingStates restingStates(const TrainingPlan& plan) noexcept;

/// One stage of the pipeline as its activations see it.
struct MemoryStage {
    std::size_t index = 0;
    double inFlight = 1; ///< micro-batches whose activations are kept
};

/// The stages that may be the fullest, each once: the first has the embedding and most micro-batches in flight, the
/// last the head, and those between them that have more layers of some kind than each before them. Of the latter no
/// more than there is room for, the heaviest among them: some hybrid models in interleaved pieces have more.
struct MemoryStages {
    std::array<MemoryStage, mostMemoryStages> stage{};
    std::size_t count = 1;
};

/// Bytes of the input of a layer on a rank.
[[nodiscard]] double layerInputBytes(const TrainingPlan& plan) noexcept;
/// Whether the inputs of layers that run again wait in the host's memory.
[[nodiscard]] bool keepsInputsOnHost(const TrainingPlan& plan) noexcept;

/// What the forward pass keeps, what a layer needs while it runs again, and the logits, bytes.
struct StageActivations {
    double kept = 0, workspace = 0, logits = 0;
};
/// Of each of those stages.
[[nodiscard]] std::array<StageActivations, mostMemoryStages> stageActivations(const TrainingPlan& plan,
                                                                              const MemoryStages& stages) noexcept;

/// Bytes of a gradient that a rank makes before it is reduced, of the kind that the shards add up; an adapter's are of
/// 32 bit.
[[nodiscard]] double unreducedGradientBytes(const TrainingPlan& plan) noexcept;

/// Bytes of a checkpoint for one trained parameter: the weight as it is stored and the optimizer's states with the
/// master copy, no gradient. 14 with AdamW and a 32-bit master copy, 12 for an adapter.
struct SavedBytes {
    double weights = 0, optimizer = 0;
    [[nodiscard]] double all() const noexcept { return weights + optimizer; }
};
[[nodiscard]] SavedBytes savedBytes(const TrainingPlan& plan) noexcept;

} // namespace headroom
