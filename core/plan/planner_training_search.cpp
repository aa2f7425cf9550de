// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_training_search.hpp"

#include "core/predict/training/training_kind.hpp"
#include "core/predict/training/training_step.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom::planner
{
namespace
{

/// Whether the upper end of the 80 % interval of a memory is more than there is; `share` is what it takes of that.
bool mayOverflow(double share, const PreparedScenario& prepared)
{
    const auto range = memoryRange(prepared);
    return range && share * range->high > 1;
}

/// Decides between layouts with the same step: seconds of training, so that the one with most slack comes first. A
/// layout whose memory may not fit (80 % interval) comes last.
double tieOf(const RlResult& step, bool mayNotFit)
{
    constexpr double last = 1e12;
    return learnS(step) + (mayNotFit ? last : 0);
}

} // namespace

void TrainingSearch::decide(const PlanPoint& block, const std::stop_token& stop)
{
    m_choices = trainingChoices(m_trial.request(), block);
    m_states.enter(m_choices);
    const std::uint64_t all = m_choices.count();
    m_trial.counts().configurations += all;
    const PlanRequest& request = m_trial.request();
    const auto price = request.accelerators[block.accelerator].pricePerGpuHour;
    if (price && request.limits.costPerHour &&
        *price * (double(block.gpus + block.rollouts) + paidSpares(request.base)) > *request.limits.costPerHour) {
        m_trial.counts().excludedByLimit += all;
        return;
    }
    if (isRl(request.base)) {
        m_trial.apply(block);
        m_generation = rlGeneration(m_trial.scenario());
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
                m_trial.apply(key);
                WarningSet ignored;
                shared = planTraining(m_trial.scenario(), ignored);
                m_operators.reset();
            }
        }
        if (tooLarge) {
            m_trial.counts().excludedByMemory += m_choices.shardings.size();
            return;
        }
        setCheckpointing(shared, group.checkpointing, double(group.checkpointEvery));
        decideGroup(group, shared);
    });
}

bool TrainingSearch::tooSlow(const PlanValues& least, double tie, bool mayNotFit) const
{
    const PlanLimits& limits = m_trial.request().limits;
    const double tokens = m_trial.request().base.training.trainingTokens.value_or(0);
    if (limits.deadlineS && at(least, PlanObjective::Time) * tokens > *limits.deadlineS)
        return true;
    if (limits.costToTrain && at(least, PlanObjective::Cost) * tokens / 1e6 * (1 - roundingSlack) > *limits.costToTrain)
        return true;
    return m_trial.hopeless(least, tie, mayNotFit);
}

/// What was evaluated last, at this point.
void TrainingSearch::offerLast(const PlanPoint& point, double tie)
{
    m_trial.offer({m_trial.values(), point, tie, m_trial.evaluation().warnings.has(WarningCode::MemoryMayNotFit)});
}

void TrainingSearch::decideGroup(const PlanPoint& group, const TrainingPlan& plan)
{
    const TrainingStates::Entry& states = m_states.of(group);
    const StageActivationBytes activations = trainingActivationBytes(plan);
    const TrainingDevice device(plan);
    m_alive.clear();
    for (std::size_t i = 0; i < states.bytes.size(); ++i)
        if (const double share = TrainingStates::shareOf(device, states.bytes[i], activations);
            share <= 1 + roundingSlack)
            m_alive.push_back({i, share});
    m_trial.counts().excludedByMemory += states.bytes.size() - m_alive.size();
    if (m_alive.empty())
        return;
    m_trial.renew();
    if (isRl(m_trial.scenario())) { // its update is not the plan's, which is of whole sequences
        decideUpdates(group);
        m_trial.apply(group);
        return;
    }
    if (!m_operators)
        m_operators = stepOperators(plan);
    if (!m_flop)
        m_flop = tokenFlop(m_trial.scenario(), plan);
    const double leanest = std::ranges::min(m_alive, {}, &Alive::share).share * (1 - roundingSlack);
    if (tooSlow(bestValues(m_trial.scenario(), plan, leastStepSeconds(plan, *m_operators), *m_flop), 0,
                mayOverflow(leanest, m_trial.scenario()))) {
        m_trial.counts().excludedByTime += m_alive.size();
        return;
    }
    PlanPoint point = group;
    for (const Alive& alive : m_alive) {
        choose(point, m_choices.shardings[alive.sharding]);
        ++m_trial.counts().evaluated;
        if (!m_trial.missedBy(point).any())
            offerLast(point, 0);
    }
    m_trial.apply(group);
}

/// Decides a group of a step of reinforcement learning. The time of the update rules most of its points out, and takes
/// a third of the work of an evaluation; generation is the same for the whole block.
void TrainingSearch::decideUpdates(PlanPoint point)
{
    std::optional<RlResult> least;
    for (const Alive& alive : m_alive) {
        choose(point, m_choices.shardings[alive.sharding]);
        m_trial.apply(point);
        if (!least)
            least = leastRlStep(m_trial.scenario(), m_generation);
        const bool mayNotFit = mayOverflow(alive.share, m_trial.scenario());
        const auto excluded = [&](const RlResult& step) {
            return tooSlow(rlValues(m_trial.scenario(), step), tieOf(step, mayNotFit), mayNotFit);
        };
        if (excluded(*least) || excluded(rlStep(m_trial.scenario(), m_generation))) {
            ++m_trial.counts().excludedByTime;
            continue;
        }
        ++m_trial.counts().evaluated;
        if (!m_trial.missedBy(point).any())
            offerLast(point, tieOf(*m_trial.evaluation().rl, mayNotFit));
    }
}

} // namespace headroom::planner
