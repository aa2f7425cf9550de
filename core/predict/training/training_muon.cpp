// SPDX-License-Identifier: GPL-3.0-or-later
// What Muon's orthogonalisation adds to a step (docs/method/training_step.md).
#include "core/hardware/roofline.hpp"
#include "core/predict/layer_matrices.hpp"
#include "core/predict/training/training_rank.hpp"
#include "core/predict/training/training_update.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// Newton-Schulz iterations of an update, and products of each (Jordan, Muon, 2024): A = X·Xᵀ, A·A, (b·A + c·A²)·X.
constexpr double iterations = 5, products = 3;
constexpr double valueBytes = 2; ///< they run in bf16

/// Adds up the orthogonalisation of matrices, each turned so that X has its smaller side in rows.
class OrthogonalSum final
{
public:
    explicit OrthogonalSum(bool symmetric) : m_symmetric(symmetric) {}
    void add(double in, double out, Cut = Cut::Columns)
    {
        const double m = std::min(in, out), n = std::max(in, out);
        // A and A·A are symmetric. Common kernels compute both halves.
        const double squares = (m_symmetric ? 1.0 : 2.0) * m * m * (n + m);
        const double one = iterations * (squares + 2 * m * m * n);
        flop += one;
        largest = std::max(largest, one);
        // X is read twice and written, A written and read twice, its polynomial written and read.
        bytes += iterations * valueBytes * (3 * n * m + 5 * m * m);
        weights += n * m;
        matrices += 1;
    }
    void add(const OrthogonalSum& other, double times)
    {
        flop += times * other.flop;
        bytes += times * other.bytes;
        weights += times * other.weights;
        matrices += times * other.matrices;
        if (times > 0)
            largest = std::max(largest, other.largest);
    }

    double flop = 0, bytes = 0, weights = 0, matrices = 0;
    double largest = 0; ///< FLOP of one matrix

private:
    bool m_symmetric;
};

/// DeepSeek V4's attention: queries and output by low rank, the output in groups; one key that is the value, too.
void addCompressed(OrthogonalSum& sum, const AttentionShape& a, double h)
{
    const double all = double(a.heads * a.headDim), rank = double(a.dsv4.qLoraRank), low = double(a.dsv4.oLoraRank);
    const double groups = std::max(1.0, double(a.dsv4.oGroups));
    sum.add(h, rank);
    sum.add(rank, all);
    sum.add(h, double(a.headDim));
    for (double g = 0; g < groups; ++g)
        sum.add(all / groups, low);
    sum.add(groups * low, h);
}

/// Of a layer's matrices: those outside the routed experts, and those of one of these.
struct LayerSums {
    OrthogonalSum always, expert;
};
LayerSums layerSums(const LayerKind& kind, double hidden, bool symmetric)
{
    const bool compressed = kind.mixer == MixerKind::Attention && kind.attention.kind == AttentionKind::Dsv4;
    LoraTargets targets;
    if (compressed)
        targets.bits = LoraTargets::Gate | LoraTargets::Up | LoraTargets::Down;
    const LayerMatrices matrices(kind, hidden, OrthogonalSum(symmetric), targets);
    LayerSums sums{matrices.always.sum, matrices.expert.sum};
    if (compressed)
        addCompressed(sums.always, kind.attention, hidden);
    return sums;
}

/// s to bring a rank the matrices that it works on, and the shards' ranks their part of the result.
double exchangeSeconds(const TrainingPlan& plan, double dense, double experts) noexcept
{
    const GroupShape expertTensor = plan.group(plan.expertTensor, 1);
    double seconds = gatherTime(valueBytes * dense, plan.group(plan.tensor, 1), plan.links);
    if (experts > 0)
        seconds += gatherTime(valueBytes * experts, expertTensor, plan.links);
    if (plan.sharding != Sharding::Fsdp)
        return seconds; // a rank of ZeRO holds whole matrices
    const GroupShape copies = plan.group(plan.expertShards, plan.expert * plan.expertTensor);
    const auto trade = [&](double weights, const GroupShape& group) {
        return weights > 0 ? 2 * exchangeTime(valueBytes * weights, 1, 1, group, plan.links) : 0;
    };
    return seconds + trade(dense / plan.tensor, plan.shardGroup()) + trade(experts / plan.expertTensor, copies);
}

} // namespace

Work orthogonalWork(const TrainingPlan& plan, std::size_t stage) noexcept
{
    if (plan.setup->training.optimizer != Optimizer::Muon || plan.adapters)
        return {};
    OrthogonalSum dense(plan.ideal), experts(plan.ideal);
    for (std::size_t k = 0; k < plan.model->kinds.size(); ++k) {
        const LayerKind& kind = plan.model->kinds[k];
        const double layers = plan.layout.layers(stage, k);
        const LayerSums sums = layerSums(kind, plan.model->hidden, plan.ideal);
        dense.add(sums.always, layers);
        if (kind.hasMoe)
            experts.add(sums.expert, layers * expertsOnRank(plan, kind));
    }
    // The ranks that share the states share the matrices; tensor ranks each compute the whole (Megatron Core,
    // muon_tp_mode "duplicated"). At the speed of light all ranks of the stage share.
    double shards = plan.sharding == Sharding::None ? 1 : plan.shards;
    double expertShards = plan.sharding == Sharding::None ? 1 : plan.expertShards;
    if (plan.ideal) {
        shards = plan.tensor * plan.data * plan.context;
        expertShards = std::max(1.0, shards / plan.expert);
    }
    OrthogonalSum own(plan.ideal);
    own.add(dense, 1 / shards);
    own.add(experts, 1 / expertShards);
    const MatmulLaw& law = plan.law16;
    // Whole matrices: more ranks than there are of them share no more.
    const double flop = plan.ideal ? own.flop : std::max(own.flop, own.largest);
    const double launched = plan.ideal ? 0 : iterations * products * std::max(1.0, own.matrices) * law.start;
    const double bytes = plan.ideal ? 2 * valueBytes * own.weights : own.bytes; // read once, written once
    // In 32-bit training, too, whose attention and head run at another peak.
    const double peak = std::max(plan.peak16, plan.accelerator->peakFlops(DataType::Bf16));
    Work work{flop, bytes,
              launched + softMaximum(flop / (law.compute * peak), bytes / (law.memory * plan.bandwidth), law.p)};
    if (!plan.ideal && plan.gpus > 1)
        work.seconds += exchangeSeconds(plan, dense.weights / shards, experts.weights / expertShards);
    return work;
}

} // namespace headroom
