// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_rank.hpp"

#include "core/predict/attention_keys.hpp"

#include <cstdint>

namespace headroom
{
namespace
{

/// Of `all` alike, what a rank of `ranks` holds. In whole numbers: std::ceil is a call, and this is asked millions of
/// times a second.
double share(double all, double ranks) noexcept
{
    const auto n = static_cast<std::int64_t>(all), of = static_cast<std::int64_t>(ranks);
    const std::int64_t most = (n + of - 1) / of;
    return static_cast<double>(most);
}

RankHeads headsOf(const AttentionWidths& w, double tensor) noexcept
{
    return {share(w.heads, tensor), share(w.kvHeads, tensor)};
}

} // namespace

RankHeads headsOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    return headsOf(attentionWidths(kind), plan.tensor);
}

double expertsOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    return share(double(kind.moe.experts), plan.expert);
}

double repeatedHeadWeights(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (kind.mixer != MixerKind::Attention || plan.tensor <= 1)
        return 0;
    const AttentionShape& a = kind.attention;
    const auto tensor = static_cast<std::int64_t>(plan.tensor);
    if (a.heads % tensor == 0 && (a.kind == AttentionKind::Mla || a.kvHeads % tensor == 0) &&
        a.kind != AttentionKind::Dsv4)
        return 0; // nearly always
    const AttentionWidths w = attentionWidths(kind);
    const RankHeads own = headsOf(w, plan.tensor);
    const double h = plan.model->hidden, heads = own.heads - w.heads / plan.tensor;
    if (a.kind == AttentionKind::Mla) {
        const double rank = a.mla.qLoraRank > 0 ? double(a.mla.qLoraRank) : h;
        return heads *
               (rank * w.keyDim + double(a.mla.kvLoraRank) * (double(a.mla.qkNope) + w.valueDim) + h * w.valueDim);
    }
    const double kvHeads = a.kvShared ? 0 : own.kvHeads - w.kvHeads / plan.tensor;
    const double output = a.kind == AttentionKind::Dsv4 ? 0 : w.valueDim; // Dsv4's is grouped, among the projections
    return h * (heads * (w.keyDim + output) + kvHeads * (w.keyDim + (a.kEqV ? 0 : w.valueDim)));
}

RankParameters layerOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (!kind.hasMoe)
        return {kind.parameters / plan.tensor + repeatedHeadWeights(plan, kind), 0};
    const double experts = double(kind.moe.experts) * kind.expertWeights;
    return {(kind.parameters - experts) / plan.tensor + repeatedHeadWeights(plan, kind),
            expertsOnRank(plan, kind) * kind.expertWeights / plan.expertTensor};
}

RankParameters adaptersOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const AdapterParameters a = adapterParameters(kind, plan.model->hidden, double(t.loraRank), t.loraTargets);
    return {a.parameters / plan.tensor, expertsOnRank(plan, kind) * a.perExpert / plan.expertTensor};
}

} // namespace headroom
