// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingSearch: decides a block of training by three bounds (limit, memory, time), and evaluates what they leave.
#pragma once

#include "core/plan/planner_states.hpp"
#include "core/plan/planner_trial.hpp"
#include "core/predict/rl.hpp"
#include "core/predict/training/training_layer.hpp"

#include <optional>
#include <stop_token>

namespace headroom::planner
{

class TrainingSearch final
{
public:
    /// `trial` has to outlive it.
    explicit TrainingSearch(PlanTrial& trial) : m_trial(trial), m_states(trial.space()) {}

    /// Decides every configuration of the block, or returns early when asked to stop.
    void decide(const PlanPoint& block, const std::stop_token& stop);

private:
    void decideGroup(const PlanPoint& group, const TrainingPlan& plan);
    void decideUpdates(PlanPoint point);
    [[nodiscard]] bool tooSlow(const PlanValues& least, double tie, bool mayNotFit) const;
    void offerLast(const PlanPoint& point, double tie);

    PlanTrial& m_trial;
    TrainingChoices m_choices; ///< of the block
    TrainingStates m_states;
    /// How states are kept, where they fit.
    struct Alive {
        std::size_t sharding = 0; ///< index of m_choices.shardings
        double share = 0;         ///< of the device's memory
    };
    std::vector<Alive> m_alive; ///< of the group
    /// Of the plan that groups share which differ in checkpointing; empty until one of them asks.
    std::optional<StepOperators> m_operators;
    std::optional<TokenFlop> m_flop; ///< of the request
    RlResult m_generation;           ///< of the block's step of reinforcement learning
};

} // namespace headroom::planner
