// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/derive.hpp"

#include "core/explain/missing_figure.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/derivation_builder.hpp"
#include "core/metrics/words.hpp"
#include "core/profile/profile_comparison.hpp"
#include "core/runs/stated_figures.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

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
        derivation.meaning += " " + missingFigure(*metric, prepared, evaluation);
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
