// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_registry.hpp"

#include "core/predict/evaluate.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom
{

std::string_view methodPath(const MetricRow& row, Task task)
{
    switch (row.chapter) {
    case MethodChapter::Counting:
        return "docs/method/counting.md";
    case MethodChapter::Memory:
        return "docs/method/memory.md";
    case MethodChapter::Time:
        return task == Task::Training ? "docs/method/training_step.md" : "docs/method/serving.md";
    case MethodChapter::Load:
        return "docs/method/load.md";
    case MethodChapter::EnergyCost:
        return "docs/method/energy_cost.md";
    case MethodChapter::Speculation:
        return "docs/method/speculation.md";
    case MethodChapter::Goodput:
        return "docs/method/goodput.md";
    case MethodChapter::Pools:
        return "docs/method/pools.md";
    case MethodChapter::Phases:
        return "docs/method/phases.md";
    case MethodChapter::Rl:
        return "docs/method/rl.md";
    case MethodChapter::Tiers:
        return "docs/method/tiers.md";
    case MethodChapter::None:
        break;
    }
    return {};
}

bool isOfStep(const MetricRow& row, const PreparedScenario& prepared)
{
    const auto alone = row.value(evaluateStep(prepared));
    // Cost and time of a whole run are those of steps of reinforcement learning, where it has them.
    return alone && (!isRl(prepared) || alone == row.value(evaluate(prepared)));
}

const MetricRow* metricRow(std::string_view id)
{
    const auto row = std::ranges::find(metricRegistry(), id, &MetricRow::id);
    return row == metricRegistry().end() ? nullptr : &*row;
}

} // namespace headroom
