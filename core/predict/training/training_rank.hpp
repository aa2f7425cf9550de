// SPDX-License-Identifier: GPL-3.0-or-later
// RankParameters: the parameters of one layer that one rank holds. Whole heads and whole experts lie on a rank, so
// those that do not divide are rounded up (docs/method/memory.md).
#pragma once

#include "core/predict/rank_heads.hpp"
#include "core/predict/training/training_plan.hpp"

namespace headroom
{

struct RankParameters {
    double dense = 0, experts = 0; ///< outside the experts, and of the routed experts
    [[nodiscard]] double all() const noexcept { return dense + experts; }
};

/// Routed experts of a layer on one rank; of each it holds 1/expertTensor.
[[nodiscard]] double expertsOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;

/// Weights of heads that a rank holds beyond 1/tensor of the layer's.
[[nodiscard]] inline double repeatedHeadWeights(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    return plan.repeatsHeads ? repeatedHeadWeights(kind, plan.model->hidden, plan.tensor) : 0;
}

/// Parameters of the whole layer.
[[nodiscard]] RankParameters layerOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;
/// Of the layer's adapters (LoRA).
[[nodiscard]] RankParameters adaptersOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept;

} // namespace headroom
