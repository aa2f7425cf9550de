// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_rank.hpp"

namespace headroom
{

double expertsOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    return wholeShare(double(kind.moe.experts), plan.expert);
}

RankParameters layerOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    if (!kind.hasMoe)
        return {kind.parameters / plan.tensor + repeatedHeadWeights(plan, kind), 0};
    const double experts = double(kind.moe.experts) * kind.expertWeights;
    const double router = kind.routerWeights * (1 - 1 / plan.tensor); // every rank routes for itself
    return {(kind.parameters - experts) / plan.tensor + repeatedHeadWeights(plan, kind) + router,
            expertsOnRank(plan, kind) * kind.expertWeights / plan.expertTensor};
}

RankParameters adaptersOnRank(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const AdapterParameters a = adapterParameters(kind, plan.model->hidden, double(t.loraRank), t.loraTargets);
    return {a.parameters / plan.tensor, expertsOnRank(plan, kind) * a.perExpert / plan.expertTensor};
}

} // namespace headroom
