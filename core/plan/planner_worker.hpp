// SPDX-License-Identifier: GPL-3.0-or-later
// PlanWorker: decides the blocks of a space, one thread's worth.
#pragma once

#include "core/plan/planner_serving_search.hpp"
#include "core/plan/planner_training_search.hpp"

namespace headroom::planner
{

class PlanWorker final
{
public:
    /// Both have to outlive it.
    PlanWorker(const PlanSpace& space, PlanCollector& collector)
        : m_trial(space, collector), m_training(m_trial), m_serving(m_trial)
    {
    }
    PlanWorker(const PlanWorker&) = delete; // its searches share its trial
    PlanWorker& operator=(const PlanWorker&) = delete;

    /// Decides every configuration of the block, or returns early when asked to stop.
    PlanCounts decide(const PlanPoint& block, const std::stop_token& stop)
    {
        m_trial.counts() = {};
        if (m_trial.request().base.task == Task::Training)
            m_training.decide(block, stop);
        else
            m_serving.decide(block);
        return m_trial.counts();
    }

private:
    PlanTrial m_trial;
    TrainingSearch m_training;
    ServingSearch m_serving;
};

} // namespace headroom::planner
