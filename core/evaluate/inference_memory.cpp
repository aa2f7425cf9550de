// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/inference_memory.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

constexpr double stateBytes = 4; ///< linear and state-space states are kept in 32 bit (predictor_inference.md 1)

/// Cached tokens of one layer of this kind, `tokens` long.
double cachedTokens(const ModelProfile& model, const LayerKind& k, double tokens)
{
    const AttentionShape& a = k.attention;
    if (a.kind == AttentionKind::Dsv4) {
        const double window = k.window > 0 ? k.window : real(model.architecture.sliding.window);
        return std::min(tokens, window) + (a.compress > 0 ? tokens / real(a.compress) : 0);
    }
    return k.window > 0 ? std::min(tokens, k.window) : tokens;
}

double weightBytes(const ModelProfile& model, const Machine& m)
{
    const ParallelSizes& s = m.sizes;
    double bytes = 0, listed = 0;
    for (const LayerKind& k : model.kinds) {
        const double experts = real(k.moe.experts) * k.expertWeights;
        const double dense = k.denseWeights + k.sharedWeights;
        bytes += k.count * (k.mixerWeights * m.projection.bytes / s.tensor + dense * m.dense.bytes / s.tensor +
                            k.routerWeights * m.plain.bytes / s.tensor + experts * m.routed.bytes / s.expertRanks());
        listed += k.count * (k.mixerWeights + dense + k.routerWeights + experts);
    }
    const double embedding = model.embeddingParameters + model.untiedHeadParameters;
    // Norms, biases, convolutions and whatever else is stored: 16 bit, small.
    const double rest = std::max(0.0, model.parameters.total - listed - embedding);
    return (bytes * s.stageFactor + (embedding * m.embeddingBytes + rest * m.plain.bytes) / s.tensor) / s.pipeline;
}

/// Values that the widest layer keeps for each token of a chunk (predictor_inference.md 4).
double activationValues(const ModelProfile& model, const Machine& m)
{
    double widest = 0;
    for (const LayerKind& k : model.kinds) {
        const double ffn =
            (k.gated ? 2 : 1) * k.ffn + (k.hasMoe ? 2 * real(k.moe.sharedFfn + k.moe.topK * k.moe.ffn) : 0);
        const AttentionShape& a = k.attention;
        const double heads = k.mixer == MixerKind::Attention ? real(a.heads * a.headDim + 2 * a.kvHeads * a.headDim)
                                                             : k.mixerWeights / model.hidden;
        widest = std::max(widest, ffn / m.sizes.tensor + heads / m.sizes.tensor);
    }
    return 2 * model.hidden + widest;
}

/// The largest whole batch that the plan holds; holds() is monotone.
double largestBatch(const MemoryPlan& plan)
{
    constexpr double most = 16777216;
    if (!plan.holds(1))
        return 0;
    // Beyond full chunks and logits the need is linear: one division, then a step or two for rounding.
    const double knee = std::max({plan.chunkTokens / std::max(1.0, plan.promptTokens), plan.logitSequences, 1.0});
    double low = 1, high = most;
    const double left = plan.freeShare * (plan.capacity - plan.fixedNeed(knee));
    if (left >= plan.cache(knee))
        return std::clamp(std::floor(left / std::max(plan.cachePerSequence, 1e-3) * (1 + 1e-12)), 1.0, most);
    high = std::ceil(knee);
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (plan.holds(middle) ? low : high) = middle;
    }
    return low;
}

} // namespace

double MemoryPlan::activations(double batch) const
{
    const double tokens = std::min(chunkTokens, promptTokens * batch);
    return tokens * activationPerToken + std::min(tokens / std::max(1.0, promptTokens), batch) * scoresPerSequence;
}

double MemoryPlan::logits(double batch) const
{
    return std::min(batch, logitSequences) * logitsPerSequence;
}

bool MemoryPlan::holds(double batch) const
{
    return cache(batch) <= freeShare * (capacity - fixedNeed(batch)) * (1 + 1e-12);
}

double MemoryPlan::cacheTokens(double batch) const
{
    return cachePerToken > 0 ? std::max(0.0, std::floor(freeShare * (capacity - fixedNeed(batch)) / cachePerToken)) : 0;
}

double sequenceCacheBytes(const ModelProfile& model, double tokens, double cacheBytes, double indexBytes,
                          double tensor) noexcept
{
    double bytes = 0;
    for (const LayerKind& k : model.kinds) {
        const double index = k.indexer ? indexedKeys(k, tokens) * real(k.indexer->headDim) * indexBytes : 0;
        const double own = k.attention.kvShared ? 0 : cacheValuesPerToken(k, tensor) * cacheBytes;
        bytes += k.count * (cachedTokens(model, k, tokens) * own + index + stateValues(k) / tensor * stateBytes);
    }
    return bytes;
}

double sequenceReadBytes(const Machine& m, const ModelProfile& model, const std::array<double, 4>& contexts) noexcept
{
    double bytes = 0;
    for (const LayerKind& k : model.kinds) {
        double index = 0;
        for (const double c : contexts)
            index += k.indexer ? indexedKeys(k, c) * real(k.indexer->headDim) * m.indexBytes / 4 : 0;
        bytes += k.count * (meanDecodeKeys(model, k, contexts) * cacheValuesPerToken(k, m.sizes.tensor) * m.cacheBytes +
                            index + 2 * stateValues(k) / m.sizes.tensor * stateBytes);
    }
    return bytes;
}

MemoryPlan planMemory(const PreparedScenario& prepared, const Machine& m) noexcept
{
    const InferenceMemoryConstants& c = prepared.calibration->inference.memory;
    const InferenceWorkload& w = prepared.inference;
    const ModelProfile& model = *prepared.model;
    const ParallelSizes& s = m.sizes;
    const double tokens = real(w.promptTokens) + real(w.outputTokens);
    const double share = s.stageFactor / (s.pipeline * s.context * s.attentionData);
    MemoryPlan p;
    p.usable = prepared.accelerator->usableMemoryBytes();
    p.weights = weightBytes(model, m);
    const double cache = sequenceCacheBytes(model, tokens, m.cacheBytes, m.indexBytes, s.tensor);
    p.cachePerSequence = cache * share;
    p.cachePerToken = p.cachePerSequence / std::max(1.0, tokens);
    p.promptTokens = std::max(1.0, real(w.promptTokens - w.prefixCachedTokens)) / (s.attentionData * s.context);
    p.chunkTokens = m.engine.chunkTokens > 0 ? m.engine.chunkTokens : c.chunkTokens;
    p.activationPerToken = 2 * activationValues(model, m);
    if (w.flashAttention == FlashAttention::Off) // one layer's scores and probabilities, 16 bit
        p.scoresPerSequence =
            4 * p.promptTokens * real(w.promptTokens) * std::ceil(real(model.architecture.heads) / s.tensor);
    p.logitsPerSequence = 4 * model.vocab;
    p.logitSequences = c.logitSequences;
    p.overhead = c.overheadBytes;
    const bool freeRule = m.engine.freeMemoryRule;
    p.freeShare = freeRule ? w.memoryUtilization.value_or(c.freeShare) : 1;
    const double engine = m.engine.memoryUtilization > 0 ? m.engine.memoryUtilization : c.utilization;
    p.capacity = p.usable * (freeRule ? 1 : w.memoryUtilization.value_or(engine));
    p.maxBatch = largestBatch(p);
    return p;
}

void reportMemory(const MemoryPlan& plan, double batch, Evaluation& r) noexcept
{
    r.part(MemoryPart::Weights) = plan.weights;
    r.part(MemoryPart::KvCache) = plan.cache(batch);
    r.part(MemoryPart::Activations) = plan.activations(batch);
    r.part(MemoryPart::Logits) = plan.logits(batch);
    r.part(MemoryPart::Overhead) = plan.overhead;
    r.usedBytes = 0;
    for (const double part : r.memory)
        r.usedBytes += part;
    const double free = std::max(0.0, plan.capacity - plan.fixedNeed(batch));
    r.capacityBytes = plan.capacity - (1 - plan.freeShare) * free;
    r.allocatedBytes = r.usedBytes - plan.overhead;
    r.reservedBytes = r.deviceBytes = r.usedBytes;
    r.maxBatch = plan.maxBatch;
    r.fits = plan.holds(batch);
}

} // namespace headroom::inference
