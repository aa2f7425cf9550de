// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_search.hpp"

namespace headroom::planner
{

PlanWorker::PlanWorker(const PlanSpace& space, PlanCollector& collector)
    : m_space(space), m_collector(collector), m_scenario(space.request().base), m_states(space)
{
}

PlanCounts PlanWorker::decide(const PlanPoint& block, const std::stop_token& stop)
{
    m_counts = {};
    if (m_scenario.task == Task::Training)
        decideTraining(block, stop);
    else
        decideInference(block);
    return m_counts;
}

Shortfall PlanWorker::missedBy(const PlanPoint& point)
{
    m_space.apply(point, m_scenario);
    m_evaluation = evaluateLoaded(m_space.request(), m_scenario);
    return shortfall(m_space.request(), m_scenario, m_evaluation);
}

void PlanWorker::offer(const PlanFind& find)
{
    m_collector.renew(m_standard);
    if (!m_collector.hopeless(find.values, find.tie, m_standard)) // most are: no lock for them
        m_collector.offer(find);
}

} // namespace headroom::planner
