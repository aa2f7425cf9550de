// SPDX-License-Identifier: GPL-3.0-or-later
// RankParameters: the parameters of one layer that one rank holds. Whole heads and whole experts lie on a rank, so
// those that do not divide are rounded up (docs/method/memory.md).
#pragma once

#include "core/predict/training/training_plan.hpp"

namespace headroom
{

struct RankParameters {
    double dense = 0, experts = 0; ///< outside the experts, and of the routed experts
    [[nodiscard]] double all() const noexcept { return dense + experts; }
};

/// Heads on one rank.
struct RankHeads {
    double heads = 0, kvHeads = 0;
};
/// Heads of attention, rounded up.
[[nodiscard]] RankHeads headsOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;

/// Routed experts of a layer on one rank; of each it holds 1/expertTensor.
[[nodiscard]] double expertsOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;

/// Weights of heads, queries and key/values alike, that a rank holds beyond 1/tensor of the layer's.
[[nodiscard]] double repeatedHeadWeights(const TrainingPlan& plan, const LayerKind& kind) noexcept;

/// Parameters of the whole layer.
[[nodiscard]] RankParameters layerOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;
/// Of the layer's adapters (LoRA).
[[nodiscard]] RankParameters adaptersOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;

} // namespace headroom
