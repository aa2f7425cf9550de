// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/rank_heads.hpp"

#include "core/predict/attention_keys.hpp"

namespace headroom
{
namespace
{

RankHeads headsOf(const AttentionWidths& w, double tensor) noexcept
{
    return {wholeShare(w.heads, tensor), wholeShare(w.kvHeads, tensor)};
}

} // namespace

RankHeads headsOnRank(const LayerKind& kind, double tensor) noexcept
{
    return headsOf(attentionWidths(kind), tensor);
}

double wholeWeights(const LayerKind& kind, double hidden) noexcept
{
    if (kind.mixer != MixerKind::Attention)
        return 0;
    const AttentionShape& a = kind.attention;
    if (a.kind == AttentionKind::Mla)
        return hidden * double(a.mla.qLoraRank + a.mla.kvLoraRank + a.mla.qkRope) + kind.indexerWeights;
    if (a.kind != AttentionKind::Dsv4)
        return kind.indexerWeights;
    const double split = double(a.heads * a.headDim * (a.dsv4.qLoraRank + a.dsv4.oLoraRank)) +
                         hidden * double(a.dsv4.oGroups * a.dsv4.oLoraRank);
    return kind.mixerWeights - split;
}

double repeatedHeadWeights(const LayerKind& kind, double hidden, double tensor) noexcept
{
    if (kind.mixer != MixerKind::Attention || tensor <= 1)
        return 0;
    const AttentionShape& a = kind.attention;
    const bool latent = a.kind == AttentionKind::Mla || a.kind == AttentionKind::Dsv4;
    const double whole = latent || kind.indexer ? wholeWeights(kind, hidden) * (1 - 1 / tensor) : 0;
    const auto ranks = static_cast<std::int64_t>(tensor);
    if (a.heads % ranks == 0 && (latent || a.kvHeads % ranks == 0))
        return whole; // nearly always
    const AttentionWidths w = attentionWidths(kind);
    const RankHeads own = headsOf(w, tensor);
    const double heads = own.heads - w.heads / tensor;
    if (a.kind == AttentionKind::Mla) {
        const double rank = a.mla.qLoraRank > 0 ? double(a.mla.qLoraRank) : hidden;
        return whole + heads * (rank * w.keyDim + double(a.mla.kvLoraRank) * (double(a.mla.qkNope) + w.valueDim) +
                                hidden * w.valueDim);
    }
    if (a.kind == AttentionKind::Dsv4) // its one key/value head is among what lies whole
        return whole + heads * double(a.headDim) * double(a.dsv4.qLoraRank + a.dsv4.oLoraRank);
    const double kvHeads = a.kvShared ? 0 : own.kvHeads - w.kvHeads / tensor;
    return whole + hidden * (heads * (w.keyDim + w.valueDim) + kvHeads * (w.keyDim + (a.kEqV ? 0 : w.valueDim)));
}

} // namespace headroom
