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

/// s for `bytes` out of the device and back into it.
double roundTrip(double bytes, double out, double in) noexcept
{
    return bytes > 0 && out > 0 && in > 0 ? bytes / out + bytes / in : 0;
}

/// Of adapters the reference is the frozen base, which is there already: the policy with its adapters switched off
/// (verl and TRL keep no second copy).
bool keepsReference(const RlWorkload& w, const TrainingPlan& plan) noexcept
{
    return w.reference && !plan.adapters;
}

/// Bytes on a GPU of the models that learn or judge beside the policy, each with as many parameters: a critic has an
/// optimizer, and who does not learn no 32-bit copy (verl, fsdp_workers.py: float32 for actor and critic, bfloat16 for
/// reference and reward model).
double besidePolicy(const RlWorkload& w, const TrainingPlan& plan, const RestingStates& policy) noexcept
{
    return (w.critic ? policy.weights + policy.optimizer : 0) +
           ((keepsReference(w, plan) ? 1 : 0) + (w.rewardModel ? 1 : 0)) * policy.frozenWeights;
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
    const bool colocated = !w.generatesApart();
    if (!colocated && !w.critic && !keepsReference(w, plan) && !w.rewardModel)
        return f; // the policy has these GPUs for itself
    const RestingStates states = restingStates(plan);
    const double beside = besidePolicy(w, plan, states);
    const bool room = r.learnBytes + beside <= r.learnCapacityBytes;
    if (!colocated && room)
        r.learnBytes += beside;
    if (colocated || !room) {
        const double out = plan.ideal ? plan.hostLink : std::min(plan.hostLink, c.statesOutBytesPerS);
        const double in = plan.ideal ? plan.hostLink : std::min(plan.hostLink, c.statesInBytesPerS);
        f.stateBytes = states.weights + states.optimizer;
        f.weightsS = roundTrip(states.weights, out, in);
        f.frozenS = roundTrip(states.frozenWeights, out, in);
        f.statesS = roundTrip(f.stateBytes, out, in);
        f.generateS = colocated ? f.weightsS : 0;
    }
    return f;
}

void RlFramework::addTo(RlResult& r, const RlWorkload& w) const noexcept
{
    r.stateBytes = stateBytes;
    const auto add = [&](RlPart part, double answers, double states) {
        r.answersS += answers;
        r.statesS += states;
        r.around[static_cast<std::size_t>(part)] += answers + states;
        r.part(part) += answers + states;
    };
    add(RlPart::Generate, gatherS, generateS);
    if (w.oldLogProb)
        add(RlPart::OldLogProb, readS, weightsS);
    if (w.reference)
        add(RlPart::Reference, readS, frozenS);
    if (w.critic)
        add(RlPart::Critic, readS + learnS, weightsS + statesS);
    if (w.rewardModel)
        add(RlPart::Reward, readS, frozenS);
    add(RlPart::Controller, betweenS, 0);
    add(RlPart::Update, learnS, statesS);
}

} // namespace headroom
