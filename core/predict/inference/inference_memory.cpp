// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_memory.hpp"

#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_reserve.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/predict/rank_heads.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Weights that are neither in the layers' matrices nor in the embedding and the head: norms, biases, convolutions.
double otherWeights(const ModelProfile& model)
{
    double listed = 0;
    for (const LayerKind& k : model.kinds)
        listed += k.count * (k.mixerWeights + (k.denseWeights + k.sharedWeights) + k.routerWeights +
                             real(k.moe.experts) * k.expertWeights);
    return std::max(0.0, model.parameters.total - listed - model.embeddingParameters - model.untiedHeadParameters);
}

/// Weights of a stage whose layers have `layerBytes`.
double weightBytes(const ModelProfile& model, const Machine& m, std::size_t stage, double layerBytes)
{
    // The embedding lies on the first stage, the head on the last: a copy where the two are one matrix.
    const bool first = stage == 0, last = stage == m.layout.last(), tied = model.untiedHeadParameters <= 0;
    const double head = !tied ? model.untiedHeadParameters : first ? 0 : model.headWeights;
    const double matrices =
        (first ? model.embeddingParameters * m.embeddingBytes : 0) + (last ? head * m.head.bytes : 0);
    // What else is stored: 16 bit, small.
    const double other = otherWeights(model) * m.plain.bytes / m.sizes.pipeline;
    return layerBytes + (matrices + other) / m.sizes.tensor;
}

/// 16-bit copies of a layer's up projections of latent attention, which answers absorb, beside stored ones of fewer
/// bits, which prompts use.
double absorbedCopies(const Machine& m, const LayerKind& k)
{
    const AttentionShape& a = k.attention;
    if (!m.engine.copiesAbsorbed || k.mixer != MixerKind::Attention || a.kind != AttentionKind::Mla ||
        m.absorbed.bytes <= m.projection.bytes)
        return 0;
    const double heads = headsOnRank(k, m.sizes.tensor).heads;
    return heads * real(a.mla.kvLoraRank * (a.mla.qkNope + a.mla.vHeadDim)) * m.absorbed.bytes;
}

/// What of `weights` stays on a device of a stage with so many layers while the rest lies in the host's memory. Two
/// layers at a time visit it where they are fetched ahead: under the bound, too, which holds no fewer sequences.
double residentBytes(const Machine& m, double weights, double layers, const InferenceWorkload& w)
{
    const double away = m.hostShare * weights;
    return weights - away + (effectiveHostOverlap(w) > 0 ? std::min(away, 2 * away / std::max(1.0, layers)) : 0);
}

/// Values that the widest layer keeps for each token of a chunk (docs/method/memory.md).
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

/// Values that FasterTransformer keeps for each token of a batch's prompts: six copies of the hidden state; of
/// the rank's heads the projected queries, keys and values twice, the result twice; the feed-forward's (its
/// GptContextAttentionLayer and ParallelGptContextDecoder, docs/method/memory.md).
double wholePromptValues(const ModelProfile& model, const Machine& m)
{
    double widest = 0;
    for (const LayerKind& k : model.kinds)
        widest = std::max(widest, 8 * real(k.attention.heads * k.attention.headDim) +
                                      (k.hasMoe ? real(k.moe.sharedFfn + k.moe.topK * k.moe.ffn) : k.ffn));
    return 6 * model.hidden + widest / m.sizes.tensor;
}

/// What each stage keeps of the model, for sequences of `tokens`.
class Stages final
{
public:
    Stages(const PreparedScenario& prepared, const Machine& machine, double tokens)
        : w(prepared.inference), p(*prepared.model), m(machine)
    {
        if (m.sizes.pipeline <= 1) { // the only stage holds all layers: nothing is kept for others
            for (const LayerKind& k : p.kinds) {
                const LayerNeed each = ofLayer(k, tokens);
                m_whole.weights += k.count * each.weights;
                m_whole.cache += k.count * each.cache;
            }
            return;
        }
        m_kinds.reserve(p.kinds.size());
        for (const LayerKind& k : p.kinds)
            m_kinds.push_back(ofLayer(k, tokens));
        m_layers.resize(p.kinds.size());
    }

    [[nodiscard]] StageNeed need(std::size_t stage)
    {
        double weights = m_whole.weights, cache = m_whole.cache;
        if (!m_kinds.empty())
            m.layout.count(stage, m_layers);
        for (std::size_t k = 0; k < m_kinds.size(); ++k) {
            weights += m_layers[k] * m_kinds[k].weights;
            cache += m_layers[k] * m_kinds[k].cache;
        }
        StageNeed need;
        need.weights = weightBytes(p, m, stage, weights);
        if (m.hostShare > 0)
            need.weights = residentBytes(m, need.weights, m.layout.layers(stage), w);
        need.cachePerSequence = cache;
        need.logitsPerSequence = stage == m.layout.last() ? m.engine.logitBytes * p.vocab : 0;
        return need;
    }

    /// All stages but the first; of those between the ends only what another does not outdo in everything.
    [[nodiscard]] std::vector<StageNeed> others(const StageNeed& first)
    {
        std::vector<StageNeed> kept;
        const auto outdoes = [](const StageNeed& a, const StageNeed& b) {
            return a.weights >= b.weights && a.cachePerSequence >= b.cachePerSequence;
        };
        const auto consider = [&](std::size_t stage) {
            const StageNeed here = need(stage);
            if (outdoes(first, here) || std::ranges::any_of(kept, [&](const auto& k) { return outdoes(k, here); }))
                return;
            std::erase_if(kept, [&](const StageNeed& k) { return outdoes(here, k); });
            kept.push_back(here);
        };
        if (m.layout.mixed())
            for (std::size_t stage = 1; stage < m.layout.last(); ++stage)
                consider(stage);
        else if (m.layout.heaviest() != m.layout.last()) // layers of one kind: their number decides
            consider(m.layout.heaviest());
        kept.push_back(need(m.layout.last()));
        return kept;
    }

private:
    struct LayerNeed {
        double weights = 0, cache = 0; ///< bytes of one layer, the cache of one sequence
    };
    [[nodiscard]] LayerNeed ofLayer(const LayerKind& k, double tokens) const
    {
        return {layerWeightBytes(m, k, p.hidden) + absorbedCopies(m, k),
                layerCacheBytes(p, k, tokens, m.kept(), m.sizes.tensor, m.sizes.context, m.speculation.verified())};
    }

    const InferenceWorkload& w;
    const ModelProfile& p;
    const Machine& m;
    LayerNeed m_whole;              ///< of all layers, where one stage holds them
    std::vector<LayerNeed> m_kinds; ///< empty where one stage holds them
    std::vector<double> m_layers;   ///< of each kind, on the stage at hand
};

/// The draft lies on the last stage, beside the LM head; each token that is verified has logits. vLLM, which tries when
/// it starts what it may need, tries to verify one proposed token of each sequence, however many are proposed later,
/// and after it has tried to sample as many (gpu_model_runner.py: _dummy_sampler_run()): no more than that takes.
void addDraft(const Drafter& drafter, const Machine& m, double tokens, MemoryPlan& plan)
{
    StageNeed& last = plan.last();
    last.weights += drafter.weightBytes();
    last.cachePerSequence += drafter.cacheBytes(tokens);
    if (m.engine.reserve != ReserveRule::Profile)
        last.logitsPerSequence *= m.speculation.verified();
}

double heaviest(const MemoryPlan& plan)
{
    double weights = plan.first.weights;
    for (const StageNeed& stage : plan.others)
        weights = std::max(weights, stage.weights);
    return weights;
}

constexpr double mostBatch = 16777216; ///< beyond any engine's scheduler

/// The largest whole number of sequences that one stage holds; its need grows with them.
double largestBatch(const MemoryPlan& plan, const StageNeed& stage)
{
    const auto left = [&](double batch) { return plan.freeShare * (plan.capacity - plan.fixedNeed(stage, batch)); };
    const auto holds = [&](double batch) { return plan.cache(stage, batch) <= left(batch) * (1 + roundingError); };
    if (!holds(1))
        return 0;
    // Beyond full chunks and logits the need is linear: one division.
    // A rank's share of a prompt may be less than a token.
    const double knee = std::max({plan.chunkTokens / plan.promptTokens, plan.logitSequences * plan.attentionData, 1.0});
    if (const double free = left(knee); free >= plan.cache(stage, knee)) {
        const double perRank = std::floor(free / std::max(stage.cachePerSequence, 1e-3) * (1 + roundingError));
        return std::clamp(plan.attentionData * perRank, 1.0, mostBatch);
    }
    double low = 1, high = std::ceil(knee);
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

} // namespace

double MemoryPlan::sequences(double batch) const
{
    return std::ceil(batch / attentionData);
}

double MemoryPlan::activations(double batch) const
{
    const double tokens = std::min(chunkTokens, promptTokens * batch);
    const double used =
        tokens * activationPerToken + std::min(tokens / std::max(1.0, promptTokens), batch) * scoresPerSequence;
    return std::max(used, reservedActivations);
}

double MemoryPlan::logits(const StageNeed& stage, double batch) const
{
    // A full pass and then the sampling of its sequences were tried, never both at once: the larger was needed.
    if (logitsReserved)
        return std::max(0.0, logitSequences * stage.logitsPerSequence - activations(batch));
    return std::min(sequences(batch), logitSequences) * stage.logitsPerSequence;
}

double MemoryPlan::cache(const StageNeed& stage, double batch) const
{
    return sequences(batch) * stage.cachePerSequence;
}

double MemoryPlan::fixedNeed(const StageNeed& stage, double batch) const
{
    return stage.weights + activations(batch) + logits(stage, batch) + overhead;
}

const StageNeed& MemoryPlan::fullest(double batch) const
{
    const auto need = [&](const StageNeed& stage) { return fixedNeed(stage, batch) + cache(stage, batch); };
    if (others.empty())
        return first;
    const StageNeed& other = *std::ranges::max_element(others, {}, need);
    return need(other) > need(first) ? other : first;
}

double MemoryPlan::need(double batch) const
{
    const StageNeed& stage = fullest(batch);
    return fixedNeed(stage, batch) + cache(stage, batch);
}

bool MemoryPlan::holds(double batch) const
{
    return batch <= maxBatch;
}

double layerWeightBytes(const Machine& m, const LayerKind& k, double hidden) noexcept
{
    const ParallelSizes& s = m.sizes;
    const double mixer = k.mixerWeights / s.tensor + repeatedHeadWeights(k, hidden, s.tensor);
    return mixer * m.projection.bytes + (k.denseWeights + k.sharedWeights) * m.dense.bytes / s.tensor +
           k.routerWeights * m.plain.bytes + // every rank routes for itself
           s.expertsHeld(k) * k.expertWeights * m.routed.bytes * m.expertFill / s.expertSplit();
}

double storedWeightBytes(const ModelProfile& model, const Machine& m) noexcept
{
    double bytes = 0;
    for (const LayerKind& k : model.kinds)
        bytes += k.count * layerWeightBytes(m, k, model.hidden);
    const double matrices = model.embeddingParameters * m.embeddingBytes + model.untiedHeadParameters * m.head.bytes;
    return bytes + (matrices + otherWeights(model) * m.plain.bytes) / m.sizes.tensor;
}

// One function with all that it calls, and the next: calls cost as much as the sums.
[[gnu::flatten]] MemoryPlan planMemory(const PreparedScenario& prepared, const Machine& m,
                                       const Drafter* drafter) noexcept
{
    const InferenceMemoryConstants& c = prepared.calibration->inference.memory;
    const InferenceWorkload& w = prepared.inference;
    const ModelProfile& model = *prepared.model;
    const ParallelSizes& s = m.sizes;
    // Drafts take their places in the cache before they are verified.
    const double tokens = heldTokens(w) + m.speculation.drafts;
    MemoryPlan p;
    p.usable = prepared.accelerator->usableMemoryBytes();
    p.attentionData = s.attentionData;
    Stages stages(prepared, m, tokens);
    p.first = stages.need(0);
    if (s.pipeline > 1)
        p.others = stages.others(p.first);
    if (drafter)
        addDraft(*drafter, m, tokens, p);
    else if (m.speculation.on())
        addDraft(Drafter(prepared, m), m, tokens, p);
    p.promptTokens = promptLength(w) / (s.attentionData * s.context);
    p.chunkTokens = m.engine.chunkTokens > 0 ? m.engine.chunkTokens : c.chunkTokens;
    p.activationPerToken = m.activationBytes * activationValues(model, m);
    const bool whole = m.engine.wholePrompts && w.scheduling == Scheduling::Static;
    if (whole) {
        p.activationPerToken = m.activationBytes * wholePromptValues(model, m);
        p.chunkTokens = m.engine.chunkTokens > 0 ? p.chunkTokens : mostBatch * p.promptTokens;
    }
    const bool fuses = m.engine.fusesAttention && w.flashAttention != FlashAttention::Off;
    if (whole || !fuses) { // one layer's scores and probabilities
        const double bytes = m.activationBytes + (whole ? 4 : m.activationBytes); // FasterTransformer's: 32 bit
        p.scoresPerSequence =
            bytes * p.promptTokens * real(w.promptTokens) * std::ceil(real(model.architecture.heads) / s.tensor);
    }
    p.overhead = m.engine.overheadBytes > 0 ? m.engine.overheadBytes : c.overheadBytes;
    StartReserve start;
    if (m.engine.reserve != ReserveRule::Batch) // most have nothing to set aside, and a call is dear
        start = startReserve(prepared, m, {p.activationPerToken, p.overhead, heaviest(p)});
    p.reservedActivations = start.activations;
    p.logitSequences = start.logitSequences > 0 ? start.logitSequences : c.logitSequences;
    p.logitsReserved = start.logitSequences > 0;
    if (start.chunkTokens > 0)
        p.chunkTokens = start.chunkTokens;
    p.overhead += start.overhead;
    const bool freeRule = m.engine.freeMemoryRule;
    p.freeShare = freeRule ? w.memoryUtilization.value_or(c.freeShare) : 1;
    const double engine = m.engine.memoryUtilization > 0 ? m.engine.memoryUtilization : c.utilization;
    const bool fraction = m.engine.reserve == ReserveRule::Fraction;
    p.utilization = freeRule   ? p.freeShare
                    : fraction ? 1 - start.activations / (p.usable - p.overhead)
                               : w.memoryUtilization.value_or(engine);
    p.capacity = p.usable * (freeRule || fraction ? 1 : p.utilization);
    p.maxBatch = std::min(mostBatch, largestBatch(p, p.first));
    for (const StageNeed& stage : p.others)
        p.maxBatch = std::min(p.maxBatch, largestBatch(p, stage));
    return p;
}

[[gnu::flatten]] void reportMemory(const MemoryPlan& plan, double batch, Evaluation& r) noexcept
{
    const StageNeed& stage = plan.fullest(batch);
    r.part(MemoryPart::Weights) = stage.weights;
    r.part(MemoryPart::KvCache) = plan.cache(stage, batch);
    r.part(MemoryPart::Activations) = plan.activations(batch);
    r.part(MemoryPart::Logits) = plan.logits(stage, batch);
    r.part(MemoryPart::Overhead) = plan.overhead;
    r.usedBytes = 0;
    for (const double part : r.memory)
        r.usedBytes += part;
    const double fixed = // MemoryPlan::fixedNeed() of the parts that are known
        stage.weights + r.part(MemoryPart::Activations) + r.part(MemoryPart::Logits) + plan.overhead;
    const double free = std::max(0.0, plan.capacity - fixed);
    r.capacityBytes = plan.capacity - (1 - plan.freeShare) * free;
    r.allocatedBytes = r.usedBytes - plan.overhead;
    r.reservedBytes = r.deviceBytes = r.usedBytes;
    r.maxBatch = plan.maxBatch;
    r.fits = plan.holds(batch);
}

} // namespace headroom::inference
