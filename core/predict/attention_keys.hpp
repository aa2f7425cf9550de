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
[[nodiscard]] inline AttentionWidths attentionWidths(const LayerKind& kind) noexcept
{
    const AttentionShape& a = kind.attention;
    switch (a.kind) {
    case AttentionKind::None:
        return {};
    case AttentionKind::Mla: {
        const double keyDim = double(a.mla.qkNope + a.mla.qkRope);
        return {double(a.heads), double(a.heads), keyDim, double(a.mla.vHeadDim)};
    }
    case AttentionKind::Dsv4:
        return {double(a.heads), 1, double(a.headDim), double(a.headDim)};
    default:
        return {double(a.heads), double(a.kvHeads), double(a.headDim), double(a.valueDim())};
    }
}

/// Kernels that read a prompt's tokens. FlashAttention 3 paper, figure 5 (H100, causal, 16k tokens, heads of 64 against
/// 128): FlashAttention 2 reaches 299 of 335 TFLOP/s, version 3 and cuDNN 473 of 616 and 388 of 539; these two leave
/// the square root of docs/method/attention.md.
enum class AttentionKernels : std::uint8_t { SecondVersion, Later };
/// Share of their rate that heads of `keyDim` values leave to them: 1 from 128 values on.
[[nodiscard]] double narrowHeadShare(double keyDim, AttentionKernels kernels) noexcept;

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
