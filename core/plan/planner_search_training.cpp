// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_search.hpp"

namespace headroom::planner
{

void PlanWorker::decideTraining(const PlanPoint& block, const std::stop_token& stop)
{
    m_choices = m_space.trainingChoices(block);
    m_states.enter(m_choices);
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
    bool tooLarge = false; // without any activations
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
            tooLarge = m_states.of(key).leastShare > 1 + roundingSlack;
            if (!tooLarge) {
                m_space.apply(key, m_scenario);
                WarningSet ignored;
                shared = planTraining(m_scenario, ignored);
            }
        }
        if (tooLarge) {
            m_counts.excludedByMemory += m_choices.shardings.size();
            return;
        }
        TrainingPlan plan = shared;
        setCheckpointing(plan, group.checkpointing, double(group.checkpointEvery));
        decideGroup(group, plan);
    });
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
    const TrainingStates::Entry& states = m_states.of(group);
    const StageBytes activations = trainingActivationBytes(plan);
    m_alive.clear();
    for (std::size_t i = 0; i < states.bytes.size(); ++i)
        if (TrainingStates::shareOf(plan, states.bytes[i], activations) <= 1 + roundingSlack)
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
        choose(point, m_choices.shardings[i]);
        ++m_counts.evaluated;
        if (!missedBy(point).any())
            offer({valuesOf(m_scenario, m_evaluation), point});
    }
    m_space.apply(group, m_scenario);
}

} // namespace headroom::planner
