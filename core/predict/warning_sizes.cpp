// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/warning_sizes.hpp"

#include "core/predict/training/training_plan.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <cmath>

namespace headroom
{
namespace
{

/// The sizes that a warning is about: those of the pool that reads prompts where the others `pass`.
template <typename Pass>
Parallelism sizesOf(const PreparedScenario& p, const Pass& pass)
{
    return hasPrefillPool(p) && pass(p.parallelism) ? prefillLayout(p) : p.parallelism;
}

bool divides(std::int64_t parts, std::int64_t whole)
{
    return parts <= 1 || whole % parts == 0;
}

} // namespace

std::string headsText(const PreparedScenario& p)
{
    const auto pass = [&](const Parallelism& each) { return divides(each.tensor, p.model->architecture.heads); };
    return say("The attention heads do not divide by tensor = {}: they are rounded up on each rank.",
               sizesOf(p, pass).tensor);
}

std::string expertsText(const PreparedScenario& p)
{
    const auto pass = [&](const Parallelism& each) { return divides(each.expert, std::llround(p.model->experts)); };
    const std::int64_t groups = sizesOf(p, pass).expert;
    if (p.model->experts == 1)
        return say("1 expert does not divide by expert = {}: it is rounded up on each rank.", groups);
    return say("{} experts do not divide by expert = {}: they are rounded up on each rank.", p.model->experts, groups);
}

std::string expertGroupText(const PreparedScenario& p, double ranks)
{
    const auto pass = [](const Parallelism& each) { return divides(each.expert, each.tensor * each.attentionData); };
    const std::int64_t groups = sizesOf(p, pass).expert;
    return ranks > 0
               ? say("expert = {} does not divide the {} ranks that share the experts: each expert is taken to "
                     "have a fraction of a copy.",
                     groups, formatText(ranks, ValueFormat::Integer))
               : say("expert = {} is more than the ranks that share the experts: it is taken as all of them.", groups);
}

std::string piecesText(const PreparedScenario& p)
{
    const bool training = p.task == Task::Training;
    const double layers = training && trainsPrediction(p) ? p.model->predicting->layers : p.model->layers;
    const auto pass = [&](const Parallelism& each) { return divides(each.pipeline, std::llround(layers)); };
    const Parallelism sizes = sizesOf(p, pass);
    const std::int64_t stages = sizes.pipeline * (training ? sizes.virtualPipeline : 1);
    if (layers == 1)
        return say("1 layer does not divide into {} pipeline pieces: one stage holds it.", stages);
    if (std::llround(layers) % stages % sizes.pipeline == 0) // of the pieces with one more each stage has as many
        return say("{} layers do not divide into {} pipeline pieces: some pieces hold one layer more than others, and "
                   "stages as many.",
                   layers, stages);
    return say("{} layers do not divide into {} pipeline pieces: some stages hold one layer more than others.", layers,
               stages);
}

std::string savesText(const PreparedScenario& p, double share)
{
    WarningSet ignored;
    const TrainingPlan plan = planTraining(p, ignored);
    std::string what;
    const auto name = [&](bool may, std::string_view words) {
        if (may)
            what += (what.empty() ? "" : ", ") + std::string(words);
    };
    name(plan.mayChunkLoss, said("the loss in pieces"));
    name(plan.mayNarrowGradients, said("16-bit gradients"));
    name(plan.mayNarrowStore, said("8-bit stores"));
    return say("Keeping everything would not fit: the stack saves {} of what it can ({}).",
               formatText(share, ValueFormat::Percent), what);
}

std::string loadText(const PreparedScenario& p, double inFlight)
{
    const std::string count = formatText(inFlight, ValueFormat::Plain);
    const std::string prompts = p.inference.scheduling == Scheduling::Disaggregated
                                    ? said(", without those whose prompt is being read")
                                    : said(", those whose prompt is read among them");
    if (hasDay(p))
        return say("The mean load of the day keeps {} sequences in flight on each replica{}: latency "
                   "and utilisation are those of this load, not of the busiest hour; cost and energy are those of the "
                   "tokens served.",
                   count, prompts);
    return say("The load keeps {} sequences in flight on a replica on average{}: latency and utilisation are those of "
               "this load, cost and energy those of the tokens served.",
               count, prompts);
}

} // namespace headroom
