// SPDX-License-Identifier: GPL-3.0-or-later
// PlanWorker: decides the blocks of a space, one thread's worth.
#pragma once

#include "core/plan/planner_collector.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/plan/planner_states.hpp"

#include <stop_token>

namespace headroom::planner
{

class PlanWorker final
{
public:
    PlanWorker(const PlanSpace& space, PlanCollector& collector);

    /// Decides every configuration of the block, or returns early when asked to stop.
    PlanCounts decide(const PlanPoint& block, const std::stop_token& stop);

private:
    void decideTraining(const PlanPoint& block, const std::stop_token& stop);
    void decideGroup(const PlanPoint& group, const TrainingPlan& plan);
    [[nodiscard]] bool tooSlow(const PlanValues& least) const;
    void decideInference(PlanPoint block);
    void decideLoaded(PlanPoint block, PlanSpace::Replicas range, std::int64_t most);
    void decidePools(PlanPoint block, PlanSpace::Replicas range, std::int64_t most);
    void refine(PlanPoint block, PlanSpace::Replicas range, std::int64_t most);
    [[nodiscard]] std::int64_t fullWithinTargets(PlanPoint point, std::int64_t most);
    [[nodiscard]] std::optional<PlanFind> withReplicas(PlanPoint point, PlanSpace::Replicas range);
    [[nodiscard]] bool outbid(PlanValues& least);
    /// Evaluates a point.
    Shortfall missedBy(const PlanPoint& point);
    void offer(const PlanFind& find);

    const PlanSpace& m_space;
    PlanCollector& m_collector;
    PlanCollector::Standard m_standard;
    PreparedScenario m_scenario;
    Evaluation m_evaluation; ///< the last one
    PlanCounts m_counts;
    TrainingChoices m_choices;
    TrainingStates m_states;
    std::vector<std::size_t> m_alive;
};

} // namespace headroom::planner
