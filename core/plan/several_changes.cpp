// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/several_changes.hpp"

#include "core/metrics/metric_registry.hpp"
#include "core/plan/planner_base.hpp"
#include "core/plan/planner_dimensions.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/two_figures.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{
namespace
{

constexpr double worthIt = 0.01; ///< of the MFU, as of a single step

PlanRequest requestOf(const PreparedScenario& prepared, const IsHeld& held)
{
    PlanRequest request;
    request.base = prepared;
    request.base.training.globalBatch = effectiveGlobalBatch(prepared); // as many tokens a step
    request.gpuCounts = {prepared.hardware.count};
    request.objective = PlanObjective::Mfu;
    request.top = 1;
    request.rejections = 0;
    request.threads = 1;
    for (const PlanDimensionName& name : planDimensionNames)
        if (held && held(name.key))
            request.free = request.free.lock(name.dimension);
    if (!request.free.has(PlanDimension::Replicas))
        holdReplicas(request.base);
    return request;
}

/// The same question of a serving: under a load the GPUs answer sooner; without one they write more tokens, and neither
/// the first nor the next token comes later than it does, or than the targets ask. Number formats stay.
PlanRequest servingRequestOf(const PreparedScenario& prepared, const Evaluation& evaluation, const IsHeld& held)
{
    constexpr double rounding = 1e-9; // the scenario in hand meets its own figures
    const InferenceWorkload& work = prepared.inference;
    const bool loaded = work.requestsPerS.has_value();
    PlanRequest request = requestOf(prepared, held);
    request.base.training.globalBatch = prepared.training.globalBatch;
    request.objective = loaded ? PlanObjective::Time : PlanObjective::Cost;
    PlanAccelerator own = planAccelerator(prepared, prepared.accelerator);
    own.pricePerGpuHour = own.pricePerGpuHour.value_or(1); // any: all options have these GPUs
    request.accelerators = {own};
    if (work.batchMax || (loaded && !evaluation.warnings.has(WarningCode::LoadBeyondCapacity)))
        request.free = request.free.lock(PlanDimension::Batch); // as many in flight as are now
    const auto keep = [](std::optional<double>& target, std::optional<double> now) {
        if (!target && now)
            target = *now * (1 + rounding);
    };
    if (!loaded) {
        keep(request.base.inference.tpotTargetS, evaluation.tpotS);
        keep(request.base.inference.ttftTargetS, planner::waitedTtft(prepared, evaluation));
    }
    return request;
}

/// What an option sets otherwise than the scenario, in rows that the panel shows: what else follows by default stays
/// so. Parallel sizes come first, so that the batch is looked at once they are what they will be.
Edits editsTo(const PreparedScenario& option, const PreparedScenario& prepared)
{
    Edits edits;
    Setup now = prepared.setup(); // with those edits: a value that nobody set follows them
    for (const bool parallel : {true, false})
        for (const ParameterRow& row : parameterRegistry())
            if ((row.group == ParameterGroup::Parallelism) == parallel &&
                (isOffered(row, prepared) || isOffered(row, option)) && row.group != ParameterGroup::Measured &&
                row.id != "global_batch" && row.get(option) != row.get(now)) {
                edits.push_back({&row, row.get(option)});
                apply(now, row, row.get(option));
            }
    return edits;
}

/// The same of a serving: its layout, not that of a prefill pool, of which one edit would make one; then how many are
/// in flight. Replicas follow from the GPUs where nobody set them.
Edits servingEditsTo(const PreparedScenario& option, const PreparedScenario& prepared)
{
    Edits edits;
    for (const bool parallel : {true, false})
        for (const ParameterRow& row : parameterRegistry()) {
            const bool layout = row.path.starts_with("/parallelism/") && appliesTo(row, Task::Inference) &&
                                (row.id != "replicas" || prepared.parallelism.replicas);
            if ((parallel ? layout : row.id == "batch") && row.get(option) != row.get(prepared))
                edits.push_back({&row, row.get(option)});
        }
    return edits;
}

bool isPossible(const ParameterEdit& edit)
{
    return edit.value >= edit.row->minimum && edit.value <= edit.row->maximum;
}

/// One change is none of several.
std::string headed(const Advice& advice, const std::string& gain)
{
    return advice.edits.size() > 1 ? say("Several changes together: {}: fits, {}", advice.change, gain)
                                   : say("{}: fits, {}", advice.change, gain);
}

/// "Tokens/s 1.2k → 2.4k"; the figure reached alone where there was none.
std::string fromTo(std::string_view metricId, const Evaluation& before, const Evaluation& after)
{
    const MetricRow& metric = *metricRow(metricId);
    const auto from = metric.value(before), to = metric.value(after);
    if (!to)
        return {};
    const TwoFigures figures = twoFigures(from.value_or(0), *to, metric.format);
    return from ? fmt::format("{} {} → {}", say(metric.label), figures.from, figures.to)
                : fmt::format("{} {}", say(metric.label), formatText(*to, metric.format));
}

/// The advice with its result, without text; empty where nothing changes, or where it is not legal.
std::optional<Advice> evaluated(const PreparedScenario& prepared, Edits edits)
{
    if (edits.empty() || !std::ranges::all_of(edits, isPossible))
        return std::nullopt;
    PreparedScenario after = prepared;
    applyEdits(after, edits);
    if (!checkSetup(after).empty())
        return std::nullopt;
    Advice advice = adviceOf(std::move(edits));
    advice.after = evaluate(after);
    return advice;
}

std::optional<Advice> severalServingChanges(const PreparedScenario& prepared, const Evaluation& evaluation,
                                            const IsHeld& held, const std::stop_token& stop)
{
    if (hasPrefillPool(prepared)) // its own search is of both pools: the plan page's
        return std::nullopt;
    const auto result = plan(servingRequestOf(prepared, evaluation, held), stop);
    if (!result || result->ranked.empty() || stop.stop_requested())
        return std::nullopt;
    auto advice = evaluated(prepared, servingEditsTo(result->ranked.front().scenario, prepared));
    const bool loaded = prepared.inference.requestsPerS.has_value();
    const bool served = !evaluation.warnings.has(WarningCode::LoadBeyondCapacity);
    if (!advice || !advice->after.fits || advice->after.warnings.has(WarningCode::LoadBeyondCapacity))
        return std::nullopt;
    const auto best = loaded ? advice->after.requestLatencyS : advice->after.tokensPerS;
    const auto now = loaded ? evaluation.requestLatencyS : evaluation.tokensPerS;
    const bool better = best && now && (loaded ? *best * (1 + worthIt) < *now : *best > *now * (1 + worthIt));
    if (served && !better)
        return std::nullopt;
    const std::string gain = !served  ? say("the load is served: {}", fromTo("request_latency_s", {}, advice->after))
                             : loaded ? fromTo("request_latency_s", evaluation, advice->after)
                                      : fromTo("tokens_per_s", evaluation, advice->after) + ", " +
                                            fromTo("tpot_s", evaluation, advice->after);
    advice->text = headed(*advice, gain);
    return advice;
}

/// As many GPUs on both sides together, divided and laid out so that a step takes least.
std::optional<Advice> severalRlChanges(const PreparedScenario& prepared, const Evaluation& evaluation,
                                       const IsHeld& held, const std::stop_token& stop)
{
    PlanRequest request = requestOf(prepared, held);
    request.base.training.globalBatch = prepared.training.globalBatch; // of answers; without one the step is the batch
    request.gpuCounts = {rlGpus(prepared)};
    request.objective = PlanObjective::Time;
    const auto result = plan(request, stop);
    if (!result || result->ranked.empty() || stop.stop_requested())
        return std::nullopt;
    auto advice = evaluated(prepared, editsTo(result->ranked.front().scenario, prepared));
    if (!advice || !allFits(advice->after))
        return std::nullopt;
    double reached = evaluation.rl->stepS;
    for (const Advice& single : improvements(prepared, evaluation, 1, held))
        reached = std::min(reached, single.after.rl->stepS);
    if (advice->after.rl->stepS * (1 + worthIt) > reached)
        return std::nullopt;
    advice->text = headed(*advice, gainText(prepared, evaluation, advice->after));
    return advice;
}

} // namespace

std::optional<Advice> severalChanges(const PreparedScenario& prepared, const Evaluation& evaluation, const IsHeld& held,
                                     const std::stop_token& stop)
{
    if (!allFits(evaluation))
        return std::nullopt;
    if (prepared.task == Task::Inference)
        return severalServingChanges(prepared, evaluation, held, stop);
    if (evaluation.rl && !prepared.measured.any())
        return severalRlChanges(prepared, evaluation, held, stop);
    if (!evaluation.mfu)
        return std::nullopt;
    const auto result = plan(requestOf(prepared, held), stop);
    if (!result || result->ranked.empty() || stop.stop_requested())
        return std::nullopt;
    const PlanOption& best = result->ranked.front();
    double reached = *evaluation.mfu;
    for (const Advice& single : improvements(prepared, evaluation, 1, held))
        reached = std::max(reached, single.after.mfu.value_or(0));
    Edits edits = editsTo(best.scenario, prepared);
    if (edits.empty() || !std::ranges::all_of(edits, isPossible))
        return std::nullopt;
    PreparedScenario after = prepared;
    applyEdits(after, edits);
    const auto batch = effectiveGlobalBatch(prepared);
    if (checkSetup(after).empty() && effectiveGlobalBatch(after) != batch) {
        if (held && held("global_batch"))
            return std::nullopt;
        edits.push_back({parameterRow("global_batch"), static_cast<double>(batch)});
        after = prepared;
        applyEdits(after, edits);
    }
    if (!checkSetup(after).empty() || effectiveGlobalBatch(after) != batch)
        return std::nullopt;
    Advice advice = adviceOf(std::move(edits));
    advice.after = evaluate(after);
    if (!allFits(advice.after) || advice.after.mfu.value_or(0) < reached * (1 + worthIt))
        return std::nullopt;
    advice.text = headed(advice, gainText(prepared, evaluation, advice.after));
    return advice;
}

} // namespace headroom
