// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA adapters and recomputation shares: what a training method adds to the plain operators.
#include "core/predict/attention_keys.hpp"
#include "core/predict/utilization.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// How often an adapter reads or writes values of its input's and of its output's width. Forward: the input is read;
/// the result is written, and read and added to the matrix's own (one more read and write). Backward: the gradient of
/// the output is read for both factors; the input is read for its factor, and its gradient written, read and added.
struct AdapterPasses {
    double input, output;
};
constexpr AdapterPasses forwardPasses{1, 4}, backwardPasses{5, 2};

/// How tensor parallelism cuts an adapted matrix: by columns (its result is split) or by rows (its input is).
enum class Cut { Columns, Rows };

/// Adds up r·(in + out) of each adapted matrix.
class ParameterSum final
{
public:
    explicit ParameterSum(double rank) : m_rank(rank) {}
    void add(double in, double out, Cut) { parameters += m_rank * (in + out); }

    double parameters = 0;

private:
    double m_rank;
};

/// The same, and what the adapters move.
class TrafficSum final
{
public:
    explicit TrafficSum(double rank) : m_rank(rank) {}
    void add(double in, double out, Cut cut)
    {
        parameters += m_rank * (in + out);
        matrices += 1;
        move(forward, forwardPasses, in, out, cut);
        move(backward, backwardPasses, in, out, cut);
    }

    double parameters = 0, matrices = 0;
    LayerAdapters::Traffic forward, backward; ///< per token

private:
    static void move(LayerAdapters::Traffic& traffic, AdapterPasses passes, double in, double out, Cut cut)
    {
        (cut == Cut::Columns ? traffic.whole : traffic.split) += passes.input * in;
        (cut == Cut::Columns ? traffic.split : traffic.whole) += passes.output * out;
    }
    double m_rank;
};

/// Gives the adapted ones of a layer's matrices to a sum.
template <typename Sum>
class AdaptedMatrices final
{
public:
    AdaptedMatrices(double rank, LoraTargets targets) : sum(rank), m_targets(targets) {}

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

template <typename Sum>
void addAttention(AdaptedMatrices<Sum>& sum, const LayerKind& kind, double h)
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
void addRecurrent(AdaptedMatrices<Sum>& sum, const LayerKind& kind, double h)
{
    if (kind.mixer == MixerKind::StateSpace || kind.mixer == MixerKind::Linear) {
        const double width = recurrentWidth(kind);
        sum.add(LoraTargets::Q, h, kind.mixerWeights / h - width);
        sum.add(LoraTargets::O, width, h, Cut::Rows);
    }
}

/// Of one layer: outside the routed experts, and of one of these.
template <typename Sum>
struct AdapterSums {
    AdaptedMatrices<Sum> always, expert;

    AdapterSums(const LayerKind& kind, double hidden, double rank, LoraTargets targets)
        : always(rank, targets), expert(rank, targets)
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
        const double width = kind.moe.latent > 0 ? double(kind.moe.latent) : hidden;
        expert.addFeedForward(width, double(kind.moe.ffn), kind.moe.gated);
    }
};

} // namespace

RecomputeShares recomputeShares(Checkpointing checkpointing, double every) noexcept
{
    switch (checkpointing) {
    case Checkpointing::None:
    case Checkpointing::Unknown:
        return {};
    case Checkpointing::Full:
        return {1, 1, 1, 1};
    case Checkpointing::SelectiveLayer: {
        const double n = 1 / std::max(1.0, every);
        return {n, n, n, n};
    }
    // torchtitan keeps every other matmul and the attention result; 0.45 by weight (docs/method/training_step.md).
    case Checkpointing::SelectiveOp:
        return {0.45, 0.5, 0, 1};
    case Checkpointing::AttentionOnly:
        return {0, 0, 1, 0};
    }
    return {};
}

LayerAdapters layerAdapters(const LayerKind& kind, double hidden, double rank, LoraTargets targets) noexcept
{
    const AdapterSums<TrafficSum> adapters(kind, hidden, rank, targets);
    const TrafficSum &always = adapters.always.sum, &expert = adapters.expert.sum;
    const double k = double(kind.moe.topK);
    const auto both = [k](const LayerAdapters::Traffic& a, const LayerAdapters::Traffic& b) {
        return LayerAdapters::Traffic{a.whole + k * b.whole, a.split + k * b.split};
    };
    return {{always.parameters, expert.parameters},
            always.matrices,
            both(always.forward, expert.forward),
            both(always.backward, expert.backward)};
}

AdapterParameters adapterParameters(const LayerKind& kind, double hidden, double rank, LoraTargets targets) noexcept
{
    const AdapterSums<ParameterSum> adapters(kind, hidden, rank, targets);
    return {adapters.always.sum.parameters, adapters.expert.sum.parameters};
}

double loraParameters(const ModelProfile& model, double rank, LoraTargets targets)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds) {
        const AdapterParameters a = adapterParameters(kind, model.hidden, rank, targets);
        sum += kind.count * (a.parameters + double(kind.moe.experts) * a.perExpert);
    }
    return sum;
}

double activeLoraParameters(const ModelProfile& model, double rank, LoraTargets targets)
{
    double sum = 0;
    for (const LayerKind& kind : model.kinds) {
        const AdapterParameters a = adapterParameters(kind, model.hidden, rank, targets);
        sum += kind.count * (a.parameters + double(kind.moe.topK) * a.perExpert);
    }
    return sum;
}

} // namespace headroom
