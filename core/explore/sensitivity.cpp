// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/sensitivity.hpp"

#include "core/explore/levers.hpp"
#include "core/predict/phases.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom
{

namespace
{

/// A higher share of a lower peak is no gain: fp32 keeps its slow units busier and trains slower.
bool busierButSlower(const MetricRow& metric, const SensitivityStep& step, const Evaluation& before)
{
    return metric.format == ValueFormat::Percent && step.gain > 0 && step.evaluation.peakFlops < before.peakFlops &&
           step.evaluation.tokensPerS.value_or(0) < before.tokensPerS.value_or(0);
}

} // namespace

const MetricRow& leadingMetric(const Setup& setup)
{
    if (isRl(setup) && !setup.measured.any())
        return *metricRow("rl.step_s");
    return *metricRow(setup.task == Task::Training ? "mfu" : "tpot_s");
}

std::vector<SensitivityStep> sensitivity(const PreparedScenario& prepared, const Evaluation& evaluation,
                                         const MetricRow& metric)
{
    std::vector<SensitivityStep> best;
    const auto before = metric.value(evaluation);
    if (!before)
        return best;
    const double sign = metric.better == Better::Lower ? -1 : 1;
    const bool more = inPhases(prepared) || isRl(prepared) || hasDay(prepared); // that has to hold, too
    const auto evaluated = isOfStep(metric, prepared) && !more ? evaluateStep : evaluate;
    PreparedScenario trial = prepared;
    for (const ParameterRow& row : parameterRegistry()) {
        std::optional<SensitivityStep> found;
        for (const double to : nextSteps(row, prepared)) {
            trial.setup() = prepared.setup();
            apply(trial, row, to);
            if (!checkSetup(trial).empty() || lacksMore(trial, prepared))
                continue;
            SensitivityStep step{&row, row.get(prepared), to, *before, *before, 0, {}, evaluated(trial)};
            if (trial.training.globalBatch != prepared.training.globalBatch)
                step.globalBatch = trial.training.globalBatch;
            const auto after = metric.value(step.evaluation);
            if (!after)
                continue;
            step.after = *after;
            step.gain = sign * (*after - *before);
            if (busierButSlower(metric, step, evaluation))
                continue;
            const bool better =
                !found || (allFits(step.evaluation) != allFits(found->evaluation) ? allFits(step.evaluation)
                                                                                  : step.gain > found->gain);
            if (better)
                found = step;
        }
        if (found && (row.everyday || found->gain > 0)) // what is out of sight is named where it helps
            best.push_back(*found);
    }
    std::ranges::stable_sort(best, std::greater{}, &SensitivityStep::gain);
    return best;
}

} // namespace headroom
