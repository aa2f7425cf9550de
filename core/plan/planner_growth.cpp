// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_growth.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{
namespace
{

/// False where the request has nothing to multiply.
bool multiply(PlanRequest& request, double multiple)
{
    std::optional<double>& load = request.base.inference.requestsPerS;
    std::optional<double>& tokens = request.base.training.trainingTokens;
    if (request.base.task == Task::Training) {
        if (tokens)
            *tokens *= multiple;
        return tokens.has_value();
    }
    if (request.users)
        request.users->count *= multiple;
    else if (load)
        *load *= multiple;
    return request.users || load;
}

bool isPriced(const PlanRequest& request)
{
    if (request.accelerators.empty())
        return request.base.hardware.pricePerGpuHour.has_value();
    return std::ranges::all_of(request.accelerators,
                               [](const PlanAccelerator& device) { return device.pricePerGpuHour.has_value(); });
}

/// A training without a date or a budget: the cheapest deployment for some tokens is that for more.
bool isSameForMore(const PlanRequest& request)
{
    return request.base.task == Task::Training && !request.limits.deadlineS && !request.limits.costToTrain;
}

/// The row of another multiple, where the deployment is the same.
PlanGrowthRow forMore(PlanGrowthRow row, const PlanRequest& grown, double multiple)
{
    row.multiple = multiple;
    if (row.best) {
        row.best->scenario.training.trainingTokens = grown.base.training.trainingTokens;
        row.best->evaluation = evaluate(row.best->scenario);
    }
    return row;
}

} // namespace

Expected<std::vector<PlanGrowthRow>> planGrowth(const PlanRequest& request, std::span<const double> multiples,
                                                const std::stop_token& stop)
{
    std::vector<PlanGrowthRow> rows;
    for (const double multiple : multiples) {
        PlanRequest grown = request;
        if (!multiply(grown, multiple))
            return rows;
        if (!rows.empty() && isSameForMore(request)) {
            rows.push_back(forMore(rows.front(), grown, multiple));
            continue;
        }
        grown.objective = isPriced(request) ? PlanObjective::Cost : PlanObjective::Gpus;
        grown.front = {grown.objective, grown.objective};
        grown.top = 1;
        grown.rejections = 1;
        grown.comparesOnePool = false;
        auto result = plan(grown, stop);
        if (!result)
            return tl::unexpected(result.error());
        if (stop.stop_requested())
            return rows;
        PlanGrowthRow row{multiple, std::nullopt, {}};
        if (!result->ranked.empty())
            row.best = std::move(result->ranked.front());
        else if (!result->rejected.empty())
            row.reason = result->rejected.front().reason;
        else
            row.reason = result->whyNone.empty() ? said("nothing fits") : result->whyNone;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string missingMultiples(std::span<const double> multiples, std::span<const PlanGrowthRow> rows)
{
    std::string missing;
    for (const double multiple : multiples)
        if (std::ranges::find(rows, multiple, &PlanGrowthRow::multiple) == rows.end())
            missing += fmt::format(
                "{}{}×", missing.empty() ? "" : ", ",
                formatText(multiple, multiple == std::floor(multiple) ? ValueFormat::Integer : ValueFormat::Plain));
    return missing.empty() ? missing : say("Stopped: {} were not searched", missing);
}

} // namespace headroom
