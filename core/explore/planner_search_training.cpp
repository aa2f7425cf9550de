// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/training_memory.hpp"
#include "core/explore/planner_search.hpp"

#include <algorithm>

namespace headroom::planner
{

void PlanWorker::decideTraining(const PlanPoint& block, const std::stop_token& stop)
{
    m_choices = m_space.trainingChoices(block);
    m_states.clear();
    const std::uint64_t all = m_choices.count();
    m_counts.configurations += all;
    const PlanRequest& request = m_space.request();
    const auto price = request.accelerators[block.accelerator].pricePerGpuHour;
    if (price && request.limits.costPerHour && *price * double(block.gpus) > *request.limits.costPerHour) {
        m_counts.excludedByLimit += all;
        return;
    }
    // Groups that differ only in checkpointing follow each other: they share a plan.
    TrainingPlan shared;
    PlanPoint of;
    of.tensor = 0; // no group's
    forEachGroup(block, m_choices, [&](const PlanPoint& group) {
        if (stop.stop_requested())
            return;
        PlanPoint key = group;
        key.checkpointing = Checkpointing::None;
        key.checkpointEvery = 2;
        if (key != of) {
            of = key;
            m_space.apply(key, m_scenario);
            WarningSet ignored;
            shared = planTraining(m_scenario, ignored);
        }
        TrainingPlan plan = shared;
        setCheckpointing(plan, group.checkpointing, double(group.checkpointEvery));
        decideGroup(group, plan);
    });
}

const PlanWorker::States& PlanWorker::statesOf(PlanPoint point)
{
    const auto found = std::ranges::find(m_states, point.virtualPipeline, &States::virtualPipeline);
    if (found != m_states.end())
        return *found;
    States states{point.virtualPipeline, {}};
    PreparedScenario scenario = m_scenario;
    for (const ShardingChoice& choice : m_choices.shardings) {
        point.sharding = choice.sharding;
        point.replicas = choice.replicas;
        point.offload = choice.offload;
        m_space.apply(point, scenario);
        WarningSet ignored;
        states.bytes.push_back(trainingStateBytes(planTraining(scenario, ignored)));
    }
    return m_states.emplace_back(std::move(states));
}

bool PlanWorker::holds(const TrainingPlan& plan, const std::array<double, 2>& states,
                       const std::array<double, 2>& activations) const
{
    const double tensors = std::max(states[0] + activations[0], states[1] + activations[1]);
    return trainingDeviceBytes(plan, tensors) <= plan.accelerator->usableMemoryBytes() * (1 + roundingSlack);
}

bool PlanWorker::tooSlow(const PlanValues& least) const
{
    const PlanLimits& limits = m_space.request().limits;
    const double tokens = m_space.request().base.training.trainingTokens.value_or(0);
    if (limits.deadlineS && at(least, PlanObjective::Time) * tokens > *limits.deadlineS)
        return true;
    if (limits.costToTrain && at(least, PlanObjective::Cost) * tokens / 1e6 * (1 - roundingSlack) > *limits.costToTrain)
        return true;
    return m_collector.hopeless(least, m_standard);
}

void PlanWorker::decideGroup(const PlanPoint& group, const TrainingPlan& plan)
{
    const States& states = statesOf(group);
    const std::array<double, 2> activations = trainingActivationBytes(plan);
    m_alive.clear();
    for (std::size_t i = 0; i < states.bytes.size(); ++i)
        if (holds(plan, states.bytes[i], activations))
            m_alive.push_back(i);
    m_counts.excludedByMemory += states.bytes.size() - m_alive.size();
    if (m_alive.empty())
        return;
    m_collector.renew(m_standard);
    if (tooSlow(bestValues(m_scenario, plan, leastStepSeconds(plan)))) {
        m_counts.excludedByTime += m_alive.size();
        return;
    }
    PlanPoint point = group;
    for (const std::size_t i : m_alive) {
        point.sharding = m_choices.shardings[i].sharding;
        point.replicas = m_choices.shardings[i].replicas;
        point.offload = m_choices.shardings[i].offload;
        ++m_counts.evaluated;
        if (!missedBy(point).any())
            offer(point);
    }
    m_space.apply(group, m_scenario);
}

} // namespace headroom::planner
