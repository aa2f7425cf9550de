// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_question.hpp"

#include "core/plan/planner_dimensions.hpp"
#include "core/predict/rl.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

constexpr double mostGpusOfAll = 1048576; // as hardware.count
} // namespace

PlanDimensions freedom(const PlanQuestion& question, const IsDimensionHeld& isHeld)
{
    PlanDimensions free = PlanDimensions::usual();
    if (question.formats)
        free = free.release(PlanDimension::Precision).release(PlanDimension::KvCache).release(PlanDimension::Gradients);
    if (question.offload)
        free = free.release(PlanDimension::Offload);
    for (const PlanDimensionName& name : planDimensionNames)
        if (isHeld && isHeld(name.key))
            free = free.lock(name.dimension);
    return free;
}

std::vector<std::int64_t> planCounts(double fewest, double most)
{
    std::vector<std::int64_t> counts;
    const auto last = std::llround(std::clamp(most, 1.0, mostGpusOfAll));
    auto n = std::min<std::int64_t>(std::llround(std::clamp(fewest, 1.0, mostGpusOfAll)), last);
    for (; n < last; n *= 2)
        counts.push_back(n);
    counts.push_back(last);
    return counts;
}

PlanRequest planRequest(const PlanQuestion& question, const PreparedScenario& base, const Catalog& catalog,
                        const IsDimensionHeld& isHeld)
{
    PlanRequest request;
    request.base = base;
    request.accelerators.push_back(planAccelerator(base, base.accelerator));
    for (const PlanDevice& device : question.accelerators) {
        const auto entry = catalog.accelerator(device.id);
        if (entry && entry->id != base.accelerator->id && entry->missingFacts().empty())
            request.accelerators.push_back( // a price that was typed belongs to its device
                planAccelerator(base, entry, device.pricePerGpuHour));
    }
    request.gpuCounts = planCounts(question.fewestGpus, question.mostGpus);
    if (isHeld && isHeld("count"))
        request.gpuCounts = {(isRl(base) ? rlGpus(base) : base.hardware.count) + // of both pools, where there are two
                             (hasPrefillPool(base) ? base.inference.prefillPool.count.value_or(0) : 0)};
    request.free = freedom(question, isHeld);
    const PlanObjective usual = usualObjective(request.accelerators);
    request.objective = question.objective == PlanGoal::Cost ? usual : static_cast<PlanObjective>(question.objective);
    request.costIsAsked = question.objective == PlanGoal::Cost;
    request.front = {PlanObjective::Time, usual};
    request.slowEnd = question.slowEnd;
    request.smallerWithinInterval = true;
    request.limits.costPerHour = question.costPerHour;
    if (base.task == Task::Training) {
        request.limits.costToTrain = question.budget;
        if (question.deadlineDays)
            request.limits.deadlineS = *question.deadlineDays * secondsPerDay;
    } else if (question.users) {
        request.users = PlanUsers{*question.users, question.thinkS};
    }
    return request;
}

} // namespace headroom
