// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_inputs.hpp"

#include "core/plan/planner_dimensions.hpp"
#include "ui/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui
{
namespace
{

constexpr double mostGpusOfAll = 1e6;

void put(QVariantMap& map, const char* key, const std::optional<double>& value)
{
    if (value)
        map.insert(QLatin1String(key), *value);
}

std::optional<double> positive(const QVariantMap& map, const char* key)
{
    bool read = false;
    const double value = map.value(QLatin1String(key)).toDouble(&read);
    return read && std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

std::vector<std::int64_t> doublings(double fewest, double most)
{
    std::vector<std::int64_t> counts;
    const auto last = std::llround(std::clamp(most, 1.0, mostGpusOfAll));
    auto n = std::min<std::int64_t>(std::llround(std::clamp(fewest, 1.0, mostGpusOfAll)), last);
    for (; n < last; n *= 2)
        counts.push_back(n);
    counts.push_back(last);
    return counts;
}

} // namespace

PlanDimensions freedom(const PlanInputs& inputs, const IsParameterLocked& isLocked)
{
    PlanDimensions free = PlanDimensions::usual();
    if (inputs.formats)
        free = free.release(PlanDimension::Precision).release(PlanDimension::KvCache).release(PlanDimension::Gradients);
    if (inputs.offload)
        free = free.release(PlanDimension::Offload);
    for (const PlanDimensionName& name : planDimensionNames)
        if (isLocked(name.key))
            free = free.lock(name.dimension);
    return free;
}

QVariantMap PlanInputs::toMap() const
{
    QVariantMap map{{QStringLiteral("fewest"), fewestGpus},
                    {QStringLiteral("most"), mostGpus},
                    {QStringLiteral("accelerators"), accelerators},
                    {QStringLiteral("prices"), prices},
                    {QStringLiteral("objective"), static_cast<int>(objective)},
                    {QStringLiteral("think_s"), thinkS},
                    {QStringLiteral("formats"), formats},
                    {QStringLiteral("offload"), offload},
                    {QStringLiteral("slow_end"), slowEnd}};
    put(map, "cost_per_hour", costPerHour);
    put(map, "deadline_days", deadlineDays);
    put(map, "budget", budget);
    put(map, "users", users);
    return map;
}

PlanQuestion PlanInputs::toQuestion() const
{
    PlanQuestion question;
    question.fewestGpus = fewestGpus;
    question.mostGpus = mostGpus;
    question.objective = static_cast<PlanGoal>(objective);
    for (const QString& id : accelerators)
        question.accelerators.push_back({toUtf8(id), positive(prices, toUtf8(id).c_str())});
    question.costPerHour = costPerHour;
    question.deadlineDays = deadlineDays;
    question.budget = budget;
    question.users = users;
    question.thinkS = thinkS;
    question.formats = formats;
    question.offload = offload;
    question.slowEnd = slowEnd;
    return question;
}

PlanInputs PlanInputs::fromQuestion(const PlanQuestion& question)
{
    PlanInputs inputs;
    inputs.fewestGpus = question.fewestGpus;
    inputs.mostGpus = question.mostGpus;
    inputs.objective = static_cast<PlanObjective>(question.objective);
    for (const PlanDevice& device : question.accelerators) {
        inputs.accelerators << toQString(device.id);
        if (device.pricePerGpuHour)
            inputs.prices.insert(toQString(device.id), *device.pricePerGpuHour);
    }
    inputs.costPerHour = question.costPerHour;
    inputs.deadlineDays = question.deadlineDays;
    inputs.budget = question.budget;
    inputs.users = question.users;
    inputs.thinkS = question.thinkS;
    inputs.formats = question.formats;
    inputs.offload = question.offload;
    inputs.slowEnd = question.slowEnd;
    return inputs;
}

PlanInputs PlanInputs::fromMap(const QVariantMap& map)
{
    PlanInputs inputs;
    inputs.fewestGpus = positive(map, "fewest").value_or(inputs.fewestGpus);
    inputs.mostGpus = positive(map, "most").value_or(inputs.mostGpus);
    inputs.accelerators = map.value(QStringLiteral("accelerators")).toStringList();
    inputs.prices = map.value(QStringLiteral("prices")).toMap();
    const int objective = map.value(QStringLiteral("objective")).toInt();
    if (objective >= 0 && objective < static_cast<int>(planObjectiveCount))
        inputs.objective = static_cast<PlanObjective>(objective);
    inputs.costPerHour = positive(map, "cost_per_hour");
    inputs.deadlineDays = positive(map, "deadline_days");
    inputs.budget = positive(map, "budget");
    inputs.users = positive(map, "users");
    if (map.contains(QStringLiteral("think_s")))
        inputs.thinkS = positive(map, "think_s").value_or(0);
    inputs.formats = map.value(QStringLiteral("formats")).toBool();
    inputs.offload = map.value(QStringLiteral("offload")).toBool();
    inputs.slowEnd = map.value(QStringLiteral("slow_end")).toBool();
    return inputs;
}

Expected<PlanRequest> planRequest(const PlanInputs& inputs, const PreparedScenario& base, const Catalog& catalog,
                                  const IsParameterLocked& isLocked)
{
    PlanRequest request;
    request.base = base;
    request.accelerators.push_back(planAccelerator(base, base.accelerator));
    for (const QString& id : inputs.accelerators) {
        const auto entry = catalog.accelerator(toUtf8(id));
        if (entry && entry->id != base.accelerator->id && entry->missingFacts().empty())
            request.accelerators.push_back( // a price that was typed belongs to its device
                planAccelerator(base, entry, positive(inputs.prices, entry->id.c_str())));
    }
    request.gpuCounts = doublings(inputs.fewestGpus, inputs.mostGpus);
    if (isLocked("count"))
        request.gpuCounts = {base.hardware.count};
    request.free = freedom(inputs, isLocked);
    request.objective =
        inputs.objective == PlanObjective::Cost ? usualObjective(request.accelerators) : inputs.objective;
    request.slowEnd = inputs.slowEnd;
    request.limits.costPerHour = inputs.costPerHour;
    if (base.task == Task::Training) {
        request.limits.costToTrain = inputs.budget;
        if (inputs.deadlineDays)
            request.limits.deadlineS = *inputs.deadlineDays * 86400;
    } else if (inputs.users) {
        request.users = PlanUsers{*inputs.users, inputs.thinkS};
    }
    return request;
}

} // namespace headroom::ui
