// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace headroom
{

namespace
{

/// Everyday parameters that change the question instead of the answer: another method or amount of output is another
/// job, and counting FLOP differently makes nothing faster.
constexpr std::array<std::string_view, 4> otherQuestions{"method", "output_tokens", "accounting", "efficiency"};
/// Choices that state ignorance or a special case, not something to try.
constexpr std::array<std::string_view, 3> notToTry{"unknown", "custom", "native"};

bool isLever(const ParameterRow& row, const Setup& setup)
{
    return row.everyday && (setup.task == Task::Training ? row.training : row.inference) &&
           row.group != ParameterGroup::Measured && row.group != ParameterGroup::Assumptions &&
           row.group != ParameterGroup::Load && std::ranges::find(otherQuestions, row.id) == otherQuestions.end() &&
           (!row.applies || row.applies(setup));
}

/// A higher share of a lower peak is no gain: fp32 keeps its slow units busier and trains slower.
bool busierButSlower(const MetricRow& metric, const SensitivityStep& step, const Evaluation& before)
{
    return metric.format == ValueFormat::Percent && step.gain > 0 && step.evaluation.peakFlops < before.peakFlops &&
           step.evaluation.tokensPerS.value_or(0) < before.tokensPerS.value_or(0);
}

std::vector<double> nextSteps(const ParameterRow& row, double now)
{
    std::vector<double> steps;
    if (!row.choices.empty()) {
        // Of software only the well tuned: one stack's fit against another's says more about the fits.
        const bool software = row.group == ParameterGroup::Software && row.choices.front().id == "tuned";
        for (std::size_t i = 0; i < (software ? 1 : row.choices.size()); ++i)
            if (static_cast<double>(i) != now && std::ranges::find(notToTry, row.choices[i].id) == notToTry.end())
                steps.push_back(static_cast<double>(i));
        return steps;
    }
    if (row.kind == ParameterKind::Toggle)
        return {1 - now};
    std::optional<double> below, above;
    for (const double snap : row.snaps) {
        if (snap < now && (!below || snap > *below))
            below = snap;
        if (snap > now && (!above || snap < *above))
            above = snap;
    }
    if (below)
        steps.push_back(*below);
    if (above)
        steps.push_back(*above);
    return steps;
}

} // namespace

const MetricRow& leadingMetric(Task task)
{
    return *metricRow(task == Task::Training ? "mfu" : "tpot_s");
}

void apply(Setup& setup, const ParameterRow& row, double value)
{
    const bool batchOfItsOwn = setup.task == Task::Training && setup.training.globalBatch.has_value();
    const std::int64_t microBatches =
        batchOfItsOwn ? *setup.training.globalBatch / std::max<std::int64_t>(1, setup.training.microBatch) : 1;
    row.set(setup, value);
    if (batchOfItsOwn && row.id == "micro_batch" && !checkSetup(setup).empty())
        setup.training.globalBatch = microBatches * setup.training.microBatch;
}

std::vector<SensitivityStep> sensitivity(const PreparedScenario& prepared, const Evaluation& evaluation,
                                         const MetricRow& metric)
{
    std::vector<SensitivityStep> best;
    const auto before = metric.value(evaluation);
    if (!before)
        return best;
    const double sign = metric.better == Better::Lower ? -1 : 1;
    PreparedScenario trial = prepared;
    for (const ParameterRow& row : parameterRegistry()) {
        if (!isLever(row, prepared))
            continue;
        std::optional<SensitivityStep> found;
        for (const double to : nextSteps(row, row.get(prepared))) {
            trial.setup() = prepared.setup();
            apply(trial, row, to);
            if (!checkSetup(trial).empty())
                continue;
            SensitivityStep step{&row, row.get(prepared), to, *before, *before, 0, evaluate(trial)};
            const auto after = metric.value(step.evaluation);
            if (!after)
                continue;
            step.after = *after;
            step.gain = sign * (*after - *before);
            if (busierButSlower(metric, step, evaluation))
                continue;
            const bool better = !found || (step.evaluation.fits != found->evaluation.fits ? step.evaluation.fits
                                                                                          : step.gain > found->gain);
            if (better)
                found = step;
        }
        if (found)
            best.push_back(*found);
    }
    std::ranges::stable_sort(best, std::greater{}, &SensitivityStep::gain);
    return best;
}

} // namespace headroom
