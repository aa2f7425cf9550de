// SPDX-License-Identifier: GPL-3.0-or-later
// Attention keys: how many keys a query of one kind of layer meets, and what its two matmuls cost.
#pragma once

#include "core/predict/utilization.hpp"

namespace headroom
{

/// Widths of the two attention matmuls of one layer, in values.
struct AttentionWidths {
    double heads = 0, kvHeads = 0;
    double keyDim = 0, valueDim = 0; ///< per head
    [[nodiscard]] double queryWidth() const noexcept { return heads * keyDim; }
    [[nodiscard]] double outputWidth() const noexcept { return heads * valueDim; }
};
[[nodiscard]] AttentionWidths attentionWidths(const LayerKind& kind) noexcept;

/// Values of a token inside a linear-attention or state-space mixer: what its output projection reads.
[[nodiscard]] double recurrentWidth(const LayerKind& kind) noexcept;

/// Mean keys a query sees in a sequence of `s` tokens. A sparse layer (indexer) sees at most its top-k; a compressed
/// one (DeepSeek V4) its window and one entry per `compress` earlier tokens. Cross attention: 0, text has no images.
[[nodiscard]] double meanKeys(const LayerKind& kind, const ModelArchitecture& model, double s, KeyCount keys) noexcept;

/// Forward FLOP a token of one layer's attention core: 2·q·(d_k + d_v)·keys.
[[nodiscard]] double layerCoreFlopPerToken(const LayerKind& kind, const ModelArchitecture& model, double s,
                                           KeyCount keys) noexcept;

/// Forward FLOP a token with which the indexer of a sparse layer scores its keys; 0 elsewhere.
[[nodiscard]] double layerIndexerFlopPerToken(const LayerKind& kind, double s, KeyCount keys) noexcept;

} // namespace headroom
