// SPDX-License-Identifier: GPL-3.0-or-later
// ServingSearch: decides a block of inference, which is a layout of one replica: how many replicas, with which batch.
#pragma once

#include "core/plan/planner_pool_search.hpp"

namespace headroom::planner
{

class ServingSearch final
{
public:
    /// `trial` has to outlive it.
    explicit ServingSearch(PlanTrial& trial) : m_trial(trial), m_pools(trial) {}

    /// Decides every configuration of the block.
    void decide(PlanPoint block);

private:
    void decideLoaded(PlanPoint block, Replicas range, std::int64_t most);
    void withFewer(const PlanPoint& block, Replicas range, std::int64_t most, std::optional<PlanFind>& best);
    [[nodiscard]] std::optional<PlanFind> withAnyLimit(PlanPoint point, std::int64_t replicas, std::int64_t most);
    void decideHalves(PlanPoint block, Replicas range, std::int64_t most);
    void refine(PlanPoint block, Replicas range, std::int64_t most);
    [[nodiscard]] std::optional<PlanFind> withReplicas(PlanPoint point, Replicas range);
    [[nodiscard]] bool outbid(PlanValues& least);
    /// Of the last point evaluated.
    [[nodiscard]] PlanFind foundAt(const PlanPoint& point) const { return {m_trial.values(), point, 0}; }

    PlanTrial& m_trial;
    PoolSearch m_pools;
};

} // namespace headroom::planner
