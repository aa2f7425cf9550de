// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_speculation.hpp"

#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/predict/inference/inference_replica.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom::inference
{
namespace
{

const LayerKind* lastAttention(const ModelProfile& model)
{
    const auto kind = std::ranges::find_if(model.kinds.rbegin(), model.kinds.rend(), [](const LayerKind& k) {
        return k.mixer == MixerKind::Attention && !k.cross && !k.attention.kvShared;
    });
    return kind == model.kinds.rend() ? nullptr : &*kind;
}

/// A dense layer with the attention of the model's last one. Of a mixture of experts the feed-forward is as wide as the
/// experts that a token meets: heads for such models are published in several widths.
void becomeHead(LayerKind& layer, const ModelProfile& model)
{
    if (const LayerKind* last = lastAttention(model))
        layer = *last;
    layer.count = 1;
    layer.indexer.reset();
    layer.mixerWeights -= layer.indexerWeights;
    layer.indexerWeights = 0;
    if (layer.hasMoe) {
        layer.ffn = std::max(layer.ffn, real(layer.moe.topK * layer.moe.ffn + layer.moe.sharedFfn));
        layer.gated = layer.moe.gated;
        layer.hasMoe = false;
        layer.moe = {};
    }
    layer.routerWeights = layer.sharedWeights = layer.expertWeights = layer.extraWeights = 0;
    layer.denseWeights = (layer.gated ? 3 : 2) * model.hidden * layer.ffn;
}

/// Rows that queries, keys and values take of a layer's input; of latent attention, whose first projection is small,
/// none are counted.
double projectionWidth(const LayerKind& k)
{
    const AttentionShape& a = k.attention;
    if (k.mixer != MixerKind::Attention || a.kind == AttentionKind::Mla || a.kind == AttentionKind::Dsv4)
        return 0;
    return real(a.heads) * real(a.headDim) + real(a.kvHeads) * real(a.headDim + a.valueDim());
}

} // namespace

namespace
{

/// Tokens of an answer after its first, at least one.
double wantedOf(const InferenceWorkload& w)
{
    return std::max(1.0, real(w.outputTokens - 1));
}

double tokensAdded(const InferenceWorkload& w, const Speculation& s, const Acceptance& acceptance)
{
    return wantedOf(w) / cyclesOf(acceptance, w.acceptanceDecay, s.drafts, wantedOf(w));
}

} // namespace

void accept(const InferenceWorkload& w, const SpeculationConstants& c, Speculation& s) noexcept
{
    if (wantedOf(w) <= 1) // whatever is accepted
        return;
    if (w.acceptanceLength) {
        s.tokens = s.accepted = std::clamp(*w.acceptanceLength, 1.0, std::min(s.verified(), wantedOf(w)));
        return;
    }
    const Acceptance chosen = w.acceptance.value_or(Acceptance::of(c.acceptance[static_cast<std::size_t>(*s.method)]));
    s.accepted = std::min(tokensPerCycle(chosen, w.acceptanceDecay, s.drafts), wantedOf(w));
    s.tokens = tokensAdded(w, s, chosen);
}

AcceptedSpan acceptedSpan(const InferenceWorkload& w, const SpeculationConstants& c, const Speculation& s) noexcept
{
    if (!s.on() || w.acceptance || w.acceptanceLength)
        return {s.tokens, s.tokens};
    const double usual = c.acceptance[static_cast<std::size_t>(*s.method)];
    return {tokensAdded(w, s, Acceptance::of(std::max(0.0, usual - c.acceptanceSpread))),
            tokensAdded(w, s, Acceptance::of(std::min(1.0, usual + c.acceptanceSpread)))};
}

Drafter::Drafter(const PreparedScenario& prepared, const Machine& machine) noexcept
    : p(prepared), m(machine),
      m_model(machine.speculation.method == Drafting::Draft ? *prepared.draft : *prepared.model)
{
    const Drafting method = *machine.speculation.method;
    m_ownHead = method == Drafting::Draft || method == Drafting::Medusa || method == Drafting::Eagle3;
    if (method == Drafting::Draft)
        return;
    if (method == Drafting::Mtp) {
        joinHiddenStates(2);
        ownLayer() = *prepared.model->mtp;
        m_layer.count = 1;
        return;
    }
    m.projection = m.dense = m.head = m.absorbed = m.plain;
    switch (method) {
    case Drafting::Eagle:
        joinHiddenStates(2);
        becomeHead(ownLayer(), *prepared.model);
        return;
    case Drafting::Eagle3:
        joinHiddenStates(3);
        becomeHead(ownLayer(), *prepared.model);
        // The layer reads the embedding beside the hidden state: twice the input of queries, keys and values.
        m_layer.mixerWeights += prepared.model->hidden * projectionWidth(m_layer);
        m_model.vocab = std::min(m_model.vocab, prepared.calibration->inference.speculation.eagle3Vocabulary);
        return;
    case Drafting::Medusa:
        joinHiddenStates(1);
        m_model.kinds = {};
        m_model.heads = machine.speculation.drafts;
        return;
    case Drafting::Mtp:
    case Drafting::Draft:
    case Drafting::Ngram:
        m_model.kinds = {};
        m_model.heads = 0;
        return;
    }
}

void Drafter::joinHiddenStates(double states) noexcept
{
    m_model.fusion = states;
}

LayerKind& Drafter::ownLayer() noexcept
{
    m_model.kinds = std::span<const LayerKind>(&m_layer, 1);
    return m_layer;
}

double Drafter::fusionWeights() const noexcept
{
    return m_model.fusion * m_model.hidden * m_model.hidden * m_model.heads;
}

PassCost Drafter::pass(const PassShape& verification) const noexcept
{
    PassShape shape = verification;
    shape.tokensEach = 1;
    PassCost cost = m.speculation.passes > 0 ? passCost(m, p, m_model, shape, Routing::Even) : PassCost();
    const double all = cost.total();
    cost.time = {};
    cost.time[static_cast<std::size_t>(TimePart::Draft)] = all;
    cost.headS = 0;
    return cost;
}

PassCost Drafter::prompts(const PreparedScenario& of, double prompts) const noexcept
{
    return m.ideal ? PassCost() : pass(promptShape(of, m, prompts));
}

double Drafter::flops(const std::array<double, 4>& contexts, double tokens) const noexcept
{
    if (m.speculation.passes <= 0)
        return 0;
    return decodeFlops(m_model.profile, m_model.kinds, headWeights() + fusionWeights(), contexts, tokens).forward;
}

double Drafter::bytes(const std::array<double, 4>& contexts, double batch) const noexcept
{
    if (m.speculation.passes <= 0)
        return 0;
    const double own = fusionWeights() * m.dense.bytes + headWeights() * m.head.bytes / m.sizes.tensor;
    const double cache = sequenceReadBytes(m, m_model.profile, m_model.kinds, contexts) * batch / m.sizes.attentionData;
    // It lies on the last stage: the mean device moves its share.
    return (own + layerBytes(m, m_model.kinds, batch) + cache) / m.sizes.pipeline;
}

double Drafter::weightBytes() const noexcept
{
    if (m.speculation.passes <= 0)
        return 0;
    if (m.speculation.method == Drafting::Draft)
        return m_model.profile.parameters.total * m.dense.bytes / m.sizes.tensor;
    double bytes = fusionWeights() * m.dense.bytes;
    if (m_ownHead)
        bytes += headWeights() * m.head.bytes / m.sizes.tensor;
    for (const LayerKind& k : m_model.kinds)
        bytes += layerWeightBytes(m, k, m_model.profile.hidden);
    return bytes;
}

double Drafter::cacheBytes(double tokens) const noexcept
{
    if (m.speculation.passes <= 0)
        return 0;
    // A state cannot take back what is rejected: of a draft model as of the model itself, one is kept for each token.
    return sequenceCacheBytes(m_model.profile, m_model.kinds, tokens, m.kept(), m.sizes.tensor, m.sizes.context,
                              m.speculation.verified());
}

double Drafter::travellingBytes(double tokens, const Machine& decode) const noexcept
{
    if (m.speculation.passes <= 0)
        return 0;
    return travellingCacheBytes(m_model.profile, m_model.kinds, tokens, decode.kept(), decode.sizes.tensor);
}

SpeculationResult describeSpeculation(const PreparedScenario& p, const Replica& replica, const Serving& v) noexcept
{
    const Machine& m = replica.m;
    Machine plain = m;
    plain.speculation = {};
    SpeculationResult s;
    s.tokensPerCycle = m.speculation.accepted;
    s.tokensAdded = m.speculation.tokens;
    s.verifyS = v.verifyS;
    s.draftS = v.draftS;
    s.hostS = v.acceptS;
    s.cycleS = s.verifyS + s.draftS + s.hostS;
    MemoryPlan memory = planMemory(p, plain);
    if (!p.inference.requestsPerS) // of as many sequences, though the draft's memory would hold more of them
        memory.maxBatch = std::min(memory.maxBatch, v.mostBatch);
    s.plainTpotS = serve(p, plain, memory, Engine(replica.engine, plain), replica.pool, nullptr).tpotS;
    s.speedup = s.plainTpotS / v.tpotS;
    return s;
}

} // namespace headroom::inference
