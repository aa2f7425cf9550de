// SPDX-License-Identifier: GPL-3.0-or-later
// LayerMatrices: the weight matrices of a layer one by one, for what works on whole matrices: adapters, Muon.
#pragma once

#include "core/predict/attention_keys.hpp"
#include "core/predict/expert_width.hpp"
#include "core/predict/utilization.hpp"

namespace headroom
{

/// How tensor parallelism cuts a matrix: by columns (its result is split) or by rows (its input is).
enum class Cut { Columns, Rows };

/// Gives those of a layer's matrices that `targets` name to a sum: add(in, out, cut).
template <typename Sum>
class ChosenMatrices final
{
public:
    ChosenMatrices(const Sum& empty, LoraTargets targets) : sum(empty), m_targets(targets) {}

    void add(LoraTargets::Bit bit, double in, double out, Cut cut = Cut::Columns)
    {
        if (m_targets.has(bit) && in > 0 && out > 0)
            sum.add(in, out, cut);
    }
    void addFeedForward(double hidden, double width, bool gated)
    {
        if (gated)
            add(LoraTargets::Gate, hidden, width);
        add(LoraTargets::Up, hidden, width);
        add(LoraTargets::Down, width, hidden, Cut::Rows);
    }

    Sum sum;

private:
    LoraTargets m_targets;
};

/// The projections of a layer's attention; `h`: width of the model.
template <typename Sum>
void addAttention(ChosenMatrices<Sum>& sum, const LayerKind& kind, double h)
{
    const AttentionShape& a = kind.attention;
    const AttentionWidths w = attentionWidths(kind);
    if (a.kind == AttentionKind::Mla) { // the low-rank pairs are matrices of their own
        const double latent = double(a.mla.kvLoraRank), rope = double(a.mla.qkRope), rank = double(a.mla.qLoraRank);
        if (rank > 0) {
            sum.add(LoraTargets::Q, h, rank);
            sum.add(LoraTargets::Q, rank, w.queryWidth());
        } else {
            sum.add(LoraTargets::Q, h, w.queryWidth());
        }
        sum.add(LoraTargets::K, h, latent + rope);
        sum.add(LoraTargets::V, latent, w.heads * (double(a.mla.qkNope) + w.valueDim));
    } else {
        sum.add(LoraTargets::Q, h, w.queryWidth() * (a.gate == OutputGate::Element ? 2 : 1));
        if (!a.kvShared) {
            sum.add(LoraTargets::K, h, w.kvHeads * w.keyDim);
            if (!a.kEqV)
                sum.add(LoraTargets::V, h, w.kvHeads * w.valueDim);
        }
    }
    sum.add(LoraTargets::O, w.outputWidth(), h, Cut::Rows);
}

/// The input projection of a recurrent mixer answers to q, its output projection to o.
template <typename Sum>
void addRecurrent(ChosenMatrices<Sum>& sum, const LayerKind& kind, double h)
{
    if (kind.mixer == MixerKind::StateSpace || kind.mixer == MixerKind::Linear) {
        const double width = recurrentWidth(kind);
        sum.add(LoraTargets::Q, h, kind.mixerWeights / h - width);
        sum.add(LoraTargets::O, width, h, Cut::Rows);
    }
}

/// Of one layer: outside the routed experts, and of one of these. Routers and indexers are left out.
template <typename Sum>
struct LayerMatrices {
    ChosenMatrices<Sum> always, expert;

    LayerMatrices(const LayerKind& kind, double hidden, const Sum& empty, LoraTargets targets)
        : always(empty, targets), expert(empty, targets)
    {
        if (kind.mixer == MixerKind::Attention)
            addAttention(always, kind, hidden);
        else
            addRecurrent(always, kind, hidden);
        if (kind.ffn > 0)
            always.addFeedForward(hidden, kind.ffn, kind.gated);
        if (!kind.hasMoe)
            return;
        if (kind.moe.sharedFfn > 0)
            always.addFeedForward(hidden, double(kind.moe.sharedFfn), kind.moe.gated);
        const double width = expertWidth(kind, hidden);
        expert.addFeedForward(width, double(kind.moe.ffn), kind.moe.gated);
    }
};

} // namespace headroom
