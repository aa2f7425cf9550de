// SPDX-License-Identifier: GPL-3.0-or-later
// inference: figures of one kind of layer that every pass asks for. What most layers answer in a few steps stands here:
// a call costs as much.
#pragma once

#include "core/predict/inference/inference_machine.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <array>

namespace headroom::inference
{

/// Mean keys that a query sees: in decode with `context` tokens before it, and over a prompt.
[[nodiscard]] double decodeKeys(const ModelProfile& model, const LayerKind& kind, double context) noexcept;
[[nodiscard]] double promptKeys(const ModelProfile& model, const LayerKind& kind, double length,
                                double cached) noexcept;
/// Of `cached` tokens before a prompt's `length`, the entries that any of its queries sees.
[[nodiscard]] double cachedKeys(const ModelProfile& model, const LayerKind& kind, double length,
                                double cached) noexcept;
/// decodeKeys() over the four points of a PassShape.
[[nodiscard]] double meanDecodeKeys(const ModelProfile& model, const LayerKind& kind,
                                    const std::array<double, 4>& contexts) noexcept;

/// Weights of a mixer that text multiplies: of cross attention not the projections of keys and values, which only
/// images meet.
[[nodiscard]] double textMixerWeights(const LayerKind& kind) noexcept;
/// Values that a token of a full layer leaves in the cache of one device; 0 for layers that keep none.
[[nodiscard]] inline double cacheValuesPerToken(const LayerKind& kind, double tensor) noexcept
{
    const AttentionShape& a = kind.attention;
    if (kind.mixer != MixerKind::Attention || kind.cross)
        return 0;
    if (a.kind == AttentionKind::Mla)
        return real(a.mla.kvLoraRank + a.mla.qkRope);
    if (a.kind == AttentionKind::Dsv4)
        return real(a.headDim);
    return std::max(1.0, wholeShare(real(a.kvHeads), tensor)) * real(a.headDim + a.valueDim());
}
/// FLOP of one head of a prompt's query against one key; `absorbed`: against a latent.
[[nodiscard]] inline double promptFlopPerPair(const LayerKind& kind, bool absorbed) noexcept
{
    const AttentionShape& a = kind.attention;
    if (a.kind == AttentionKind::Mla)
        return 2 * real(absorbed ? 2 * a.mla.kvLoraRank + a.mla.qkRope : a.mla.qkNope + a.mla.qkRope + a.mla.vHeadDim);
    return a.kind == AttentionKind::Dsv4 ? 4 * real(a.headDim) : 2 * real(a.headDim + a.valueDim());
}
/// FLOP of one query against one key, all heads.
[[nodiscard]] inline double coreFlopPerKey(const LayerKind& kind) noexcept
{
    const AttentionShape& a = kind.attention;
    if (kind.mixer != MixerKind::Attention || kind.cross)
        return 0;
    if (a.kind == AttentionKind::Mla)
        return 2 * real(a.heads) * real(2 * a.mla.kvLoraRank + a.mla.qkRope);
    if (a.kind == AttentionKind::Dsv4)
        return 4 * real(a.heads) * real(a.headDim);
    return 2 * real(a.heads) * real(a.headDim + a.valueDim());
}
/// Values of the recurrent state that a linear or state-space layer keeps for each sequence, all ranks together.
[[nodiscard]] double stateValues(const LayerKind& kind) noexcept;
/// Values of its last inputs that the short convolution of such a layer keeps for each sequence, on one device.
[[nodiscard]] double convolutionValues(const LayerKind& kind, double tensor) noexcept;
/// Bytes of a value that such a layer keeps: of its state, and of the last inputs of its convolution.
struct StateValueBytes {
    double state = 4, convolution = 2;
};
/// The same as the engine keeps them, in its own type, the model's or that of config.json (docs/method/memory.md).
[[nodiscard]] StateValueBytes stateValueBytes(const LayerKind& kind, const CacheTypes& types) noexcept;
/// Bytes of both for each sequence, on one device; 0 for layers that have neither.
[[nodiscard]] double stateBytes(const LayerKind& kind, const CacheTypes& types, double tensor) noexcept;
/// Keys that an indexer scans per query and values of each: 0 without one.
[[nodiscard]] double indexedKeys(const LayerKind& kind, double context) noexcept;

} // namespace headroom::inference
