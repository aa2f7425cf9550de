// SPDX-License-Identifier: GPL-3.0-or-later
// An inference::Engine under a load: prompts that come when they come queue to be read (docs/method/load.md).
#include "core/hardware/bound.hpp"
#include "core/hardware/roofline.hpp"
#include "core/predict/inference/inference_engine.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{

namespace
{

/// The most that prompts after the first token take, whose mean takes meanS, where passes take so many `readers` and
/// besideS passes in the pass that gives it.
double mostAfterS(const Machine& m, const RequestWork& work, const PromptDelay& most, double meanS, double besideS,
                  double requestsPerS, double readers)
{
    // Few prompts share a pass of their own, so they take longer than those of a batch that is kept full: until all
    // other places have an answer in hand (Little), and no longer than to read one for each of these. Of those that
    // are read between the same two passes of answers half come before.
    if (!m.engine.mixesPrompts) {
        const double others = most.places - 1, later = std::max(1.0, work.passes - 1);
        const double readS = others * work.addedS(std::min(readers, std::max(1.0, others))) * (1 - 1 / (2 * later));
        return std::max(most.afterS, std::min(readS, others / requestsPerS - work.answerS - besideS));
    }
    // A full pass after the other at most.
    const double fullS = work.fitInPass * work.addedS(std::max(1.0, work.fitInPass));
    return std::min(std::max(meanS, (work.passes - 1) * fullS), most.afterS);
}

} // namespace

ReadingWait Engine::promptWait(const RequestWork& work, double requestsPerS) noexcept
{
    ReadingQueue queue = work.reading;
    queue.requestsPerS = requestsPerS;
    return waitToBeRead(queue);
}

PromptDelay Engine::openDelay(const RequestWork& work, const ReadingWait& wait, const PromptDelay& most,
                              double requestsPerS) const noexcept
{
    const double ranks = m.sizes.attentionData;
    const double adds = work.addedS(wait.readers), busy = requestsPerS * adds;
    // Those that are read beside it, but for other ranks', which are part of the pass itself. With those before it they
    // are no more than all others that have a place.
    const double company = 1 + wait.beside - std::min(ranks, 1 + wait.beside);
    const bool ends = busy < 1 && wait.ends();
    const double besideS =
        std::min(ends ? company * work.promptS : (most.beforeS + most.afterS) / work.passes, most.beforeS);
    // The half pass until whoever comes is seen stands in TTFT by itself.
    const double beforeS = std::clamp(wait.meanS - work.reading.emptyPassS / 2, 0.0, most.beforeS - besideS);
    if (!ends)
        return {beforeS, most.afterS, besideS};
    if (!(work.later > 0))
        return {beforeS, 0, besideS};
    // Of the time that its later passes take, prompts have the share that they need. Behind the pass that gave the
    // first token more of them wait than behind others; those are read first, and with those that come meanwhile it
    // takes some passes until they are as many as ever.
    const double passes = work.passes - 1, meanS = work.answerS * passes / work.passes * busy / (1 - busy);
    const double passS = m.engine.mixesPrompts ? work.passS / (1 - busy) : work.passS;
    const double more = wait.leftBehind - requestsPerS * passS, fades = 1 - powerOfShare(busy, passes);
    const double moreS = more * adds / (1 - busy) * (m.engine.mixesPrompts ? fades : 1);
    const double mostS = mostAfterS(m, work, most, meanS, besideS, requestsPerS, wait.readers);
    return {beforeS, std::clamp(meanS + moreS, 0.0, mostS), besideS};
}

double Engine::openTokensPerS(double batch, const RequestWork& work, const PromptDelay& delay) const noexcept
{
    return batch * answerTokens(w) / boundedTime(work.answerS + delay.besideS + delay.afterS, work.leastS); // Little
}

double Engine::openTokensPerS(double batch, const RequestWork& work, const PromptDelay& most,
                              double requestsPerS) const noexcept
{
    const double othersPerS = requestsPerS * m_others;
    return openTokensPerS(batch, work, openDelay(work, promptWait(work, othersPerS), most, othersPerS));
}

double Engine::aloneTokensPerS(const RequestWork& work) const noexcept
{
    return answerTokens(w) / boundedTime(work.loneS + work.answerS - work.ownPassS, work.leastS);
}

} // namespace headroom::inference
