// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/attention_keys.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

/// Mean of min(position, window) over a sequence, as each convention takes it. window ≥ s or 0: no window.
double windowedKeys(double s, double window, KeyCount keys) noexcept
{
    const bool inside = window > 0 && window < s;
    switch (keys) {
    case KeyCount::FullSquare:
        return inside ? window : s;
    case KeyCount::HalfCausal:
        return inside ? window - window * window / (2 * s) : s / 2;
    case KeyCount::ExactCausal:
        return inside ? window - window * (window - 1) / (2 * s) : (s + 1) / 2;
    }
    return 0;
}

} // namespace

double narrowHeadShare(double keyDim, AttentionKernels kernels) noexcept
{
    constexpr double wide = 128;
    const double exponent = kernels == AttentionKernels::SecondVersion ? 0.165 : 0.5;
    return keyDim >= wide ? 1 : std::pow(std::max(keyDim, 1.0) / wide, exponent);
}

double recurrentWidth(const LayerKind& kind) noexcept
{
    if (kind.mixer == MixerKind::StateSpace)
        return double(kind.mamba.inner);
    return kind.linear.kind == LinearKind::GatedDeltaNet ? double(kind.linear.valueHeads * kind.linear.valueDim)
                                                         : double(kind.linear.heads * kind.linear.headDim);
}

double meanKeys(const LayerKind& kind, const ModelArchitecture& model, double s, KeyCount keys) noexcept
{
    if (kind.mixer != MixerKind::Attention || kind.cross)
        return 0;
    const double topK =
        kind.indexer ? double(std::max(kind.indexer->topk, kind.indexer->topkBlocks * kind.indexer->block)) : 0;
    if (kind.attention.kind == AttentionKind::Dsv4) {
        const double recent = windowedKeys(s, double(model.sliding.window), keys);
        const double ratio = double(kind.attention.compress);
        return ratio > 0 ? recent + windowedKeys(s, topK * ratio, keys) / ratio : recent;
    }
    if (kind.chunked && kind.window > 0 && kind.window < s) { // each chunk is a sequence of its own, the last shorter
        const double chunk = double(kind.window), rest = std::fmod(s, chunk);
        return ((s - rest) * windowedKeys(chunk, 0, keys) + rest * windowedKeys(rest, 0, keys)) / s;
    }
    double window = kind.window;
    if (topK > 0)
        window = window > 0 ? std::min(window, topK) : topK;
    return windowedKeys(s, window, keys);
}

double layerCoreFlopPerToken(const LayerKind& kind, const ModelArchitecture& model, double s, KeyCount keys) noexcept
{
    const AttentionWidths w = attentionWidths(kind);
    return 2 * (w.queryWidth() + w.outputWidth()) * meanKeys(kind, model, s, keys);
}

double layerIndexerFlopPerToken(const LayerKind& kind, double s, KeyCount keys) noexcept
{
    if (!kind.indexer || kind.indexer->heads <= 0)
        return 0;
    const double ratio = kind.attention.compress > 0 ? double(kind.attention.compress) : 1;
    return 2 * double(kind.indexer->heads * kind.indexer->headDim) * windowedKeys(s, 0, keys) / ratio;
}

} // namespace headroom
