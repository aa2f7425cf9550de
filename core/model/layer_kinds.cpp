// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_kinds.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

bool sameMixer(const LayerKind& x, const LayerKind& y)
{
    return x.mixer == y.mixer && x.attention == y.attention && x.window == y.window && x.chunked == y.chunked &&
           x.cross == y.cross && x.indexer == y.indexer && x.linear == y.linear && x.mamba == y.mamba &&
           x.mixerWeights == y.mixerWeights && x.indexerWeights == y.indexerWeights;
}

bool sameFeedForward(const LayerKind& x, const LayerKind& y)
{
    return x.ffn == y.ffn && x.gated == y.gated && x.hasMoe == y.hasMoe && x.moe == y.moe &&
           x.denseWeights == y.denseWeights && x.routerWeights == y.routerWeights &&
           x.sharedWeights == y.sharedWeights && x.expertWeights == y.expertWeights;
}

} // namespace

bool alike(const LayerKind& x, const LayerKind& y)
{
    return sameMixer(x, y) && sameFeedForward(x, y) && x.parameters == y.parameters;
}

void findSharedBlocks(std::span<LayerKind> kinds)
{
    const auto first = [&kinds](const LayerKind& kind, auto same) {
        return std::size_t(std::ranges::find_if(kinds, [&](const LayerKind& other) { return same(kind, other); }) -
                           kinds.begin());
    };
    for (LayerKind& kind : kinds)
        kind.mixerLayers = kind.feedForwardLayers = 0;
    for (LayerKind& kind : kinds) {
        kind.mixerOf = first(kind, sameMixer);
        kind.feedForwardOf = first(kind, sameFeedForward);
        kinds[kind.mixerOf].mixerLayers += kind.count;
        kinds[kind.feedForwardOf].feedForwardLayers += kind.count;
    }
}

} // namespace headroom
