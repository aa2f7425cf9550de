// SPDX-License-Identifier: GPL-3.0-or-later
// RankHeads: the heads of attention that one of `tensor` ranks holds. Whole heads lie on a rank, so those that do not
// divide are rounded up (docs/method/memory.md).
#pragma once

#include "core/predict/utilization.hpp"

#include <cstdint>

namespace headroom
{

/// Of `all` alike, what the fullest of `ranks` holds; whole numbers. In integers: std::ceil is a call, and this is
/// asked millions of times a second.
[[nodiscard]] constexpr double wholeShare(double all, double ranks) noexcept
{
    const auto n = static_cast<std::int64_t>(all), of = static_cast<std::int64_t>(ranks);
    const std::int64_t most = (n + of - 1) / of;
    return static_cast<double>(most);
}

/// Heads of attention on one rank.
struct RankHeads {
    double heads = 0, kvHeads = 0;
};
/// Heads of the layer, rounded up.
[[nodiscard]] RankHeads headsOnRank(const LayerKind& kind, double tensor) noexcept;

/// Weights of a mixer that every tensor rank holds whole: latent attention's down projections, the compression of
/// DeepSeek V4, the indexer of a sparse layer. `hidden`: width of the model.
[[nodiscard]] double wholeWeights(const LayerKind& kind, double hidden) noexcept;

/// Weights that a rank holds beyond 1/tensor of the layer's: those of heads, queries and key/values alike, that do not
/// divide, and what it holds whole. `hidden`: width of the model.
[[nodiscard]] double repeatedHeadWeights(const LayerKind& kind, double hidden, double tensor) noexcept;

} // namespace headroom
