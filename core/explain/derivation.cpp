// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/derivation.hpp"

#include "core/explain/derivation_builder.hpp"
#include "core/explain/words.hpp"
#include "core/explore/advice.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

/// Why a figure has no value here.
std::string missing(const MetricRow& row, const PreparedScenario& prepared)
{
    if (!appliesTo(row, prepared.task))
        return prepared.task == Task::Training ? "This figure is defined for inference only."
                                               : "This figure is defined for training only.";
    if (row.id.starts_with("cost"))
        return "Enter a price per GPU-hour (and the run's tokens, for the cost to train).";
    if (row.id.starts_with("energy"))
        return "The maker does not publish the power of this accelerator.";
    if (row.id.starts_with("queue"))
        return prepared.inference.requestsPerS ? "More requests come than can be served: the queue grows without bound."
                                               : "Enter the offered load in requests per second.";
    if (row.id.starts_with("observed"))
        return "Enter what you measured, for example the step time.";
    if (row.id == "seconds_to_train")
        return "Enter the tokens of the whole run.";
    return "This figure is not defined for this scenario.";
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
        unknown.title = "Unknown figure";
        unknown.meaning = "There is no figure of this name.";
        return unknown;
    }

    DerivationBuilder builder(prepared, evaluation, *metric);
    Derivation& derivation = builder.derivation;
    derivation.metricId = metricId;
    derivation.statement = std::string(metric->label) + " = " + std::string(metric->formula);
    derivation.meaning = metric->definition;
    const auto value = metric->value(evaluation);
    if (!value || !appliesTo(*metric, prepared.task)) {
        derivation.title = "Why no " + inSentence(metric->label) + "?";
        derivation.meaning += " " + missing(*metric, prepared);
        return std::move(derivation);
    }
    derivation.title = "Why " + shown(*value, metric->format) + "?";
    metric->derive(builder);
    collectSources(derivation);
    if (metric->id.starts_with("observed"))
        derivation.whatToChange =
            whatWouldHelp(prepared, evaluation, prepared.task == Task::Training ? "mfu" : "tpot_s");
    else
        derivation.whatToChange = whatWouldHelp(prepared, evaluation, metricId);
    return std::move(derivation);
}

} // namespace headroom
