// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/training_step.hpp"

#include "core/evaluate/training_communication.hpp"

#include <algorithm>
#include <numeric>

namespace headroom
{
namespace
{

/// One micro-batch on one stage, by part.
struct StageTime {
    std::array<double, timePartCount> time{};
    double flop = 0, bytes = 0;
    double forward = 0, backward = 0; ///< compute with nothing hidden behind it yet

    double& operator[](TimePart part) noexcept { return time[static_cast<std::size_t>(part)]; }
    [[nodiscard]] double total() const noexcept { return std::accumulate(time.begin(), time.end(), 0.0); }

    /// Adds an operator `times` over; gives its compute to `layer`.
    void add(const TrainingOperator& item, double times, LayerCompute& layer) noexcept
    {
        const double again = item.again * item.forward.seconds;
        (*this)[item.part] += times * (item.forward.seconds + item.backward.seconds);
        (*this)[TimePart::Recompute] += times * again;
        flop += times * ((1 + item.again) * item.forward.flop + item.backward.flop);
        bytes += times * ((1 + item.again) * item.forward.bytes + item.backward.bytes);
        forward += times * item.forward.seconds;
        backward += times * (item.backward.seconds + again);
        layer.forward += item.forward.seconds;
        layer.backward += item.backward.seconds;
        layer.again += again;
        if (item.part == TimePart::Attention) {
            layer.coreForward += item.forward.seconds;
            layer.coreBackward += item.backward.seconds;
        }
    }

    void add(const LayerCommunication& c, double times, double again) noexcept
    {
        (*this)[TimePart::TensorParallel] += times * (c.tensorForward + c.tensorBackward);
        (*this)[TimePart::ContextParallel] += times * (c.contextForward + c.contextBackward);
        (*this)[TimePart::ExpertParallel] += times * (c.expertForward + c.expertBackward);
        (*this)[TimePart::DataParallel] += times * c.data;
        (*this)[TimePart::Recompute] += times * again * c.forward();
        forward = std::max(0.0, forward - times * c.hiddenForward);
        backward = std::max(0.0, backward - times * c.hiddenBackward);
    }
};

StageTime stageTime(const TrainingPlan& plan, const PacingStage& stage) noexcept
{
    StageTime result;
    const double share = stage.layers / plan.model->layers;
    const double again = communicationAgain(plan);
    for (const LayerKind& kind : plan.model->kinds) {
        LayerCompute layer;
        for (const TrainingOperator& item : layerOperators(plan, kind))
            result.add(item, share * kind.count, layer);
        if (plan.gpus > 1)
            result.add(layerCommunication(plan, kind, layer), share * kind.count, again);
    }
    LayerCompute head;
    if (stage.heads > 0)
        for (const TrainingOperator& item : headOperators(plan))
            result.add(item, stage.heads, head);
    return result;
}

double hostSeconds(const TrainingPlan& plan, double layers) noexcept
{
    double perLayer = plan.profile.hostPerLayer;
    if (plan.again.matmul > 0)
        perLayer *= plan.constants.hostRecompute;
    if (plan.adapters)
        perLayer *= plan.constants.hostAdapters;
    return perLayer * layers;
}

} // namespace

PacingStage pacingStage(const TrainingPlan& plan) noexcept
{
    // With equal layers the last stage is the slowest, for it has the head. Where it has fewer, the head decides:
    // it weighs as many layers as it has weights.
    const double layerWeights = (plan.model->parameters.matmulActive - plan.model->headWeights) / plan.model->layers;
    const double headLayers = layerWeights > 0 ? plan.model->headWeights / layerWeights : 1;
    if (plan.stage.layers > plan.stage.lastLayers + headLayers)
        return {plan.stage.layers, 0};
    return {plan.stage.lastLayers, 1};
}

TrainingStep trainingStep(const TrainingPlan& plan) noexcept
{
    TrainingStep step;
    const PacingStage pace = pacingStage(plan);
    StageTime stage = stageTime(plan, pace);
    const double m = plan.microBatches;
    for (std::size_t i = 0; i < step.time.size(); ++i)
        step.time[i] = m * stage.time[i];
    const double compute = stage.total();
    const double host = hostSeconds(plan, pace.layers);
    step.part(TimePart::Host) = m * std::max(0.0, host - compute);
    step.part(TimePart::PipelineBubble) = (plan.pipeline - 1) / plan.virtualPipeline * std::max(compute, host);
    step.part(TimePart::PipelineSend) = pipelineSends(plan);

    const double embeddings = plan.pipeline > 1 ? pace.heads : (plan.model->untiedHeadParameters > 0 ? 2 : 1);
    const StageParameters parameters = stageParameters(plan, pace.layers, embeddings);
    step.part(TimePart::DataParallel) += stepDataParallel(plan, parameters, stage.forward, stage.backward);
    const Work optimizer = optimizerWork(plan, parameters);
    step.part(TimePart::OptimizerStep) = optimizer.seconds + offloadSeconds(plan, parameters);

    step.optimizerBytes = optimizer.bytes;
    step.bytes = m * stage.bytes + optimizer.bytes;
    step.flop = m * stage.flop;
    step.seconds = std::accumulate(step.time.begin(), step.time.end(), 0.0);
    return step;
}

} // namespace headroom
