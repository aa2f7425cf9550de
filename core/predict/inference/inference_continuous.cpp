// SPDX-License-Identifier: GPL-3.0-or-later
// An inference::Engine whose prompts join the answers of others (docs/method/serving.md).
#include "core/hardware/bound.hpp"
#include "core/predict/inference/inference_engine.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::inference
{
namespace
{

/// Passes of a request: the first reads its prompt.
double requestPasses(const PreparedScenario& p, const Machine& m)
{
    return 1 + (answerTokens(p.inference) - 1) / m.speculation.tokens;
}

/// Prompts that come in the time of a decode pass, per attention-data rank.
double comingPerPass(const PreparedScenario& p, const Machine& m, double batch)
{
    return batch / (requestPasses(p, m) * std::min(batch, m.sizes.attentionData) * readingStages(m));
}

/// The same as a pass counts them. While they are fewer than one a pass takes one of them; beyond that they share
/// passes. The ratio weighs work as the profile does, so that the decode pass never enters the mean time of a token
/// with a negative weight: TPOT = kd·P + c·(M − P)/n with c = kp·B/out, hence n ≥ c/kd. At n = 1 this is the published
/// formula (docs/method/serving.md).
double newcomersPerPass(const PreparedScenario& p, const Machine& m, double batch)
{
    return std::max(1.0, m.profile.prefill / m.profile.decode) * comingPerPass(p, m, batch);
}

/// Prompts of so many tokens, or the part of one, that a pass takes beside the answers of `batch` sequences, or by
/// itself where prompts have passes of their own; infinite without a limit.
double chunkPrompts(const Machine& m, double promptTokens, double batch)
{
    if (m.passTokens <= 0)
        return std::numeric_limits<double>::infinity();
    const double answers = m.engine.mixesPrompts ? onFullestRank(m, batch) * m.speculation.verified() : 0;
    return std::max(1.0, m.passTokens - answers) / promptTokens;
}

/// Passes that a rank takes for a prompt where others wait behind it; below 1 where several share a pass.
double passesPerPrompt(const PreparedScenario& p, const Machine& m, double promptTokens, double batch)
{
    const double part = chunkPrompts(m, promptTokens, batch);
    return std::isfinite(part) ? 1 / part
                               : std::min(1.0, promptTokens / p.calibration->inference.serving.togetherTokens);
}

/// Of the prompts of `others` requests, how many a request waits for before its first token; the rest slow its later
/// ones. As many requests come in a pass as end in it: those that come with it are read with its own prompt. Requests
/// of one length that begin together end together and meet again: a few stay in one wave, however many there are, and
/// of all others the share φ falls before the first token. A wave keeps together where a pass takes two of its prompts.
/// Bursts are whole waves; an engine whose prompts have passes of their own takes a wave in one pass.
double waitsBefore(const PreparedScenario& p, const Machine& m, double promptTokens, double batch, double others)
{
    const ServingConstants& c = p.calibration->inference.serving;
    const double wave = c.waveRequests * std::min(1.0, c.togetherTokens / promptTokens / 2);
    const bool meets = m.engine.mixesPrompts && p.inference.arrival != Arrival::Burst;
    const double together = batch / requestPasses(p, m) - (batch - others);
    return std::max(std::lerp(meets ? wave * -std::expm1(-others / wave) : 0, others, m.profile.phi), together);
}

/// Share in which a request's first token is not its last, so that it decodes.
double decodingShare(const PreparedScenario& p, const Machine& m)
{
    return std::min(1.0, requestPasses(p, m) - 1);
}

/// What the launches of a pass that reads prompts add to one of `engineS`. Of requests of one token, whose pass writes
/// no answer, each counts that pass whole (addOwnPrompt()).
double addedLaunchesS(const PreparedScenario& p, const Machine& m, double engineS)
{
    return decodingShare(p, m) * (m.profile.promptLaunchS * p.model->layers - engineS);
}

/// Share in which `batch` in flight are `several` and not one. Less than two are now one, now two.
double togetherShare(double batch, double several = 2)
{
    return std::clamp((batch - 1) / (several - 1), 0.0, 1.0);
}

/// Share of the passes that read a prompt in which another of `batch` in flight has a token to be written: of requests
/// whose first token is their last none has, since their only pass reads their prompt; of two that come in turn each
/// has from the second pass on.
double othersWrite(const PreparedScenario& p, const Machine& m, double batch)
{
    return togetherShare(batch) * decodingShare(p, m);
}

/// Other prompts that a request's own pass has time for, on its way through all stages: what that waits for the host
/// they fill first, each for what it takes by itself, and cost the request nothing more.
double coveredPrompts(const PreparedScenario& p, const Machine& m, double promptTokens, const Serving& v, double addedS)
{
    const double idleS = v.work.besideS - v.work.passS * readingStages(m) - v.prefillPrompts * addedS - v.loadS;
    const double eachS = std::max(addedS, v.work.turn.ownS);
    if (!(idleS > 0) || !(eachS > 0))
        return 0;
    const double coming = comingPerPass(p, m, v.batch), taken = chunkPrompts(m, promptTokens, v.batch);
    const double others = v.prefillPrompts * (std::min(coming, taken) * readingStages(m) - 1);
    return v.work.writesBeside * std::clamp(others, 0.0, idleS / eachS);
}

/// How the prompts of v come to be read, by what each takes.
ReadingQueue readingOf(const InferenceWorkload& w, const Machine& m, const Serving& v)
{
    const RequestWork& work = v.work;
    const double ranks = m.sizes.attentionData;
    ReadingQueue q;
    q.arrivals = w.arrivalCv * w.arrivalCv;
    q.lengths = promptVariation(w);
    q.emptyPassS = togetherShare(v.batch) * work.passS; // a lone one writes while nobody else comes
    q.promptS = work.promptS;
    q.basePassS = work.sharedS;
    q.most = std::max(ranks, work.readInPass);
    // Each pass that reads prompts writes a token of every answer besides, where there is a place for one.
    const double passes = std::max(1.0, ranks / work.readInPass);
    const double besideS = m.engine.mixesPrompts ? togetherShare(v.mostBatch) * passes * work.passS : 0;
    // A longer prompt takes more chunks, so that those passes are part of what it takes.
    (passes > 1 && ranks == 1 ? q.promptS : q.basePassS) += besideS;
    return q;
}

/// A pass that writes answers takes a limited number of tokens, so that prompts are read one after the other.
bool limitsReading(const Machine& m)
{
    return m.passTokens > 0 && m.engine.mixesPrompts;
}

/// Nobody is served faster than full passes read prompts: whoever else is in flight waits before the first token.
void waitForReading(double out, Serving& v)
{
    const double tokensPerS = std::min(v.tokensPerS, out * v.work.reading.capacityPerS());
    v.ttftS += v.batch * out * (1 / tokensPerS - 1 / v.tokensPerS);
    v.tokensPerS = tokensPerS;
}

} // namespace

double chunksBeside(const Machine& m, double promptTokens, double batch) noexcept
{
    const double part = chunkPrompts(m, promptTokens, batch);
    return part < 1 && m.engine.mixesPrompts && !m.ideal ? std::ceil(1 / part) : 0;
}

double beforeReadingS(const PreparedScenario& p, const Machine& m, double batch) noexcept
{
    const double among = m.profile.firstTokenS;
    const double alone = std::min(among, p.calibration->inference.serving.lonelyFirstTokenS);
    return std::lerp(alone, among, togetherShare(batch, m.fewestInFlight));
}

double besideAnswers(double aloneS, double besideS, double batch) noexcept
{
    return std::lerp(aloneS, std::max(aloneS, besideS), togetherShare(batch));
}

PromptTurn Engine::turnOn(const Serving& v, double ranks, const PassCost& alonePrompt, double prompts) const noexcept
{
    const double batch = v.batch, decodeS = v.passS;
    if (!m.engine.mixesPrompts && !m.ideal) {
        const double read = separateS(p, m, std::max(batch, ranks), ranks, alonePrompt, m_prompts.draft);
        return {read, read, read, 0};
    }
    const double stages = readingStages(m);
    const PassShape alone = decodeShape(m, batch);
    PassShape mixed = alone;
    const double taken = std::min(prompts, chunkPrompts(m, m_prompts.tokens, batch));
    mixed.prompts = taken * m_prompts.one.prompts;
    mixed.each = m_prompts.one.each;
    mixed.length = m_prompts.one.length;
    mixed.cached = m_prompts.one.cached;
    mixed.held = m_prompts.one.held;
    mixed.ranks = std::max(alone.ranks, ranks);
    mixed.evenSequences = alone.evenSequences * alone.ranks / mixed.ranks;
    mixed.evenPrompts = ranks / mixed.ranks;
    double answersS = decodeS, answersHostS = 0; // the pass without prompts
    if (m.sizes.pipeline > 1) {
        const PassTime answers = passTimeBeside(m, p, alone);
        answersS = pacedS(m, answers, batch);
        answersHostS = pacedHostS(m, answers, batch);
    } else if (m.hostShare > 0) {
        answersHostS = hostReadS(m, *p.model, alone);
    }
    const double floorS = m.profile.launchS * p.model->layers;
    const double engineS = std::max(m.profile.decode * decodeS, floorS);
    // Where the pass waits for the host's launches anyway, a prompt fills that time first.
    const double idle = std::max(0.0, floorS / m.profile.decode - decodeS);
    const PassTime both = passTimeBeside(m, p, mixed);
    const double draftS = m_drafter ? taken * m_prompts.draft.total() : 0; // on the last stage alone
    const double longer = pacedS(m, both, batch) - answersS + draftS;
    const double kernels = std::max(0.0, m.profile.prefill * (longer - idle));
    const double launchS = addedLaunchesS(p, m, engineS);
    const double own = std::max(kernels, launchS);
    // What a decode pass reads from the host serves the prompts too; answers of one token have none.
    const double besideS = both.hostS > 0 ? pacedHostS(m, both, batch) : 0;
    const double withoutS = both.hostS > 0 ? decodingShare(p, m) * besideHost(m, v.stepS, answersHostS) : 0;
    const auto seen = [&](double takesS) {
        return both.hostS > 0 ? std::max(0.0, besideHost(m, v.stepS + takesS, besideS) - withoutS) : takesS;
    };
    const double added = seen(own);
    // One prompt alone waits for launches, too: what more add counts from there. Beside slow weights the first add
    // none.
    const double more = taken - 1, mean = added / taken, fewerS = seen(std::max(kernels / taken, launchS));
    const double last = more > 0 ? std::max(0.0, added - fewerS) / more : (own > 0 ? kernels / own : 1) * mean;
    const double slope = std::min(last, mean), each = taken * ranks * stages;
    return {added / each, own / each, slope / (ranks * stages), (added - slope * taken) / stages};
}

void Engine::addOpenWork(Serving& v) const noexcept
{
    const double ranks = m.sizes.attentionData;
    RequestWork& work = v.work;
    work.readInPass = ranks / passesPerPrompt(p, m, m_prompts.tokens, v.batch);
    work.fitInPass = work.readInPass;
    if (m.engine.mixesPrompts && m.passTokens <= 0) // kept full, it takes as many as come
        work.readInPass = std::max(work.readInPass, ranks * newcomersPerPass(p, m, v.mostBatch));
    // A pass takes longer by each rank that reads, and where it reads only, by each prompt: in a straight line.
    double most = ranks, mostS = 0, loneS = 0;
    work.sharedS = 0;
    if (m.engine.mixesPrompts) {
        // One meets those that come in the time of a pass beside itself.
        const double met = 1 + newcomersPerPass(p, m, v.batch);
        const PromptTurn all = turnOn(v, ranks, m_prompts.all, met);
        work.sharedS = all.fixedS;
        mostS = ranks * all.growsS;
        loneS = ranks > 1 ? turnOn(v, 1, m_prompts.lone, met).growsS : mostS;
        if (ranks <= 1 && p.model->experts > 0) { // which are read once, by several prompts as by one
            const double oneS = turnOn(v, ranks, m_prompts.all, 1).addedS;
            mostS = std::clamp((met * all.addedS - oneS) / (met - 1), 0.0, all.addedS);
            work.sharedS = (all.addedS - mostS) * met;
        }
    } else {
        most = std::max(ranks, std::floor(work.readInPass));
        mostS = most * separateS(p, m, most, ranks, m_prompts.all, m_prompts.draft);
        loneS = most > 1 ? separateS(p, m, 1, 1, m_prompts.lone, m_prompts.draft) : mostS;
    }
    work.promptS = most > 1 ? std::clamp((mostS - loneS) / (most - 1), 0.0, loneS) : mostS;
    work.sharedS += most > 1 ? loneS - work.promptS : 0;

    work.reading = readingOf(w, m, v);
}

void Engine::addWork(Serving& v, double requestsPerS) const noexcept
{
    const double passS = v.tpotS * m.speculation.tokens, ranks = m.sizes.attentionData, out = answerTokens(w);
    RequestWork& work = v.work;
    work.passes = requestPasses(p, m);
    work.answerS = work.passes * passS;
    work.othersWrite = othersWrite(p, m, v.batch);
    work.writesBeside = m.engine.mixesPrompts && !m.ideal ? work.othersWrite : 0;
    v.written = 1 - (1 - work.writesBeside) / out;
    work.ownPassS = (1 - work.writesBeside) * (passS - (m.ideal ? 0 : m.profile.stepS));
    work.passS = passS / readingStages(m);
    work.later = out - 1;
    work.leastS = leastCycleS(v);
    if ((w.requestsPerS || limitsReading(m)) && !m.ideal)
        addOpenWork(v);
    if (requestsPerS > 0)
        v.wait = promptWait(work, requestsPerS);
    // The pass that reads a prompt reads one on each rank beside it, as far as others have a place. Of the bound, one
    // request's whatever comes with it.
    v.prefillPrompts = requestsPerS > 0            ? std::min({ranks, 1 + v.wait.beside, v.mostBatch})
                       : m.ideal && w.requestsPerS ? 1
                                                   : std::min(v.batch, ranks);
    const PassCost prompt = m_prompts.beside(p, m, v.prefillPrompts);
    v.prefillS = promptTime(p, m, prompt);
    if (!(requestsPerS > 0))
        work.turn = turnOn(v, v.prefillPrompts, prompt, std::max(1.0, newcomersPerPass(p, m, v.batch)));
}

double Engine::addOwnPrompt(Serving& v, double addedS) const noexcept
{
    const ServingProfile& f = m.profile;
    // In chunks it takes as many passes, each with all the answers: the published bound is ⌈prompt ÷ (C − B)⌉·pass(C).
    const double chunks = chunksBeside(m, m_prompts.tokens, v.batch), besideS = v.tpotS * m.speculation.tokens;
    const double readS =
        chunks > 0 ? besideAnswers(v.prefillS, chunks * besideS + v.prefillPrompts * addedS, v.batch) : v.prefillS;
    v.loadS = loadS(readS, 1);
    const double promptS = readS + v.loadS;
    const double unmetS = m.sizes.attentionData > 1 ? promptTime(p, m, m_prompts.lone) : v.prefillS;
    const double unmetPromptS = unmetS + loadS(unmetS, 1), alone = unmetPromptS + f.stepS;
    const double own = std::max(alone, promptS + (chunks > 0 ? 0 : f.stepS));
    v.ttftAloneS = beforeReadingS(p, m, 1) + alone;
    v.ttftS = beforeReadingS(p, m, v.batch) + own;
    v.work.wholeS = std::max(v.prefillPrompts * addedS, promptS);
    v.work.loneS = std::max(v.work.addedS(1), unmetPromptS);
    // The pass that reads it writes a token of each answer in hand; so do those of its chunks, which have them in.
    const double mixedS = v.work.passS + v.prefillPrompts * addedS;
    v.work.besideS = m.engine.mixesPrompts && !(chunks > 0) ? std::max(own, mixedS + loadS(mixedS, 1)) : own;
    return own;
}

void Engine::joining(Serving& v, double loadPerS) const noexcept
{
    const double requestsPerS = loadPerS * m_others;
    v.tpotS = totalOf(v.time); // before others' prompts
    addWork(v, requestsPerS);
    RequestWork& work = v.work;
    const double out = answerTokens(w), among = togetherShare(v.batch);
    // Under a load the batch is the answers in hand, and those that are read are no part of it.
    const double beside = requestsPerS > 0 ? among : work.othersWrite;
    const double added = requestsPerS > 0 ? work.addedS(v.prefillPrompts) : work.turn.addedS;
    const double ownS = addOwnPrompt(v, added);
    // Prompts that are read in its own pass are met in it, and not once more.
    const double others =
        v.batch - v.prefillPrompts - (requestsPerS > 0 ? 0 : coveredPrompts(p, m, m_prompts.tokens, v, added));
    v.delay = {};
    // Under a load who waits for the link or the drives has no answer in hand: that is a queue of its own
    // (docs/method/tiers.md).
    const double linkS = requestsPerS > 0 ? 0 : tierCycleS(v), leastS = std::max(work.leastS, linkS);
    if (m.ideal) { // the bound leaves out waiting and interference: a request's own way, or the FLOP and bytes of all
        const double ownWayS = v.prefillS + v.loadS + work.answerS - work.ownPassS;
        v.tokensPerS = v.batch * out / boundedTime(ownWayS, leastS);
        return;
    }
    // Until the engine takes the request: half a pass, or half a cycle, unless it lets more of them go by.
    v.ttftS += beside * m.admissionWait * v.tpotS * m.speculation.tokens;
    if (requestsPerS > 0) {
        v.delay = openDelay(work, v.wait, v.most, requestsPerS);
    } else if (among > 0) {
        const double before = waitsBefore(p, m, m_prompts.tokens, v.batch, others);
        // The more are in flight, the more passes they share, and a prompt adds less; yet fewer never wait longer.
        v.delay = {std::min(before * work.turn.ownS, v.most.beforeS), (others - before) * added};
    }
    v.ttftS += beside * (work.besideS - ownS) + v.delay.beforeS + v.delay.besideS;
    if (work.later > 0)
        v.time[static_cast<std::size_t>(TimePart::PrefillInterference)] = v.delay.afterS / work.later;
    v.tpotS = totalOf(v.time);
    // Little's law: a request is in flight until its first token, of which nothing is hidden where it is alone, for its
    // further passes, and meets the others' prompts once each.
    const double firstS = std::lerp(work.wholeS + m.profile.stepS, work.besideS, work.writesBeside);
    const double cycleS = others * added + firstS + work.answerS - work.answerS / work.passes;
    if (linkS > 0) // where the link or the drives are slower than all of it, requests wait for them
        v.ttftS += std::max(0.0, linkS - cycleS);
    v.tokensPerS =
        requestsPerS > 0 ? openTokensPerS(v.batch, work, v.delay) : v.batch * out / boundedTime(cycleS, leastS);
    if (limitsReading(m) && !(requestsPerS > 0))
        waitForReading(out, v);
}

} // namespace headroom::inference
