// SPDX-License-Identifier: GPL-3.0-or-later
// PlanTrial: one configuration at a time, evaluated, held against the limits and, where it keeps them, offered.
#pragma once

#include "core/plan/planner_collector.hpp"
#include "core/plan/planner_limits.hpp"

#include <optional>

namespace headroom::planner
{

/// The largest number that satisfies `holds`, by bisection. `low` does and `high` does not: neither is tested.
template <typename Holds>
std::int64_t lastThatHolds(std::int64_t low, std::int64_t high, const Holds& holds)
{
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

/// Of one thread. What decides blocks (TrainingSearch, ServingSearch, PoolSearch) shares it: the scenario and the
/// evaluation of the last configuration tried, and the counts of the block.
class PlanTrial final
{
public:
    /// Both have to outlive it.
    PlanTrial(const PlanSpace& space, PlanCollector& collector);

    [[nodiscard]] const PlanSpace& space() const { return m_space; }
    [[nodiscard]] const PlanRequest& request() const { return m_space.request(); }
    [[nodiscard]] PlanCounts& counts() { return m_counts; }

    /// Makes the scenario the point's, without an evaluation.
    void apply(const PlanPoint& point) { m_space.apply(point, m_scenario); }
    /// Applies a point and evaluates it under the request's load.
    void evaluate(const PlanPoint& point);
    /// Evaluates a point; says which limit it misses most.
    Shortfall missedBy(const PlanPoint& point);
    /// The same but for the limit on cost.
    bool missesMoreThanCost(const PlanPoint& point);
    /// The largest batch, up to `most`, with which one replica of a layout meets the latency targets while it is full;
    /// 0 where none does. Without `withFirstTokens`, the target of TPOT alone.
    [[nodiscard]] std::int64_t fullWithinTargets(PlanPoint point, std::int64_t most, bool withFirstTokens = true);

    /// Of the last point that was applied, and of the last that was evaluated.
    [[nodiscard]] const PreparedScenario& scenario() const { return m_scenario; }
    [[nodiscard]] const Evaluation& evaluation() const { return m_evaluation; }
    /// Of the last point evaluated, as the request ranks them.
    [[nodiscard]] PlanValues values() const;

    /// Takes over what other threads have found since.
    void renew() { m_collector.renew(m_standard); }
    /// True where nothing with values and a tie at or above these can be an answer, by what renew() knew.
    [[nodiscard]] bool hopeless(const PlanValues& least, double tie, bool mayNotFit = false) const
    {
        return m_collector.hopeless(least, tie, mayNotFit, m_standard);
    }
    void offer(const PlanFind& find);

private:
    const PlanSpace& m_space;
    PlanCollector& m_collector;
    PlanCollector::Standard m_standard;
    PreparedScenario m_scenario;
    Evaluation m_evaluation;
    PlanCounts m_counts;
};

} // namespace headroom::planner
