// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_pass.hpp"
#include "core/predict/rank_heads.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Keys a sparse indexer keeps per query; 0 = all.
double indexerLimit(const LayerKind& kind)
{
    if (!kind.indexer)
        return 0;
    return kind.indexer->msa ? real(kind.indexer->block * kind.indexer->topkBlocks) : real(kind.indexer->topk);
}

double limited(double keys, double limit)
{
    return limit > 0 ? std::min(keys, limit) : keys;
}

/// Mean over queries 1…length of min(cached + i, window).
double windowedMean(double length, double cached, double window)
{
    if (window <= 0 || cached + length <= window)
        return (length + 1) / 2 + cached;
    const double growing = std::max(0.0, window - cached);
    return (growing * (cached + (growing + 1) / 2) + (length - growing) * window) / length;
}

/// Keys that the first `tokens` tokens see where attention stays within chunks of `chunk`.
double chunkedSum(double tokens, double chunk)
{
    const double whole = std::floor(tokens / chunk), rest = tokens - whole * chunk;
    return whole * chunk * (chunk + 1) / 2 + rest * (rest + 1) / 2;
}

/// Keys of a compressed attention besides its window (DeepSeek V4), `context` tokens before.
double compressedKeys(const LayerKind& kind, double context)
{
    return kind.attention.compress > 0 ? limited(context / real(kind.attention.compress), indexerLimit(kind)) : 0;
}

double dsv4Window(const ModelProfile& model, const LayerKind& kind)
{
    return kind.window > 0 ? kind.window : real(model.architecture.sliding.window);
}

bool hasOwnKeys(const LayerKind& kind)
{
    return kind.mixer == MixerKind::Attention && !kind.cross;
}

/// Of `context` tokens those that the last sees: all, the last of them, or those of its own chunk.
double windowOf(const LayerKind& kind, double context)
{
    if (!kind.chunked || kind.window <= 0 || context <= kind.window)
        return limited(context, kind.window);
    return context - kind.window * (std::ceil(context / kind.window) - 1);
}

/// The keys of a layer that sees all tokens before, or some of them, of which an indexer picks.
double limitedKeys(const LayerKind& kind, double limit, double context)
{
    return limited(windowOf(kind, context), limit);
}

} // namespace

double distinctExperts(double experts, double missLog, double tokens) noexcept
{
    // 1 − (1 − k/E)^T, without the cancellation at few tokens of many experts.
    return tokens > 0 ? -experts * std::expm1(tokens * missLog) : 0;
}

double promptLength(const InferenceWorkload& workload) noexcept
{
    return std::max(1.0, real(workload.promptTokens) - cachedTokensOf(workload));
}

double decodeKeys(const ModelProfile& model, const LayerKind& kind, double context) noexcept
{
    if (!hasOwnKeys(kind))
        return 0;
    if (kind.attention.kind == AttentionKind::Dsv4)
        return limited(context, dsv4Window(model, kind)) + compressedKeys(kind, context);
    return limitedKeys(kind, indexerLimit(kind), context);
}

double meanDecodeKeys(const ModelProfile& model, const LayerKind& kind, const std::array<double, 4>& contexts) noexcept
{
    if (!hasOwnKeys(kind))
        return 0;
    const bool plain = kind.attention.kind != AttentionKind::Dsv4;
    const double limit = plain ? indexerLimit(kind) : 0;
    if (plain && limit <= 0 && kind.window <= 0) // nearly always: they see all
        return (contexts[0] + contexts[1] + contexts[2] + contexts[3]) / static_cast<double>(contexts.size());
    double sum = 0;
    for (const double c : contexts)
        sum += plain ? limitedKeys(kind, limit, c) : decodeKeys(model, kind, c);
    return sum / static_cast<double>(contexts.size());
}

double promptKeys(const ModelProfile& model, const LayerKind& kind, double length, double cached) noexcept
{
    if (!hasOwnKeys(kind) || length <= 0)
        return 0;
    if (kind.attention.kind == AttentionKind::Dsv4)
        return windowedMean(length, cached, dsv4Window(model, kind)) + compressedKeys(kind, (length + 1) / 2 + cached);
    if (kind.chunked && kind.window > 0)
        return (chunkedSum(cached + length, kind.window) - chunkedSum(cached, kind.window)) / length;
    // The indexer's limit works on each query like a window.
    const double limit = indexerLimit(kind);
    const double window = kind.window > 0 && limit > 0 ? std::min(kind.window, limit) : std::max(kind.window, limit);
    return windowedMean(length, cached, window);
}

double cachedKeys(const ModelProfile& model, const LayerKind& kind, double length, double cached) noexcept
{
    if (cached <= 0 || !hasOwnKeys(kind))
        return 0;
    // Each query picks its own: together at most as many as there are.
    const double picked = length * indexerLimit(kind);
    if (kind.attention.kind == AttentionKind::Dsv4) {
        const double compress = real(kind.attention.compress);
        return limited(cached, dsv4Window(model, kind)) + (compress > 0 ? limited(cached / compress, picked) : 0);
    }
    const bool chunked = kind.chunked && kind.window > 0; // the next token may begin one
    return limited(chunked ? std::fmod(cached, kind.window) : limited(cached, kind.window), picked);
}

double textMixerWeights(const LayerKind& kind) noexcept
{
    if (!kind.cross)
        return kind.mixerWeights;
    const AttentionShape& a = kind.attention;
    // heads × width in and out; the mixer's other weights are those of keys and values.
    const double hidden =
        kind.mixerWeights / real(a.heads * (a.headDim + a.valueDim()) + a.kvHeads * (a.headDim + a.valueDim()));
    return kind.mixerWeights - hidden * real(a.kvHeads * (a.headDim + a.valueDim()));
}

double stateValues(const LayerKind& kind) noexcept
{
    if (kind.mixer == MixerKind::StateSpace)
        return real(kind.mamba.inner) * real(kind.mamba.state);
    if (kind.mixer != MixerKind::Linear)
        return 0;
    const LinearShape& l = kind.linear;
    if (l.kind == LinearKind::GatedDeltaNet)
        return real(l.valueHeads) * real(l.keyDim) * real(l.valueDim);
    return real(l.heads) * real(l.headDim) * real(l.headDim);
}

double convolutionValues(const LayerKind& kind, double tensor) noexcept
{
    // A kernel of n values needs the last n - 1 inputs of its channel. Keys (groups of Mamba-2) that are fewer than the
    // ranks are copied to each: mamba2_state_shape() of vLLM extends them, SGLang's Mamba2StateShape does the same.
    const auto window = [](std::int64_t kernel) { return real(std::max<std::int64_t>(kernel - 1, 0)); };
    if (kind.mixer == MixerKind::StateSpace) {
        const MambaShape& m = kind.mamba;
        const double shared = m.version == 1 ? 0 : 2 * wholeShare(real(m.groups), tensor) * real(m.state);
        return window(m.conv) * (real(m.inner) / tensor + shared);
    }
    if (kind.mixer != MixerKind::Linear)
        return 0;
    const LinearShape& l = kind.linear;
    if (l.kind == LinearKind::Lightning) // has none
        return 0;
    if (l.kind == LinearKind::Kda)
        return window(l.conv) * 3 * real(l.heads) * real(l.headDim) / tensor;
    const double keys = 2 * wholeShare(real(l.keyHeads), tensor) * real(l.keyDim);
    return window(l.conv) * (keys + real(l.valueHeads) * real(l.valueDim) / tensor);
}

StateValueBytes stateValueBytes(const LayerKind& kind, const CacheTypes& types) noexcept
{
    constexpr double wide = 4, narrow = 2;
    if (types.states == StateRule::AllFloat32)
        return {wide, wide};
    const bool ofModel = types.states != StateRule::Float32, linear = kind.mixer == MixerKind::Linear;
    StateValueBytes bytes{ofModel ? types.model : wide, ofModel ? types.model : narrow};
    if (linear && kind.linear.kind == LinearKind::Kda) { // whatever the rest: kda_state_dtype() of vLLM
        bytes.state = wide;
        return bytes;
    }
    const StateType stated = linear ? kind.linear.stateType : kind.mamba.stateType;
    if (stated != StateType::Unstated && !(linear && types.states == StateRule::LinearModel))
        bytes.state = stated == StateType::Float32 ? wide : narrow;
    return bytes;
}

double stateBytes(const LayerKind& kind, const CacheTypes& types, double tensor) noexcept
{
    if (kind.mixer != MixerKind::StateSpace && kind.mixer != MixerKind::Linear)
        return 0;
    const StateValueBytes bytes = stateValueBytes(kind, types);
    return stateValues(kind) / tensor * bytes.state + convolutionValues(kind, tensor) * bytes.convolution;
}

double indexedKeys(const LayerKind& kind, double context) noexcept
{
    if (!kind.indexer || kind.indexer->headDim <= 0)
        return 0;
    return kind.attention.compress > 0 ? context / real(kind.attention.compress) : context;
}

} // namespace headroom::inference
