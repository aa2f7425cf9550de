// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages of a pipeline send and wait for in a training step (docs/method/communication.md).
#include "core/predict/training/training_communication.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

bool pipelineCrossesNodes(const TrainingPlan& plan) noexcept
{
    return plan.tensor * plan.context * plan.data * plan.pipeline > plan.domain; // stages are the outermost dimension
}

} // namespace

double tiedEmbeddingSeconds(const TrainingPlan& plan, std::size_t stage) noexcept
{
    // At the speed of light it hides, as all communication does.
    if (!sharesEmbedding(plan) || plan.adapters || plan.ideal || (stage != 0 && stage != plan.layout.last()))
        return 0;
    const bool apart = pipelineCrossesNodes(plan);
    const GroupShape ends{2, apart ? 1.0 : 2.0, apart ? 2.0 : 1.0};
    return 2 * gatherTime(gradientLinkBytes(plan) * plan.model->headWeights / plan.tensor, ends, plan.links);
}

namespace
{

/// Under tensor parallelism every rank of a stage holds the whole result. Each sends a part over its own adapter, and
/// the next stage's ranks gather it (Megatron-LM at SC21, section 4.1; pipe_partitioned of DeepSpeed's pipeline
/// engine). Sequence parallelism has divided it already.
bool sendsInParts(const TrainingPlan& plan) noexcept
{
    switch (plan.setup->training.software) {
    case TrainingSoftware::Tuned:
    case TrainingSoftware::Megatron:
    case TrainingSoftware::Megatron2021:
    case TrainingSoftware::DeepSpeed:
        return plan.sequenceSplit <= 1;
    default:
        return false;
    }
}

/// s of one hop of a micro-batch's values, or of a piece of it.
double hopSeconds(const TrainingPlan& plan) noexcept
{
    // Several stages may share a node; the hop between nodes sets the pace.
    const double bandwidth = pipelineCrossesNodes(plan) ? plan.links.scaleOut : plan.links.scaleUp;
    const double whole = plan.valueBytes * plan.tokens * plan.model->hidden;
    if (plan.ideal) { // in parts whatever the stack does, gathered while they come
        const double gather = plan.sequenceSplit > 1 ? 0 : gatherTime(whole, plan.group(plan.tensor, 1), plan.links);
        return std::max(whole / plan.tensor / bandwidth, gather);
    }
    return sendsInParts(plan)
               ? whole / plan.tensor / bandwidth + gatherTime(whole, plan.group(plan.tensor, 1), plan.links)
               : whole / plan.sequenceSplit / bandwidth;
}

/// s that one hop takes where nothing runs beside it.
double loneHop(const TrainingPlan& plan) noexcept
{
    return plan.links.start + (plan.ideal ? 0 : hopSeconds(plan));
}

/// s of the sends of all micro-batches that show beside the slowest stage's work.
double shownSends(const TrainingPlan& plan, double slowest, int directions) noexcept
{
    const double link = pipelineLinkSeconds(plan), m = plan.microBatches;
    const double shown =
        plan.constants.pipelineExposed * (1 - plan.profile.overlapDataParallel) * directions * m * link;
    return std::max(shown, m * (link - slowest)); // no more hides than there is
}

} // namespace

double pipelineBubble(const TrainingPlan& plan, double all, double slowest, int directions) noexcept
{
    if (plan.pipeline <= 1)
        return 0;
    const double m = plan.microBatches, v = plan.virtualPipeline;
    // The first micro-batch meets every other stage once before the slowest sets the pace; interleaved, in pieces.
    const double filling = (all - slowest) / v;
    // No micro-batch is faster than through all stages, each hop between pieces waited for, and the others of its round
    // follow a piece apart each: what counts where an interleaved pipeline has few micro-batches. They keep the pace of
    // stage and link: a faster stage never makes the step longer.
    const double pace = slowest + shownSends(plan, slowest, directions) / m;
    const double hops = directions * (v - 1) * plan.pipeline * loneHop(plan); // beside those of pipelineSends()
    const double alone = all + (std::min(m, plan.pipeline) - 1) / v * pace + hops - m * pace;
    return std::max({0.0, filling, alone});
}

double pipelineLinkSeconds(const TrainingPlan& plan) noexcept
{
    return plan.pipeline > 1 ? plan.virtualPipeline * hopSeconds(plan) : 0;
}

double pipelineSends(const TrainingPlan& plan, double slowest, int directions) noexcept
{
    if (plan.pipeline <= 1)
        return 0;
    // Of the first micro-batch each hop is waited for, on the way there and back.
    return directions * (plan.pipeline - 1) * loneHop(plan) + shownSends(plan, slowest, directions);
}

} // namespace headroom
