// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/utilization.hpp"

#include "core/predict/attention_keys.hpp"

#include <algorithm>
#include <utility>

namespace headroom
{
const std::array<ConventionRow, conventionCount>& conventionTable()
{
    static constexpr std::array<ConventionRow, conventionCount> table{{
        {Convention::Standard, "standard", "Standard", "6·M + 3·core(s)",
         "torchtitan since embeddings are excluded, nanotron, MaxText before mid 2025", false},
        {Convention::SixN, "six_n", "6·N", "6·N", "quick estimates", false},
        {Convention::Palm, "palm", "PaLM", "6·N + 12·L·q·d·s",
         "PaLM appendix B, torchtitan before embeddings were excluded", false},
        {Convention::Causal, "causal", "Causal", "6·M + 3·core(s/2)", "FlashAttention papers, MaxText since mid 2025",
         true},
        {Convention::Megatron, "megatron", "Megatron", "6·(M − R) + 3·core(s)",
         "Megatron-LM until 2024, NeMo pre-training pages", false},
        {Convention::MegatronCausal, "megatron_causal", "Megatron, causal", "6·(M − R) + 3·core(s/2)",
         "Megatron-Core from 2025, Megatron-Bridge", true},
        {Convention::Sc21, "sc21", "Megatron 2021", "72·L·h²·(1 + s/(6h)) + 6·h·V", "Megatron 2021 papers, InternEvo",
         false},
        {Convention::Matmul, "matmul", "Matmul weights", "6·M", "fine-tuning pages with short packed samples", true},
        {Convention::Palm43, "palm_4_3", "PaLM, HFU 4/3", "6·N + 12·L·q·d·s", "llm-foundry, fms-fsdp", false},
        {Convention::Exact, "exact", "Exact, causal", "6·M + 3·core((s+1)/2)", "the honest comparison", true},
    }};
    return table;
}
const ConventionRow& conventionRow(Convention c)
{
    return conventionTable()[static_cast<std::size_t>(c)];
}

namespace
{

/// Weights of the routed experts that a token meets in the layers of one kind.
double routedWeights(const LayerKind& kind)
{
    return kind.hasMoe ? kind.count * double(kind.moe.topK) * kind.expertWeights : 0;
}

/// The multi-token-prediction layers without their routers: their weights, the projection of hidden state and
/// embedding to one, and the head again.
double mtpWeights(const ModelProfile& model)
{
    const LayerKind& kind = *model.mtp;
    const double always = kind.mixerWeights + kind.denseWeights + kind.sharedWeights + kind.joinWeights;
    return kind.count * (always + model.headWeights) + routedWeights(kind);
}

double routedWeights(const ModelProfile& model)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds)
        sum += routedWeights(kind);
    return sum;
}

/// Weights that a convention multiplies each token by. `sc21` has no such sum.
double forwardWeights(const ModelProfile& model, Convention convention)
{
    const ParameterCounts& n = model.parameters;
    switch (convention) {
    case Convention::SixN:
    case Convention::Palm:
    case Convention::Palm43:
        return n.active;
    case Convention::Megatron:
    case Convention::MegatronCausal:
        return n.matmulActive - n.router;
    case Convention::Standard:
    case Convention::Causal:
    case Convention::Matmul:
    case Convention::Exact:
        return n.matmulActive;
    case Convention::Sc21:
        break;
    }
    return 0;
}

/// What layers of this kind multiply latents of queries, keys and values by: may run again (Repeated::Expansion).
double expansionWeights(const LayerKind& kind)
{
    const AttentionShape& a = kind.attention;
    if (kind.mixer != MixerKind::Attention || a.kind != AttentionKind::Mla || a.mla.qLoraRank <= 0)
        return 0;
    const AttentionWidths w = attentionWidths(kind);
    return kind.count * (double(a.mla.qLoraRank) * w.queryWidth() +
                         double(a.mla.kvLoraRank) * w.heads * (double(a.mla.qkNope) + w.valueDim));
}

/// Megatron's 2021 papers, literally: no grouped queries, no gating, feed-forward of four times the hidden size.
double sc21FlopPerToken(const ModelProfile& model, double s)
{
    const double h = model.hidden;
    return 72 * model.layers * h * h * (1 + s / (6 * h)) + 6 * h * model.vocab;
}

} // namespace

TrainingFlopPerToken::TrainingFlopPerToken(const ModelProfile& model, const TrainingCount& count) noexcept
    : m_model(model), m_count(count)
{
    const double s = count.sampleTokens;
    for (const LayerKind& kind : model.kinds) {
        if (kind.indexer)
            m_exactCausal += kind.count * layerIndexerFlopPerToken(kind, s, KeyCount::ExactCausal);
        if (kind.mixer != MixerKind::Attention || kind.cross)
            continue;
        const AttentionWidths w = attentionWidths(kind);
        const double each = kind.count * 2 * (w.queryWidth() + w.outputWidth()); // FLOP a key
        m_fullSquare += each * meanKeys(kind, model.architecture, s, KeyCount::FullSquare);
        m_halfCausal += each * meanKeys(kind, model.architecture, s, KeyCount::HalfCausal);
        m_exactCausal += each * meanKeys(kind, model.architecture, s, KeyCount::ExactCausal);
        m_unwindowed += each * s;
    }
    if (count.multiTokenPrediction && model.mtp) {
        const LayerKind& mtp = *model.mtp;
        m_furtherWeights = mtpWeights(model);
        m_furtherRouters = mtp.count * mtp.routerWeights;
        m_furtherHalfCausal = mtp.count * layerCoreFlopPerToken(mtp, model.architecture, s, KeyCount::HalfCausal);
        m_exactCausal += mtp.count * (layerCoreFlopPerToken(mtp, model.architecture, s, KeyCount::ExactCausal) +
                                      layerIndexerFlopPerToken(mtp, s, KeyCount::ExactCausal));
    }
    if (count.projectAgain > 0) {
        for (const LayerKind& kind : model.kinds)
            m_expansion += expansionWeights(kind);
        m_expansion += count.multiTokenPrediction && model.mtp ? expansionWeights(*model.mtp) : 0;
    }
    if (count.method != Method::Full)
        m_adapters = activeLoraParameters(model, count.loraRank, count.loraTargets);
}

TrainingFlopPerToken::Forward TrainingFlopPerToken::forward(Convention convention) const noexcept
{
    const double weights = forwardWeights(m_model, convention);
    switch (convention) {
    case Convention::Standard:
    case Convention::Megatron:
        return {weights, m_fullSquare};
    case Convention::Palm: // 12·L·q·d·s is written without windows
    case Convention::Palm43:
        return {weights, m_unwindowed};
    case Convention::Causal:
        return {weights, m_halfCausal};
    case Convention::MegatronCausal:
        return {weights + m_furtherWeights, m_halfCausal + m_furtherHalfCausal};
    case Convention::Exact:
        return {weights + m_furtherWeights + m_furtherRouters, m_exactCausal};
    case Convention::Sc21: // its own sum, as weights alone
        return {sc21FlopPerToken(m_model, m_count.sampleTokens) / 6, 0};
    case Convention::SixN:
    case Convention::Matmul:
        break;
    }
    return {weights, 0};
}

namespace
{

/// No loop: with each convention known in advance nothing is left to choose, and every evaluation asks for all.
template <typename Count, std::size_t... c>
[[gnu::flatten]] ByConvention each(const Count& count, std::index_sequence<c...>) noexcept
{
    return {count(static_cast<Convention>(c))...};
}
constexpr auto allConventions = std::make_index_sequence<conventionCount>();

} // namespace

ByConvention TrainingFlopPerToken::models() const noexcept
{
    return each([this](Convention convention) { return model(convention); }, allConventions);
}

ByConvention ForwardFlopPerToken::all() const noexcept
{
    return each(*this, allConventions);
}

double TrainingFlopPerToken::model(Convention convention) const noexcept
{
    const bool adapters = m_count.method != Method::Full;
    const Forward once = forward(convention);
    const double total = (adapters ? 4 : 6) * once.weights + 3 * once.core;
    return convention == Convention::Exact ? total + 6 * m_adapters : total;
}

namespace
{

bool countsPrediction(Convention convention)
{
    return convention == Convention::MegatronCausal || convention == Convention::Exact;
}

} // namespace

double TrainingFlopPerToken::hardware(Convention convention) const noexcept
{
    const double step = model(convention);
    const RecomputeShares again =
        recomputeShares(m_count.checkpointing, m_count.checkpointEvery, m_count.flashAttention);
    if (convention == Convention::Palm43)
        return step * (1 + again.matmul / 3);
    const Forward once = forward(convention);
    const double adapters = convention == Convention::Exact ? m_adapters : 0;
    const bool further = m_furtherWeights > 0 && countsPrediction(convention);
    const double experts =
        (m_model.moeLayers > 0 ? routedWeights(m_model) : 0) + (further ? routedWeights(*m_model.mtp) : 0);
    const double heads = further ? 1 + m_model.mtp->count : 1;
    const double outside = heads * m_model.headWeights + m_model.parameters.embedProjection; // of the layers: kept
    const double dense = std::max(0.0, once.weights - outside - experts);
    double recomputed =
        2 * (dense + adapters) * again.matmul + 2 * experts * again.experts + once.core * again.attention;
    recomputed += 2 * m_expansion * std::max(0.0, m_count.projectAgain - again.matmul);
    // FlashAttention's backward computes the scores once more: half of the core's two matmuls.
    if (convention == Convention::Exact && m_count.flashAttention)
        recomputed += once.core / 2;
    return step + recomputed;
}

ForwardFlopPerToken::ForwardFlopPerToken(const ModelProfile& model, double keys) noexcept : m_model(model), m_keys(keys)
{
    for (const LayerKind& kind : model.kinds) {
        if (kind.mixer != MixerKind::Attention)
            continue;
        const AttentionWidths w = attentionWidths(kind);
        const double each = kind.count * 2 * (w.queryWidth() + w.outputWidth()); // FLOP a key
        // `keys` is the mean context already: a query that sees it all sees min(keys, window).
        m_windowed += each * meanKeys(kind, model.architecture, keys, KeyCount::FullSquare);
        m_unwindowed += kind.cross ? 0 : each * keys;
        m_indexer += kind.count * layerIndexerFlopPerToken(kind, keys, KeyCount::FullSquare);
    }
}

double ForwardFlopPerToken::operator()(Convention convention) const noexcept
{
    const double weights = 2 * forwardWeights(m_model, convention);
    switch (convention) {
    case Convention::SixN:
    case Convention::Matmul:
        break;
    case Convention::Palm:
    case Convention::Palm43:
        return weights + m_unwindowed;
    case Convention::Exact:
        return weights + m_windowed + m_indexer;
    case Convention::Sc21:
        return 24 * m_model.layers * m_model.hidden * m_model.hidden + 4 * m_model.layers * m_model.hidden * m_keys +
               2 * m_model.hidden * m_model.vocab;
    default:
        return weights + m_windowed;
    }
    return weights;
}

} // namespace headroom
