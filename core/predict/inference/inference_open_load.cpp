// SPDX-License-Identifier: GPL-3.0-or-later
// An inference::Engine under a load: prompts that come when they come queue to be read (docs/method/load.md).
#include "core/hardware/bound.hpp"
#include "core/predict/inference/inference_engine.hpp"
#include "core/predict/inference/inference_queue.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{

PromptTurn RequestWork::turnOf(double ranks) const noexcept
{
    const double most = turn.ranks;
    if (!(ranks < most))
        return turn;
    const double part = (ranks - 1) / (most - 1);
    const auto between = [&](double PromptTurn::*field) {
        return std::lerp(loneTurn.*field, most * turn.*field, part) / ranks;
    };
    return {ranks, between(&PromptTurn::addedS), between(&PromptTurn::turnS), between(&PromptTurn::ownS)};
}

namespace
{

/// Ranks of attention data that read at once: all that come in a turn are read in the next; where none come, it waits
/// for one.
double readersAtOnce(const RequestWork& work, double requestsPerS)
{
    const double ranks = work.turn.ranks;
    constexpr int steps = 3; // of a turn that hardly depends on it
    double readers = 1;
    for (int i = 0; ranks > 1 && i < steps; ++i) {
        const double come = requestsPerS * readers * work.turnOf(readers).turnS;
        readers = std::min(ranks, come + std::exp(-come));
    }
    return readers;
}

} // namespace

PromptWait Engine::promptWait(const RequestWork& work, double requestsPerS) const noexcept
{
    const double ranks = work.turn.ranks, readers = readersAtOnce(work, requestsPerS);
    const double turnS = readers * work.turnOf(readers).turnS, each = requestsPerS * turnS / ranks;
    if (!(each < 1))
        return PromptWait::endless(ranks);
    // Pollaczek and Khinchine: the rest of the turn that is under way, and the turns of those before. Of several ranks
    // each takes one of its own in a turn, so that fewer wait for another: Sakasegawa's exponent.
    const double share = std::min(1.0, requestsPerS * turnS / readers);
    const double before = ranks > 1 ? std::pow(each, std::sqrt(2 * (ranks + 1))) / ranks : each * each;
    const double meanS =
        (share + before / (1 - each)) * turnS * variationFactor(each, w.arrivalCv * w.arrivalCv, m_promptVariation);
    return {share, meanS, readers};
}

PromptDelay Engine::openDelay(const RequestWork& work, const PromptDelay& most, double requestsPerS) const noexcept
{
    // Those that come while a prompt waits and is read, and all that come until its answer is written, are read first:
    // the answer takes the time that they leave.
    const PromptWait wait = promptWait(work, requestsPerS);
    const PromptTurn turn = work.turnOf(wait.readers);
    const double busy = requestsPerS * turn.addedS, all = most.beforeS + most.afterS;
    const double beforeS = std::min(wait.meanS, most.beforeS);
    if (!(busy < 1 && std::isfinite(wait.meanS)))
        return {beforeS, most.afterS, all / work.passes};
    const double longer = busy * work.answerS / (1 - busy), besideS = std::min(longer, all) / work.passes;
    const double behind = requestsPerS * (wait.meanS + turn.turnS * turn.ranks) * turn.addedS / (1 - busy);
    return {beforeS, work.later > 0 ? std::min(behind + longer - besideS, most.afterS) : 0, besideS};
}

double Engine::openTokensPerS(double batch, const RequestWork& work, const PromptDelay& delay) const noexcept
{
    return batch * static_cast<double>(w.outputTokens) /
           boundedTime(work.answerS + delay.besideS + delay.afterS, work.leastS); // Little
}

double Engine::aloneTokensPerS(const RequestWork& work) const noexcept
{
    return static_cast<double>(w.outputTokens) / boundedTime(work.loneS + work.answerS, work.leastS);
}

} // namespace headroom::inference
