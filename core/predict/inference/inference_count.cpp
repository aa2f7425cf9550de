// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_count.hpp"

#include "core/predict/inference/inference_serving.hpp"
#include "core/predict/utilization.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Weights of one layer that a step of `tokens` tokens reads, bytes on a device: experts lie on all ranks of the
/// feed-forward, the rest is split over tensor ranks only.
double layerBytesPerDevice(const Machine& m, const LayerKind& k, double tokens)
{
    const double experts = k.hasMoe ? distinctExperts(real(k.moe.experts), k.missLog, tokens) : 0;
    const double routed = experts * k.expertWeights * m.routed.bytes;
    const double whole = textMixerWeights(k) * m.projection.bytes + (k.denseWeights + k.sharedWeights) * m.dense.bytes +
                         (k.routerWeights + k.extraWeights) * m.plain.bytes + routed;
    return (whole - routed) / m.sizes.tensor + routed / m.sizes.expertRanks();
}

constexpr double flopPerState = 6; // decay, outer product and read-out of the state, multiply and add each

/// Weights that a token meets in one layer.
double activeWeights(const LayerKind& k)
{
    return textMixerWeights(k) + k.denseWeights + k.routerWeights + k.sharedWeights + k.extraWeights +
           real(k.moe.topK) * k.expertWeights;
}

} // namespace

double promptFlopPerToken(const ModelProfile& model, Convention convention, double length, double cached) noexcept
{
    const double middle = (length + 1) / 2 + cached;
    if (convention != Convention::Exact)
        return forwardFlopPerToken(model, convention, middle);
    double perToken = 2 * model.headWeights;
    for (const LayerKind& k : model.kinds) {
        const double index = k.indexer ? indexedKeys(k, middle) * 2 * real(k.indexer->headDim * k.indexer->heads) : 0;
        perToken +=
            k.count * (2 * activeWeights(k) +
                       promptKeys(model, k, length, cached) * real(k.attention.heads) * promptFlopPerPair(k, false) +
                       index + flopPerState * stateValues(k));
    }
    return perToken;
}

FlopCounts decodeFlops(const ModelProfile& model, const std::array<double, 4>& contexts, double tokens) noexcept
{
    FlopCounts f = decodeFlops(model, model.kinds, model.headWeights, contexts, tokens);
    f.lmHead = tokens * 2 * model.headWeights;
    return f;
}

FlopCounts decodeFlops(const ModelProfile& model, std::span<const LayerKind> kinds, double otherWeights,
                       const std::array<double, 4>& contexts, double tokens) noexcept
{
    FlopCounts f;
    double weights = otherWeights;
    for (const LayerKind& k : kinds) {
        weights += k.count * activeWeights(k);
        double index = 0;
        if (k.indexer)
            for (const double c : contexts)
                index += indexedKeys(k, c) * 2 * real(k.indexer->headDim * k.indexer->heads) / 4;
        f.attention += k.count * tokens *
                       (meanDecodeKeys(model, k, contexts) * coreFlopPerKey(k) + index + flopPerState * stateValues(k));
        f.router += k.count * tokens * 2 * k.routerWeights;
    }
    f.forward = tokens * 2 * weights + f.attention;
    f.model = f.hardware = f.forward;
    return f;
}

double layerBytes(const Machine& m, std::span<const LayerKind> kinds, double tokens) noexcept
{
    double bytes = 0;
    for (const LayerKind& k : kinds)
        bytes += k.count * layerBytesPerDevice(m, k, tokens);
    return bytes;
}

double decodeBytes(const Machine& m, const ModelProfile& model, const std::array<double, 4>& contexts,
                   double batch) noexcept
{
    const double bytes = model.headWeights * m.head.bytes / m.sizes.tensor +
                         layerBytes(m, model.kinds, batch * m.speculation.verified());
    const double cache = sequenceReadBytes(m, model, contexts) * batch / m.sizes.attentionData;
    return (bytes + cache) / m.sizes.pipeline;
}

PublishedCount publishedCount(const Machine& m, const PreparedScenario& p, double batch, double timeS) noexcept
{
    const ModelProfile& model = *p.model;
    const Measured& measured = p.measured;
    if (measured.bandwidthCount == BandwidthCount::Unstated && !measured.achievedBandwidthGbPerS)
        return {"moved", decodeBytes(m, model, m.contexts, batch)};
    double weights = model.headWeights * m.head.bytes;
    for (const LayerKind& k : model.kinds)
        weights += k.count * layerBytesPerDevice(m, k, batch);
    const double tokens = std::ceil(real(p.inference.promptTokens + p.inference.outputTokens) / 8) * 8;
    const double cache =
        batch * sequenceCacheBytes(model, tokens, m.kept(), m.sizes.tensor, m.sizes.context) / m.sizes.attentionData;
    const std::array<PublishedCount, 3> counts{
        {{"weights", weights / m.sizes.pipeline},
         {"weights_and_cache", (weights + cache) / m.sizes.pipeline},
         {"weights_and_embedding", (weights + model.embeddingParameters * m.plain.bytes) / m.sizes.pipeline}}};
    if (measured.bandwidthCount != BandwidthCount::Unstated)
        return counts[measured.bandwidthCount == BandwidthCount::Weights ? 0 : 1];
    const double published = *measured.achievedBandwidthGbPerS * 1e9 * timeS;
    const auto distance = [&](const PublishedCount& c) { return std::abs(c.bytes / published - 1); };
    return *std::ranges::min_element(counts, {}, distance);
}

} // namespace headroom::inference
