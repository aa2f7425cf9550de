// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/several_changes.hpp"

#include "core/plan/planner_dimensions.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <cmath>

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
    return request;
}

/// What an option sets otherwise than the scenario; parallel sizes first, so that the batch is looked at once they are
/// what they will be.
Edits editsTo(const PreparedScenario& option, const PreparedScenario& prepared)
{
    Edits edits;
    for (const bool parallel : {true, false})
        for (const ParameterRow& row : parameterRegistry())
            if ((row.group == ParameterGroup::Parallelism) == parallel && appliesTo(row, Task::Training) &&
                row.group != ParameterGroup::Measured && row.id != "global_batch" &&
                row.get(option) != row.get(prepared))
                edits.push_back({&row, row.get(option)});
    return edits;
}

bool isPossible(const ParameterEdit& edit)
{
    return edit.value >= edit.row->minimum && edit.value <= edit.row->maximum;
}

} // namespace

std::optional<Advice> severalChanges(const PreparedScenario& prepared, const Evaluation& evaluation, const IsHeld& held,
                                     const std::stop_token& stop)
{
    if (prepared.task != Task::Training || !evaluation.fits || !evaluation.mfu)
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
    if (!advice.after.fits || advice.after.mfu.value_or(0) < reached * (1 + worthIt))
        return std::nullopt;
    advice.text =
        say("Several changes together: {}: fits, {}", advice.change, gainText(prepared, evaluation, advice.after));
    return advice;
}

} // namespace headroom
