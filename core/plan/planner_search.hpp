// SPDX-License-Identifier: GPL-3.0-or-later
// PlanWorker: decides the blocks of a space, one thread's worth.
#pragma once

#include "core/plan/planner_collector.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/plan/planner_states.hpp"
#include "core/predict/rl.hpp"

#include <optional>
#include <stop_token>

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

class PlanWorker final
{
public:
    PlanWorker(const PlanSpace& space, PlanCollector& collector);

    /// Decides every configuration of the block, or returns early when asked to stop.
    PlanCounts decide(const PlanPoint& block, const std::stop_token& stop);

private:
    void decideTraining(const PlanPoint& block, const std::stop_token& stop);
    void decideGroup(const PlanPoint& group, const TrainingPlan& plan);
    void decideUpdates(PlanPoint point);
    [[nodiscard]] bool tooSlow(const PlanValues& least, double tie) const;
    void decideInference(PlanPoint block);
    void decideLoaded(PlanPoint block, PlanSpace::Replicas range, std::int64_t most);
    void decidePools(PlanPoint block, PlanSpace::Replicas range, std::int64_t most);
    // with a pool that reads prompts (planner_search_pools.cpp)
    struct Pair;
    void decideWithReaders(PlanPoint block, PlanSpace::Replicas range, std::int64_t most);
    [[nodiscard]] std::int64_t leastDecoding(const Pair& pair);
    [[nodiscard]] double leastOf(const Pair& pair, const PlanReader& reader, double mfu) const;
    [[nodiscard]] std::optional<PlanFind> fewestPair(const Pair& pair, std::optional<PlanFind> best);
    [[nodiscard]] std::optional<PlanFind> quickestPair(const Pair& pair, std::optional<PlanFind> best);
    [[nodiscard]] bool fallsShort(const Pair& pair, std::int64_t decoding, std::int64_t reading);
    [[nodiscard]] std::optional<PlanFind> findOf(const Pair& pair, std::int64_t decoding, std::int64_t reading);

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
    struct Alive {
        std::size_t sharding = 0; ///< index of m_choices.shardings
        double share = 0;         ///< of the device's memory
    };
    std::vector<Alive> m_alive;
    RlResult m_generation; ///< of the block's step of reinforcement learning
};

} // namespace headroom::planner
