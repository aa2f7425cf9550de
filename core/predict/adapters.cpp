// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA adapters and recomputation shares: what a training method adds to the plain operators.
#include "core/predict/layer_matrices.hpp"

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

} // namespace

RecomputeShares recomputeShares(Checkpointing checkpointing, double every, bool flash) noexcept
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
    // torchtitan keeps every other matmul, 0.45 by weight (docs/method/training_step.md), and what a fused attention
    // gives: its list has aten.mm and scaled_dot_product_*, not the aten.bmm of unfused scores.
    case Checkpointing::SelectiveOp:
        return {0.45, 0.5, flash ? 0.0 : 1.0, 1};
    case Checkpointing::AttentionOnly:
        return {0, 0, 1, 0};
    }
    return {};
}

LayerAdapters layerAdapters(const LayerKind& kind, double hidden, double rank, LoraTargets targets) noexcept
{
    const LayerMatrices adapters(kind, hidden, TrafficSum(rank), targets);
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
    const LayerMatrices adapters(kind, hidden, ParameterSum(rank), targets);
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
