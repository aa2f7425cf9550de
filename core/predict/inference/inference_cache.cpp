// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of the cache: of a layer, of a sequence on one device, of a prompt that travels, and those that a step reads.
#include "core/predict/inference/inference_memory.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom::inference
{
namespace
{

/// Cached tokens of one layer of this kind, `tokens` long.
double cachedTokens(const ModelProfile& model, const LayerKind& k, double tokens, const CacheTypes& types)
{
    const AttentionShape& a = k.attention;
    if (a.kind == AttentionKind::Dsv4) {
        const double window = k.window > 0 ? k.window : real(model.architecture.sliding.window);
        return std::min(tokens, window) + (a.compress > 0 ? tokens / real(a.compress) : 0);
    }
    return k.window > 0 && !types.wholeWindows ? std::min(tokens, k.window) : tokens;
}

} // namespace

double layerCacheBytes(const ModelProfile& model, const LayerKind& k, double tokens, const CacheTypes& types,
                       double tensor, double context, double states) noexcept
{
    const double index = k.indexer ? indexedKeys(k, tokens) * real(k.indexer->headDim) * types.index : 0;
    const double own = k.attention.kvShared ? 0 : cacheValuesPerToken(k, tensor) * types.value;
    return (cachedTokens(model, k, tokens, types) * own + index) / context + states * stateBytes(k, types, tensor);
}

double sequenceCacheBytes(const ModelProfile& model, std::span<const LayerKind> kinds, double tokens,
                          const CacheTypes& types, double tensor, double context, double states) noexcept
{
    double bytes = 0;
    for (const LayerKind& k : kinds)
        bytes += k.count * layerCacheBytes(model, k, tokens, types, tensor, context, states);
    return bytes;
}

double sequenceCacheBytes(const ModelProfile& model, double tokens, const CacheTypes& types, double tensor,
                          double context, double states) noexcept
{
    return sequenceCacheBytes(model, model.kinds, tokens, types, tensor, context, states);
}

double mostCacheBytes(const Machine& m, const ModelProfile& model, double tokens) noexcept
{
    const ParallelSizes& sizes = m.sizes;
    if (!m.layout.mixed())
        return sequenceCacheBytes(model, tokens, m.kept(), sizes.tensor, sizes.context) * sizes.fullestShare;
    std::vector<double> perLayer;
    perLayer.reserve(model.kinds.size());
    for (const LayerKind& k : model.kinds)
        perLayer.push_back(layerCacheBytes(model, k, tokens, m.kept(), sizes.tensor, sizes.context));
    return m.layout.most(perLayer);
}

double travellingCacheBytes(const ModelProfile& model, double tokens, const CacheTypes& types, double tensor) noexcept
{
    return travellingCacheBytes(model, model.kinds, tokens, types, tensor);
}

double travellingCacheBytes(const ModelProfile& model, std::span<const LayerKind> kinds, double tokens,
                            const CacheTypes& types, double tensor) noexcept
{
    double bytes = 0;
    for (const LayerKind& k : kinds) {
        const AttentionKind kind = k.attention.kind;
        const double copies = kind == AttentionKind::Mla || kind == AttentionKind::Dsv4 ? 1 : tensor;
        const double index = k.indexer ? indexedKeys(k, tokens) * real(k.indexer->headDim) * types.index : 0;
        const double own = k.attention.kvShared ? 0 : cacheValuesPerToken(k, tensor) * types.value * copies;
        bytes += k.count * (cachedTokens(model, k, tokens, types) * own + index + stateBytes(k, types, 1));
    }
    return bytes;
}

double sequenceReadBytes(const Machine& m, const ModelProfile& model, const std::array<double, 4>& contexts) noexcept
{
    return sequenceReadBytes(m, model, model.kinds, contexts, m.speculation.verified());
}

double sequenceReadBytes(const Machine& m, const ModelProfile& model, std::span<const LayerKind> kinds,
                         const std::array<double, 4>& contexts, double tokensEach) noexcept
{
    const CacheTypes types = m.kept();
    double bytes = 0;
    for (const LayerKind& k : kinds) {
        double index = 0;
        if (k.indexer)
            for (const double c : contexts)
                index += indexedKeys(k, c) * real(k.indexer->headDim) * m.indexBytes / 4;
        const double keys = meanDecodeKeys(model, k, contexts) * cacheValuesPerToken(k, m.sizes.tensor) * m.cacheBytes;
        bytes += k.count * ((keys + index) / m.sizes.context + (1 + tokensEach) * stateBytes(k, types, m.sizes.tensor));
    }
    return bytes;
}

} // namespace headroom::inference
