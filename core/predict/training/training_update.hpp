// SPDX-License-Identifier: GPL-3.0-or-later
// The optimizer's step, on the device or on the host (docs/method/training_step.md).
#pragma once

#include "core/predict/training/training_communication.hpp"

namespace headroom
{

/// Traffic over the host link for offloaded states, s a step.
[[nodiscard]] double offloadSeconds(const TrainingPlan& plan, const StageParameters& parameters) noexcept;
/// Of them, s in which the weights that wait on the host come by for one pass over a micro-batch.
[[nodiscard]] double visitSeconds(const TrainingPlan& plan, const StageParameters& parameters) noexcept;
/// The most memory of a host of eight accelerators over theirs: AWS's g5.48xlarge has 768 GiB beside 192 GB, its
/// p4d.24xlarge 1,152 GiB beside 320 GB, p5.48xlarge 2,048 GiB beside 640 GB (meta-pytorch/torchx,
/// torchx/specs/named_resources_aws.py).
inline constexpr double usualHostMemory = 4;
/// Bytes of a parameter that lie in its host's memory: of one whose states a rank updates, of one that it computes
/// with.
struct OffloadedParameter {
    double updated = 0, weights = 0;
};
/// Precondition: something is offloaded.
[[nodiscard]] OffloadedParameter offloadedParameter(const TrainingPlan& plan) noexcept;
/// Bytes of a rank of a stage.
[[nodiscard]] double offloadedBytes(const TrainingPlan& plan, const OffloadedParameter& each,
                                    const StageParameters& parameters) noexcept;
/// What hosts hold where the fullest rank has so many bytes there, and whether that is too much; nothing without any.
void addHostStates(const PreparedScenario& prepared, double bytes, Evaluation& result) noexcept;
/// Optimizer step on the local states, s, and the bytes that it moves.
[[nodiscard]] Work optimizerWork(const TrainingPlan& plan, const StageParameters& parameters) noexcept;
/// Newton-Schulz iterations of Muon on the whole matrices of a stage that a rank works on, and bringing these together
/// where they lie in slices; nothing with other optimizers, nor for adapters, whose matrices are thin.
[[nodiscard]] Work orthogonalWork(const TrainingPlan& plan, std::size_t stage) noexcept;
/// What the accelerator that has most copies of a checkpoint while training waits. Of what several hold alike one of
/// them copies: without sharding one replica its weights, and each rank of the experts its own.
struct CheckpointCopy {
    double linkBytes = 0; ///< to the host
    double hostBytes = 0; ///< of what is offloaded, within the host's memory
    double hostRate = 1;  ///< bytes/s of that memory for one accelerator, read and written
    [[nodiscard]] double hostSeconds() const noexcept { return 2 * hostBytes / hostRate; }
};
[[nodiscard]] CheckpointCopy checkpointCopy(const TrainingPlan& plan) noexcept;

} // namespace headroom
