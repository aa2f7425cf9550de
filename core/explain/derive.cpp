// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/derive.hpp"

#include "core/explore/advice.hpp"
#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/impossible.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/runs/stated_figures.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

/// Why a figure has no value here.
std::string missing(const MetricRow& row, const PreparedScenario& prepared, const Evaluation& evaluation)
{
    if (!appliesTo(row, prepared.task))
        return prepared.task == Task::Training ? said("This figure is defined for inference only.")
                                               : said("This figure is defined for training only.");
    if (row.id.starts_with("cost"))
        return said("Enter a price per GPU-hour (and the run's tokens, for the cost to train).");
    if (row.id.starts_with("energy"))
        return said("The maker does not publish the power of this accelerator.");
    if (row.id.starts_with("queue"))
        return prepared.inference.requestsPerS
                   ? said("More requests come than can be served: the queue grows without bound.")
                   : said("Enter the offered load in requests per second.");
    if (row.id.starts_with("observed") && evaluation.observed && evaluation.observed->impossible)
        return impossibleText(prepared, evaluation);
    if (row.id.starts_with("observed"))
        return said("Enter what you measured, for example the step time.");
    if (row.id.starts_with("speculation"))
        return said("Choose a method of speculative decoding.");
    if (row.id.starts_with("rl."))
        return !evaluation.rl                 ? said("State the prompts of a step of reinforcement learning.")
               : row.id == "rl.cost_per_step" ? said("Enter a price per GPU-hour.")
                                              : said("Choose GPUs of their own for generation.");
    if (row.id.starts_with("phases"))
        return row.id == "phases.cost" && evaluation.phases ? said("Enter a price per GPU-hour.")
                                                            : said("State the phases of the run in its file.");
    if (row.id.starts_with("day."))
        return !evaluation.day        ? said("State the load, and how it changes over the day.")
               : row.id == "day.cost" ? said("Enter a price per GPU-hour.")
                                      : said("State a target for TTFT or TPOT.");
    if (row.id.starts_with("energy.") && evaluation.watts)
        return said("State the site's power: its PUE, a price of electricity or a carbon intensity.");
    if (row.id.starts_with("tail"))
        return prepared.inference.targetPercentile ? said("The queue grows without bound: nothing bounds the wait.")
                                                   : said("State how many requests the targets hold for.");
    if (row.id.starts_with("kv_tiers"))
        return said("State what host memory or NVMe holds of the cache, and its hit rate.");
    if (row.id.starts_with("host_weights"))
        return said("State how much of the weights lies in host memory.");
    if (row.id.starts_with("pools"))
        return said("Choose disaggregated scheduling and state prefill GPUs.");
    if (row.id.starts_with("goodput") && !evaluation.goodput)
        return said("Failures are not counted: state GPU-hours per failure.");
    if (row.id == "seconds_to_train" || row.id == "goodput.lost_s")
        return said("Enter the tokens of the whole run.");
    return said("This figure is not defined for this scenario.");
}

/// What a profile says of a time: where it differs most from the prediction.
void addProfile(DerivationBuilder& builder, const PreparedScenario& prepared, const Evaluation& evaluation)
{
    const MeasuredProfile& measured = prepared.measured.profile;
    if (!measured.any())
        return;
    const auto comparison = profile::compareProfile(measured, prepared, evaluation);
    const profile::ProfilePart* most = comparison.largest();
    if (most == nullptr) {
        builder.explain(say("The profile shows every part as it is predicted."));
        return;
    }
    const std::string part = inSentence(most->label),
                      predicted = shown(most->predictedS.value_or(0), ValueFormat::Seconds);
    const std::string seen = shown(most->measuredS.value_or(0), ValueFormat::Seconds);
    builder.explain(
        most->cause.empty()
            ? say("The profile differs most in one part, {}: {} measured, {} predicted.", part, seen, predicted)
            : say("The profile differs most in one part, {}: {} measured, {} predicted; {}.", part, seen, predicted,
                  most->cause));
}

void collectSources(Derivation& derivation)
{
    for (const DerivationStep& step : derivation.steps)
        if (!step.source.empty() && std::ranges::find(derivation.sources, step.source) == derivation.sources.end())
            derivation.sources.push_back(step.source);
}

} // namespace

Derivation derive(std::string_view metricId, const PreparedScenario& prepared, const Evaluation& evaluation)
{
    const MetricRow* metric = metricRow(metricId);
    if (!metric) {
        Derivation unknown;
        unknown.metricId = metricId;
        unknown.title = said("Unknown figure");
        unknown.meaning = said("There is no figure of this name.");
        return unknown;
    }

    DerivationBuilder builder(prepared, evaluation, *metric);
    Derivation& derivation = builder.derivation;
    derivation.metricId = metricId;
    derivation.statement = said(metric->label) + " = " + said(metric->formula);
    derivation.meaning = say(metric->definition);
    const auto value = figureOf(*metric, prepared, evaluation);
    if (!value || !appliesTo(*metric, prepared.task)) {
        derivation.title = say("Why no {}?", inSentence(metric->label));
        derivation.meaning += " " + missing(*metric, prepared, evaluation);
        return std::move(derivation);
    }
    derivation.title = say("Why {}?", shown(*value, metric->format));
    metric->derive(builder);
    if (metric->id == "step_time_s" || metric->id == "tpot_s")
        addProfile(builder, prepared, evaluation);
    if (metric->id.starts_with("observed.") && metric->id.ends_with("fu"))
        for (const std::string& note : statedFigureNotes(prepared, evaluation))
            builder.explain(note);
    collectSources(derivation);
    derivation.sources.push_back(say("Headroom's method: {}", methodPath(*metric, prepared.task)));
    if (metric->id.starts_with("observed"))
        derivation.whatToChange =
            whatWouldHelp(prepared, evaluation, prepared.task == Task::Training ? "mfu" : "tpot_s");
    else
        derivation.whatToChange = whatWouldHelp(prepared, evaluation, metricId);
    return std::move(derivation);
}

} // namespace headroom
