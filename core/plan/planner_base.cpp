// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_base.hpp"

namespace headroom
{

Scenario planBase(Scenario scenario, const PlanDimensions& free, bool countIsHeld)
{
    const bool training = scenario.task == Task::Training;
    Parallelism& p = scenario.parallelism;
    const auto smallest = [&free](PlanDimension dimension, std::int64_t& size) {
        if (free.has(dimension))
            size = 1;
    };
    smallest(PlanDimension::Tensor, p.tensor);
    smallest(PlanDimension::Pipeline, p.pipeline);
    smallest(PlanDimension::VirtualPipeline, p.virtualPipeline);
    smallest(PlanDimension::Context, p.context);
    smallest(PlanDimension::Expert, p.expert);
    smallest(PlanDimension::AttentionData, p.attentionData);
    smallest(PlanDimension::MicroBatch, scenario.training.microBatch);
    if (free.has(PlanDimension::Replicas))
        p.replicas.reset();
    if (!countIsHeld)
        scenario.hardware.count =
            p.tensor * p.pipeline * p.context * (training ? 1 : p.attentionData) * p.replicas.value_or(1);
    return scenario;
}

} // namespace headroom
