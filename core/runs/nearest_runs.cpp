// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/nearest_runs.hpp"

#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{
namespace
{

using Value = std::optional<double>;

struct FigureRow {
    std::string_view metric;
    Value (*measured)(const MeasuredRun&, Convention);
    Value (*predicted)(const MeasuredRun&, Convention);
};

/// A rate measured at a batch that only the predictor knows ("max") says nothing about the time of one step.
bool saysStepTime(const MeasuredRun& run)
{
    const PreparedScenario& p = run.prepared;
    return p.task == Task::Training || p.measured.tpotS || !p.inference.batchMax;
}

Value stepTime(const MeasuredRun& run, Convention)
{
    return run.evaluation.observed && saysStepTime(run) ? run.evaluation.observed->stepTimeS : std::nullopt;
}

Value predictedStepTime(const MeasuredRun& run, Convention)
{
    return run.prepared.task == Task::Training ? run.evaluation.stepTimeS : run.evaluation.tpotS;
}

Value observedMfu(const MeasuredRun& run, Convention accounting)
{
    return stepTime(run, accounting) ? run.evaluation.conventions[static_cast<std::size_t>(accounting)] : std::nullopt;
}

/// The same FLOP over the predicted time.
Value predictedMfu(const MeasuredRun& run, Convention accounting)
{
    const Value observed = observedMfu(run, accounting), time = predictedStepTime(run, accounting);
    return observed && time && *time > 0 ? Value(*observed * *stepTime(run, accounting) / *time) : std::nullopt;
}

Value trainingTokens(const MeasuredRun& run, Convention accounting)
{
    const Value time = stepTime(run, accounting);
    return time && *time > 0 ? Value(run.evaluation.tokensPerStep / *time) : std::nullopt;
}

Value tokens(const MeasuredRun& run, Convention accounting)
{
    return run.prepared.task == Task::Training ? trainingTokens(run, accounting) : run.prepared.measured.tokensPerS;
}

Value trainingOnly(const MeasuredRun& run, Value value)
{
    return run.prepared.task == Task::Training ? value : std::nullopt;
}

Value predictedMemory(const MeasuredRun& run, Convention)
{
    return peakMemoryBytes(run.evaluation, run.prepared.measured.peakMemoryKind);
}

constexpr FigureRow figureRows[] = {
    {"mfu", observedMfu, predictedMfu},
    {"mbu",
     [](const MeasuredRun& run, Convention c) {
         return stepTime(run, c) ? run.evaluation.observed->mbu : std::nullopt;
     },
     [](const MeasuredRun& run, Convention) { return run.evaluation.mbu; }},
    {"step_time_s", [](const MeasuredRun& run, Convention c) { return trainingOnly(run, stepTime(run, c)); },
     [](const MeasuredRun& run, Convention) { return run.evaluation.stepTimeS; }},
    {"tokens_per_s", tokens, [](const MeasuredRun& run, Convention) { return run.evaluation.tokensPerS; }},
    {"tokens_per_s_per_gpu",
     [](const MeasuredRun& run, Convention c) {
         const Value all = trainingOnly(run, tokens(run, c));
         return all ? Value(*all / double(run.prepared.hardware.count)) : std::nullopt;
     },
     [](const MeasuredRun& run, Convention) { return run.evaluation.tokensPerSPerGpu; }},
    {"tpot_s", [](const MeasuredRun& run, Convention) { return run.prepared.measured.tpotS; },
     [](const MeasuredRun& run, Convention) { return run.evaluation.tpotS; }},
    {"ttft_s", [](const MeasuredRun& run, Convention) { return run.prepared.measured.ttftS; },
     [](const MeasuredRun& run, Convention) { return run.evaluation.ttftS; }},
    {"memory.used_bytes", [](const MeasuredRun& run, Convention) { return run.prepared.measured.peakMemoryBytes; },
     predictedMemory},
};

/// "observed.mfu" is the scenario's own measurement of "mfu": the same figure of another run stands beside both.
std::string_view plainMetric(std::string_view metricId)
{
    constexpr std::string_view observed = "observed.";
    return metricId.starts_with(observed) ? metricId.substr(observed.size()) : metricId;
}

const FigureRow* figureRow(std::string_view metricId)
{
    metricId = plainMetric(metricId);
    const auto found = std::ranges::find(figureRows, metricId, &FigureRow::metric);
    return found == std::end(figureRows) ? nullptr : &*found;
}

std::optional<RunFigure> figureOf(const FigureRow& row, const MeasuredRun& run, Convention accounting)
{
    if (run.evaluation.observed && run.evaluation.observed->impossible)
        return std::nullopt; // nothing is near to what cannot have been
    const Value measured = row.measured(run, accounting), predicted = row.predicted(run, accounting);
    if (!measured || !predicted || *measured <= 0)
        return std::nullopt;
    return RunFigure{*measured, *predicted};
}

} // namespace

std::string sourceText(const MeasuredRun& run)
{
    if (!run.year || run.source.find(std::to_string(*run.year)) != std::string::npos)
        return run.source;
    return fmt::format("{} ({})", run.source, *run.year);
}

bool hasRunFigure(std::string_view metricId)
{
    return figureRow(metricId) != nullptr;
}

std::optional<RunFigure> runFigure(const MeasuredRun& run, std::string_view metricId, Convention accounting)
{
    const FigureRow* row = figureRow(metricId);
    return row ? figureOf(*row, run, accounting) : std::nullopt;
}

std::vector<NearRun> nearestRuns(const MeasuredRuns& runs, const RunFeatures& here, const NearestQuery& query)
{
    const FigureRow* figure = figureRow(query.metric);
    std::vector<NearRun> found;
    if (!query.metric.empty() && !figure)
        return found;
    double within = query.within;
    for (const MeasuredRun& run : runs) {
        if (run.features.task != here.task)
            continue;
        if (query.most == 1 && !found.empty()) // of equal ones the first
            within = std::min(within, found.back().distance);
        const double distance = runDistance(run.features, here, query.alongParameter, within);
        if (distance <= within && (query.most > 1 || found.empty() || distance < within) &&
            (!figure || figureOf(*figure, run, query.accounting)))
            found.push_back({&run, distance});
    }
    std::ranges::stable_sort(found, {}, &NearRun::distance);
    if (found.size() > query.most)
        found.resize(query.most);
    return found;
}

std::optional<NearestRunText> nearestRunText(const MeasuredRuns& runs, std::string_view metricId,
                                             const PreparedScenario& prepared, const Evaluation& evaluation)
{
    if (!hasRunFigure(metricId))
        return std::nullopt;
    const MetricRow* metric = metricRow(metricId);
    const RunFeatures here = runFeatures(prepared, evaluation);
    const auto nearest = nearestRuns(runs, here, {.metric = metricId, .accounting = prepared.accounting});
    if (nearest.empty() || !metric)
        return std::nullopt;
    const MeasuredRun& run = *nearest.front().run;
    NearestRunText text;
    text.distance = nearest.front().distance;
    text.figure = *runFigure(run, metricId, prepared.accounting);
    const std::string measured = formatText(text.figure.measured, metric->format),
                      predicted = formatText(text.figure.predicted, metric->format);
    text.sentence = // efficiencies of one's own are fitted to one's own runs
        prepared.efficiency.isPlain()
            ? say("The nearest published run measured {}; Headroom predicts {} for it.", measured, predicted)
            : say("The nearest published run measured {}; the built-in calibration predicts {} for it.", measured,
                  predicted);
    constexpr double apart = 1.25; // beyond what an allocator's reserve explains
    const double ratio = text.figure.predicted / text.figure.measured;
    if (metricId == "memory.used_bytes" && std::max(ratio, 1 / ratio) > apart)
        text.sentence += ' ' + said("They are far apart: what a source leaves unsaid of recomputation, offloading or "
                                    "divided states decides memory.");
    text.run = runTitle(run);
    text.difference = capitalized(said(nearnessWord(text.distance))) + ": " + differenceText(run.features, here);
    text.source = sourceText(run);
    text.url = sourceUrl(run.source);
    return text;
}

} // namespace headroom
