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
/// bytes by part on the fullest stage of the pipeline.
TrainingMemory resolveUnstated(TrainingPlan& plan, WarningSet& warnings) noexcept;

/// Whether gradients have memory of their own: in buffers that a stack or ZeRO makes once (Megatron, DDP, DeepSpeed).
/// PyTorch frees a gradient with the step, and makes it in the backward pass, as activations go. The few that are there
/// where each parameter is updated in the backward pass are beside most activations: the head's is the first.
[[nodiscard]] bool gradientsStay(const TrainingPlan& plan) noexcept;

/// Whether the gradient of every layer's input stays until the backward pass ends, as with PyTorch's FSDP of frozen
/// layers that run again: the hook that frees their shards is the input's, and holds it.
[[nodiscard]] bool keepsInputGradients(const TrainingPlan& plan) noexcept;

/// Stages whose memory is looked at, at most.
inline constexpr std::size_t mostMemoryStages = 5;

/// Tensor bytes on the stages that may be the fullest, before the allocator: what keeps the states of the parameters.
/// The first stage, the last, then those between.
struct StageStates {
    std::array<double, mostMemoryStages> once{};  ///< at the end of a forward pass; activations come besides
    std::array<double, mostMemoryStages> again{}; ///< the same where gradients of earlier micro-batches are there
    std::size_t count = 1;
    double update = 0; ///< in the optimizer's update, on the fullest
    bool operator==(const StageStates&) const = default;
};
/// What grows with the micro-batch, of the same stages.
struct StageActivationBytes {
    std::array<double, mostMemoryStages> bytes{};
    bool accumulates = false; ///< in more than one micro-batch
    bool operator==(const StageActivationBytes&) const = default;
};
/// Neither reads the other's settings, so a search takes the two from different plans. What the stack may save counts
/// as saved: peakBytes() says exactly what fits, and is the least that a scenario takes.
[[nodiscard]] StageStates trainingStateBytes(const TrainingPlan& plan) noexcept;
[[nodiscard]] StageActivationBytes trainingActivationBytes(const TrainingPlan& plan) noexcept;

/// Tensor bytes of the fullest stage at the fullest moment of a step.
[[nodiscard]] inline double peakBytes(const StageStates& states, const StageActivationBytes& activations) noexcept
{
    const auto& held = activations.accumulates ? states.again : states.once;
    double peak = states.update;
    for (std::size_t i = 0; i < states.count; ++i)
        peak = std::max(peak, held[i] + activations.bytes[i]);
    return peak;
}

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

/// Bytes that a rank of the fullest stage keeps in its host's memory of the inputs of layers that run again: Unsloth's,
/// where that is not the device's own (`offloads_checkpoints`).
[[nodiscard]] double hostInputBytes(const TrainingPlan& plan) noexcept;

/// Bytes of activations that one layer keeps for one micro-batch when nothing is recomputed.
[[nodiscard]] double layerActivationBytes(const TrainingPlan& plan, const LayerKind& kind) noexcept;

} // namespace headroom
