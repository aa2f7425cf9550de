// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_map.hpp"

#include "core/plan/planner_sizes.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

constexpr std::size_t mostColumns = 11;
constexpr std::int64_t largestBatch = 1024, largestTensor = 64;

/// The counts asked for; two ends stand for the doublings between them, more than a chart shows are thinned out.
std::vector<std::int64_t> columnsOf(std::vector<std::int64_t> counts)
{
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    if (counts.size() == 2)
        for (std::int64_t n = counts.front() * 2; n < counts.back() && counts.size() < 64; n *= 2)
            counts.insert(counts.end() - 1, n);
    std::vector<std::int64_t> columns;
    const std::size_t step = (counts.size() + mostColumns - 1) / mostColumns;
    for (std::size_t i = 0; i < counts.size(); i += step)
        columns.push_back(counts[i]);
    return columns;
}

std::vector<std::int64_t> rowsOf(const PlanRequest& request, bool training)
{
    const PreparedScenario& base = request.base;
    if (!request.free.has(training ? PlanDimension::Tensor : PlanDimension::Batch))
        return {training ? base.parallelism.tensor : base.inference.batch};
    const std::int64_t most = training ? std::min(largestTensor, request.gpuCounts.back()) : largestBatch;
    std::vector<std::int64_t> rows;
    for (std::int64_t n = 1; n <= most; n *= 2)
        if (!training || planner::splitsEvenly(base.model->architecture, n))
            rows.push_back(n);
    return rows;
}

PlanCell cellOf(const PlanRequest& request, const std::stop_token& stop)
{
    PlanCell cell;
    auto result = plan(request, stop);
    if (!result)
        return cell;
    if (!result->ranked.empty()) {
        cell.best = std::move(result->ranked.front());
    } else if (!result->rejected.empty()) {
        const PlanOption& nearest = result->rejected.front().nearest;
        cell.cause = planner::shortfall(request, nearest.scenario, nearest.evaluation).kind;
    }
    return cell;
}

} // namespace

PlanMap planMap(const PlanRequest& wanted, const std::stop_token& stop)
{
    PlanMap map;
    PlanRequest request = wanted;
    const bool training = request.base.task == Task::Training;
    map.across = training ? PlanDimension::Tensor : PlanDimension::Batch;
    if (request.gpuCounts.empty() || std::ranges::min(request.gpuCounts) < 1)
        return {};
    request.accelerators.resize(std::min<std::size_t>(1, request.accelerators.size()));
    request.objective = PlanObjective::Mfu;
    if (isRl(request.base)) // which has none
        request.objective =
            usualObjective(request.accelerators) == PlanObjective::Cost ? PlanObjective::Cost : PlanObjective::Time;
    request.front = {request.objective, request.objective};
    request.top = 1;
    request.rejections = 1;
    request.comparesOnePool = false;
    map.gpus = columnsOf(request.gpuCounts);
    map.rows = rowsOf(request, training);
    request.free = request.free.lock(map.across);
    for (const std::int64_t row : map.rows) {
        (training ? request.base.parallelism.tensor : request.base.inference.batch) = row;
        request.base.inference.batchMax = request.base.inference.batchMax && map.rows.size() == 1;
        for (const std::int64_t gpus : map.gpus) {
            request.gpuCounts = {gpus};
            map.cells.push_back(cellOf(request, stop));
            if (stop.stop_requested())
                return {};
        }
    }
    return map;
}

} // namespace headroom
