// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/rl_framework.hpp"

#include "core/predict/training/training_memory_parts.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// Bytes of a token's place in the padded batch of verl's controller (verl/trainer/ppo/ray_trainer.py, DataProto). In
/// 64 bit: the token alone and after its prompt, its mask, its place; the mask of the answer is one more. In 32 bit: a
/// probability and an entropy of each; for the update the probability, the advantage, the return and two rewards.
constexpr double gathered = 4 * 8, toRead = gathered + 8, fromReading = 2 * 4, toLearn = toRead + 5 * 4;

/// Of adapters the reference is the frozen base, which is there already: the policy with its adapters switched off
/// (verl and TRL keep no second copy).
bool keepsReference(const RlWorkload& w, const TrainingPlan& plan) noexcept
{
    return w.reference && !plan.adapters;
}

/// Of the host link, s for a byte out of the device and back into it.
class RoundTrip final
{
public:
    RoundTrip(const TrainingPlan& plan, const RlCalibration& c) noexcept
        : m_out(plan.ideal ? plan.hostLink : std::min(plan.hostLink, c.statesOutBytesPerS)),
          m_in(plan.ideal ? plan.hostLink : std::min(plan.hostLink, c.statesInBytesPerS))
    {
    }
    [[nodiscard]] double seconds(double bytes) const noexcept
    {
        return bytes > 0 && m_out > 0 && m_in > 0 ? bytes / m_out + bytes / m_in : 0;
    }

private:
    double m_out, m_in;
};

/// Where answers are generated on these GPUs all states leave them in the meantime, and come back for their parts.
void leaveForGeneration(RlFramework& f, const RlWorkload& w, const TrainingPlan& plan, const RestingStates& states,
                        const RoundTrip& trip) noexcept
{
    const double weightsS = trip.seconds(states.weights), frozenS = trip.seconds(states.frozenWeights);
    const double statesS = trip.seconds(states.weights + states.optimizer);
    f.stateBytes = states.weights + states.optimizer;
    f.hostBytes = (w.critic ? 2 : 1) * f.stateBytes + (keepsReference(w, plan) ? states.frozenWeights : 0) +
                  (w.rewardModel ? states.frozenWeights : 0);
    f.states(RlPart::Generate) = weightsS;
    f.states(RlPart::OldLogProb) = w.oldLogProb ? weightsS : 0;
    f.states(RlPart::Reference) = w.reference ? frozenS : 0;
    f.states(RlPart::Critic) = w.critic ? weightsS + statesS : 0;
    f.states(RlPart::Reward) = w.rewardModel ? frozenS : 0;
    f.states(RlPart::Update) = statesS;
}

/// On GPUs of their own the models beside the policy stay as far as the update leaves them room: a critic with its
/// optimizer, and who does not learn without a 32-bit copy (verl, fsdp_workers.py: float32 for actor and critic,
/// bfloat16 for reference and reward model). What has none waits on the host. First those that only read: they move
/// once a step. Of two that learn, policy and critic, each makes way for the other.
void makeRoom(RlFramework& f, const RlWorkload& w, const TrainingPlan& plan, const RestingStates& states,
              const RoundTrip& trip, RlResult& r) noexcept
{
    const double reference = keepsReference(w, plan) ? states.frozenWeights : 0;
    const double reward = w.rewardModel ? states.frozenWeights : 0;
    const double critic = w.critic ? states.weights + states.optimizer : 0;
    const double beside = reference + reward + critic;
    double excess = std::clamp(r.learnBytes + beside - r.learnCapacityBytes, 0.0, beside);
    r.learnBytes += beside - excess;
    f.hostBytes = excess; // of critic and policy one waits
    const auto move = [&](RlPart part, double most) {
        const double bytes = std::min(excess, most);
        f.states(part) = trip.seconds(bytes);
        excess -= bytes;
        return bytes;
    };
    move(RlPart::Reference, reference);
    move(RlPart::Reward, reward);
    f.stateBytes = move(RlPart::Critic, critic);
    f.states(RlPart::Update) = f.states(RlPart::Critic);
}

} // namespace

RlFramework rlFramework(const PreparedScenario& prepared, const TrainingPlan& plan, RlResult& r) noexcept
{
    const RlWorkload& w = prepared.training.rl;
    const RlCalibration& c = prepared.calibration->rl;
    RlFramework f;
    if (!plan.ideal) {
        const double longest = w.maxOutputTokens ? double(*w.maxOutputTokens) : r.longestTokens;
        const double places = r.answers * (double(w.promptTokens) + std::max(double(w.outputTokens), longest));
        f.gatherS = places * gathered / c.receiveBytesPerS;
        f.readS = places * (toRead / c.sendBytesPerS + fromReading / c.receiveBytesPerS);
        f.learnS = places * toLearn / c.sendBytesPerS;
        f.betweenS = places * c.controllerS;
    }
    const RestingStates states = restingStates(plan);
    const RoundTrip trip(plan, c);
    if (w.generatesApart())
        makeRoom(f, w, plan, states, trip, r);
    else
        leaveForGeneration(f, w, plan, states, trip);
    if (plan.accelerator->unifiedMemory)
        f.hostBytes = 0;
    return f;
}

void RlFramework::addTo(RlResult& r, const RlWorkload& w) const noexcept
{
    r.stateBytes = stateBytes;
    r.hostBytes = std::max(r.hostBytes, hostBytes);
    const auto add = [&](RlPart part, double answers) {
        const double moved = states(part);
        r.answersS += answers;
        r.statesS += moved;
        r.around[static_cast<std::size_t>(part)] += answers + moved;
        r.part(part) += answers + moved;
    };
    add(RlPart::Generate, gatherS);
    if (w.oldLogProb)
        add(RlPart::OldLogProb, readS);
    if (w.reference)
        add(RlPart::Reference, readS);
    if (w.critic)
        add(RlPart::Critic, readS + learnS);
    if (w.rewardModel)
        add(RlPart::Reward, readS);
    add(RlPart::Controller, betweenS);
    add(RlPart::Update, learnS);
}

} // namespace headroom
