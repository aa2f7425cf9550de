// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_communication.hpp"
#include "core/predict/training/training_step.hpp"
#include "core/predict/training/training_update.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// s of one micro-batch through one layer: its operators and exchanges.
double layerSeconds(const TrainingPlan& plan, const LayerKind& kind) noexcept
{
    LayerCompute layer;
    const RepeatedShares again(plan);
    for (const TrainingOperator& item : layerOperators(plan, kind)) {
        layer.forward += item.forward.seconds;
        layer.backward += item.backward.seconds;
        layer.again += again[item.repeated] * item.forward.seconds;
        if (item.part == TimePart::Attention) {
            layer.coreForward += item.forward.seconds;
            layer.coreBackward += item.backward.seconds;
        }
    }
    if (plan.gpus <= 1)
        return layer.forward;
    const LayerCommunication shown = layerCommunication(plan, kind, layer);
    return layer.forward + shown.forward() + shown.dataForward;
}

} // namespace

double forwardSeconds(const TrainingPlan& plan) noexcept
{
    double head = 0;
    for (const TrainingOperator& item : headOperators(plan))
        head += item.forward.seconds;
    if (plan.gpus > 1)
        head += outsideExchange(plan, head, 0).forward;
    double all = 0, slowest = 0; // s of one micro-batch: through every stage, through the slowest
    for (std::size_t stage = 0, count = 1; stage < plan.layout.stages(); stage += count) {
        count = plan.layout.alike(stage);
        double seconds = stage == plan.layout.last() ? head : 0;
        for (std::size_t k = 0; k < plan.model->kinds.size(); ++k)
            if (const double layers = plan.layout.layers(stage, k); layers > 0)
                seconds += layers * layerSeconds(plan, plan.model->kinds[k]);
        seconds += hostForwardWait(plan, stage, seconds);
        if (!plan.ideal) // at the speed of light the host's link works beside the device
            seconds += visitSeconds(plan, stageParameters(plan, stage));
        all += double(count) * seconds;
        slowest = std::max(slowest, seconds);
    }
    return plan.microBatches * slowest + pipelineBubble(plan, all, slowest, 1) + pipelineSends(plan, slowest, 1);
}

} // namespace headroom
