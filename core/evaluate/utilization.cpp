// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/utilization.hpp"

#include "core/evaluate/attention_keys.hpp"

#include <algorithm>
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

/// Weights that multiply, times FLOP per weight, and the attention core: both forward, per token.
struct ForwardCount {
    double weights = 0, core = 0;
};

/// PaLM's 12·L·q·d·s is written without windows: the full square in every attention layer.
double unwindowedCore(const ModelProfile& model, double s)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds) {
        const AttentionWidths w = attentionWidths(kind);
        if (kind.mixer == MixerKind::Attention && !kind.cross)
            sum += kind.count * 2 * (w.queryWidth() + w.outputWidth()) * s;
    }
    return sum;
}

/// The multi-token-prediction layer: its weights, the projection of two hidden states to one, and the head again.
ForwardCount mtpCount(const ModelProfile& model, double s)
{
    if (!model.mtp)
        return {};
    const LayerKind& kind = *model.mtp;
    const double active = kind.mixerWeights + kind.denseWeights + kind.sharedWeights +
                          double(kind.hasMoe ? kind.moe.topK : 0) * kind.expertWeights;
    const double weights = active + 2 * model.hidden * model.hidden + model.headWeights;
    return {kind.count * weights,
            kind.count * layerCoreFlopPerToken(kind, model.architecture, s, KeyCount::HalfCausal)};
}

/// Weights of the routed experts that a token meets.
double routedWeights(const ModelProfile& model)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds)
        if (kind.hasMoe)
            sum += kind.count * double(kind.moe.topK) * kind.expertWeights;
    return sum;
}

double indexerFlopPerToken(const ModelProfile& model, double s)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds)
        if (kind.indexer)
            sum += kind.count * layerIndexerFlopPerToken(kind, s, KeyCount::ExactCausal);
    return sum;
}

/// Forward weights and core of a convention. `sc21` is no sum of these and is handled by its callers.
ForwardCount forwardCount(const ModelProfile& model, Convention convention, double s, bool mtp)
{
    const ParameterCounts& n = model.parameters;
    const auto core = [&](KeyCount keys) { return attentionCoreFlopPerToken(model, s, keys); };
    switch (convention) {
    case Convention::Standard:
        return {n.matmulActive, core(KeyCount::FullSquare)};
    case Convention::SixN:
        return {n.active, 0};
    case Convention::Palm:
    case Convention::Palm43:
        return {n.active, unwindowedCore(model, s)};
    case Convention::Causal:
        return {n.matmulActive, core(KeyCount::HalfCausal)};
    case Convention::Megatron:
        return {n.matmulActive - n.router, core(KeyCount::FullSquare)};
    case Convention::MegatronCausal: {
        const ForwardCount extra = mtp ? mtpCount(model, s) : ForwardCount{};
        return {n.matmulActive - n.router + extra.weights, core(KeyCount::HalfCausal) + extra.core};
    }
    case Convention::Matmul:
        return {n.matmulActive, 0};
    case Convention::Exact:
        return {n.matmulActive, core(KeyCount::ExactCausal) + indexerFlopPerToken(model, s)};
    case Convention::Sc21:
        break;
    }
    return {};
}

/// Megatron's 2021 papers, literally: no grouped queries, no gating, feed-forward of four times the hidden size.
double sc21FlopPerToken(const ModelProfile& model, double s)
{
    const double h = model.hidden;
    return 72 * model.layers * h * h * (1 + s / (6 * h)) + 6 * h * model.vocab;
}

} // namespace

double attentionCoreFlopPerToken(const ModelProfile& model, double s, KeyCount keys)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds)
        if (kind.mixer == MixerKind::Attention)
            sum += kind.count * layerCoreFlopPerToken(kind, model.architecture, s, keys);
    return sum;
}

double modelFlopPerToken(const ModelProfile& model, Convention convention, const TrainingCount& count)
{
    const bool adapters = count.method != Method::Full;
    if (convention == Convention::Sc21)
        return sc21FlopPerToken(model, count.sampleTokens) * (adapters ? 2.0 / 3 : 1);
    const ForwardCount forward = forwardCount(model, convention, count.sampleTokens, count.multiTokenPrediction);
    const double total = (adapters ? 4 : 6) * forward.weights + 3 * forward.core;
    if (!adapters || convention != Convention::Exact)
        return total;
    return total + 6 * activeLoraParameters(model, count.loraRank, count.loraTargets);
}

double hardwareFlopPerToken(const ModelProfile& model, Convention convention, const TrainingCount& count)
{
    const double step = modelFlopPerToken(model, convention, count);
    const RecomputeShares again = recomputeShares(count.checkpointing, count.checkpointEvery);
    if (convention == Convention::Palm43)
        return step * (1 + again.matmul / 3);
    ForwardCount forward = forwardCount(model, convention, count.sampleTokens, count.multiTokenPrediction);
    if (convention == Convention::Sc21)
        forward = {sc21FlopPerToken(model, count.sampleTokens) / 6, 0};
    double adapters = 0;
    if (convention == Convention::Exact && count.method != Method::Full)
        adapters = activeLoraParameters(model, count.loraRank, count.loraTargets);
    const double experts = model.moeLayers > 0 ? routedWeights(model) : 0;
    const double dense = std::max(0.0, forward.weights - model.headWeights - experts);
    double recomputed =
        2 * (dense + adapters) * again.matmul + 2 * experts * again.experts + forward.core * again.attention;
    // FlashAttention's backward computes the scores once more: half of the core's two matmuls.
    if (convention == Convention::Exact && count.flashAttention)
        recomputed += forward.core / 2;
    return step + recomputed;
}

double forwardFlopPerToken(const ModelProfile& model, Convention convention, double keys)
{
    if (convention == Convention::Sc21)
        return 24 * model.layers * model.hidden * model.hidden + 4 * model.layers * model.hidden * keys +
               2 * model.hidden * model.vocab;
    const ForwardCount forward = forwardCount(model, convention, 0, false);
    if (convention == Convention::SixN || convention == Convention::Matmul)
        return 2 * forward.weights;
    double core = 0;
    for (const LayerKind& kind : model.kinds) {
        if (kind.mixer != MixerKind::Attention)
            continue;
        // `keys` is the mean context already: a query that sees it all sees min(keys, window).
        const AttentionWidths w = attentionWidths(kind);
        const double seen = convention == Convention::Palm || convention == Convention::Palm43
                                ? (kind.cross ? 0 : keys)
                                : meanKeys(kind, model.architecture, keys, KeyCount::FullSquare);
        core += kind.count * 2 * (w.queryWidth() + w.outputWidth()) * seen;
        if (convention == Convention::Exact)
            core += kind.count * layerIndexerFlopPerToken(kind, keys, KeyCount::FullSquare);
    }
    return 2 * forward.weights + core;
}

} // namespace headroom
