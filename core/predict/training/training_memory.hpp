// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingMemory: bytes on the fullest rank while training, by part (docs/method/memory.md).
#pragma once

#include "core/predict/training/training_plan.hpp"

#include <algorithm>
#include <array>

namespace headroom
{

struct TrainingMemory {
    std::array<double, memoryPartCount> parts{}; ///< they add up to `device`
    double allocated = 0;                        ///< tensors, context and the stack's buffers
    double reserved = 0;                         ///< what the allocator took from the device
    double device = 0;                           ///< what the driver shows
    double capacity = 0;                         ///< of the device, that software sees
    [[nodiscard]] bool fits() const noexcept { return device <= capacity; }
};

/// Decides what the scenario leaves open: whole logits, 32-bit gradients and 16-bit stores, or where they do not fit
/// the loss in pieces, 16-bit gradients and less activations, as far as needed and as far as the stack can; `unknown`
/// checkpointing none, or full where that does not fit. What is chosen is warned of. Gives the memory that follows:
/// bytes by part on the fullest of three pipeline stages, the first, the one with the heaviest layers and the last.
TrainingMemory resolveUnstated(TrainingPlan& plan, WarningSet& warnings) noexcept;

/// What the states of a stage's parameters take, by when they are there.
struct StateBytes {
    double held = 0;      ///< throughout the step
    double gradients = 0; ///< made by the backward pass, where the stack has no buffers for them
    double update = 0;    ///< beside the gradients, while the optimizer works
    bool operator==(const StateBytes&) const = default;
};
/// What grows with the micro-batch, at the end of the forward pass.
struct ActivationBytes {
    double bytes = 0;
    bool accumulates = false; ///< gradients of earlier micro-batches are there
    bool operator==(const ActivationBytes&) const = default;
};
/// Whether gradients have memory of their own: in buffers that a stack or ZeRO makes once (Megatron, DDP, DeepSpeed).
/// PyTorch frees a gradient with the step, and makes it in the backward pass, as activations go.
[[nodiscard]] bool gradientsStay(const TrainingPlan& plan) noexcept;

/// Tensor bytes at the fullest moment of a step: the end of a forward pass, or the optimizer's update.
[[nodiscard]] inline double peakBytes(const StateBytes& states, const ActivationBytes& activations) noexcept
{
    const double earlier = activations.accumulates ? states.gradients : 0;
    return states.held + std::max(activations.bytes + earlier, states.gradients + states.update);
}

/// Both on these three stages (the same without a pipeline), before the allocator. Neither reads the other's settings,
/// so a search takes the two from different plans; the fuller stage decides. What the stack may save counts as saved:
/// the peak says exactly what fits, and is the least that a scenario takes.
using StageStates = std::array<StateBytes, 3>;
using StageActivationBytes = std::array<ActivationBytes, 3>;
[[nodiscard]] StageStates trainingStateBytes(const TrainingPlan& plan) noexcept;
[[nodiscard]] StageActivationBytes trainingActivationBytes(const TrainingPlan& plan) noexcept;
/// What a plan's tensors take of a device.
struct TrainingDevice {
    double capacity = 0; ///< bytes that software sees
    double fixed = 0;    ///< beside the tensors: context and communication buffers, as the driver shows them
    double reserve = 0;  ///< of the tensors, what the allocator holds beyond them

    explicit TrainingDevice(const TrainingPlan& plan) noexcept;
    /// What the driver shows for a rank with so many bytes of tensors. The allocator's reserve gives way before it
    /// fails: at most the capacity while the tensors fit.
    [[nodiscard]] double bytes(double tensors) const noexcept
    {
        const double least = tensors + fixed, wanted = least + reserve * tensors;
        return std::max(least, std::min(wanted, capacity));
    }
};

/// Bytes of activations that one layer keeps for one micro-batch when nothing is recomputed.
[[nodiscard]] double layerActivationBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept;

} // namespace headroom
