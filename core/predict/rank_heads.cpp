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

double repeatedHeadWeights(const LayerKind& kind, double hidden, double tensor) noexcept
{
    if (kind.mixer != MixerKind::Attention || tensor <= 1)
        return 0;
    const AttentionShape& a = kind.attention;
    const auto ranks = static_cast<std::int64_t>(tensor);
    if (a.heads % ranks == 0 && (a.kind == AttentionKind::Mla || a.kvHeads % ranks == 0) &&
        a.kind != AttentionKind::Dsv4)
        return 0; // nearly always
    const AttentionWidths w = attentionWidths(kind);
    const RankHeads own = headsOf(w, tensor);
    const double heads = own.heads - w.heads / tensor;
    if (a.kind == AttentionKind::Mla) {
        const double rank = a.mla.qLoraRank > 0 ? double(a.mla.qLoraRank) : hidden;
        return heads *
               (rank * w.keyDim + double(a.mla.kvLoraRank) * (double(a.mla.qkNope) + w.valueDim) + hidden * w.valueDim);
    }
    const double kvHeads = a.kvShared ? 0 : own.kvHeads - w.kvHeads / tensor;
    const double output = a.kind == AttentionKind::Dsv4 ? 0 : w.valueDim; // Dsv4's is grouped, among the projections
    return hidden * (heads * (w.keyDim + output) + kvHeads * (w.keyDim + (a.kEqV ? 0 : w.valueDim)));
}

} // namespace headroom
