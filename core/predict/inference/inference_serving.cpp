// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_engine.hpp"

#include "core/hardware/bound.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::inference
{
namespace
{

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

/// Tokens that an answer is written for: a cycle of drafts counts whole, even where it accepts more than are wanted.
double writtenTokens(const PreparedScenario& p, const Machine& m)
{
    return std::max(real(p.inference.outputTokens), m.speculation.tokens);
}

/// Prompts that enter a decode pass together, per attention-data rank. A pass takes one prompt while requests end more
/// slowly than passes begin; beyond that the newcomers share passes. The ratio weighs work as the profile does, so that
/// the decode pass never enters the mean time of a token with a negative weight: TPOT = kd·P + c·(M − P)/n with
/// c = kp·B/out, hence n ≥ c/kd. At n = 1 this is the published formula (docs/method/serving.md).
double promptsPerPass(const PreparedScenario& p, const Machine& m, double batch, double stages)
{
    const double share = std::min(batch, m.sizes.attentionData) * stages;
    const double weight = std::max(1.0, m.profile.prefill / m.profile.decode);
    const double passes = writtenTokens(p, m) / m.speculation.tokens; // of one request
    return std::max(1.0, weight * batch / (passes * share));
}

/// Prompts, or the part of one, that a pass takes beside the answers of `batch` sequences; infinite without a limit.
double chunkPrompts(const PreparedScenario& p, const Machine& m, double batch)
{
    if (m.passTokens <= 0)
        return std::numeric_limits<double>::infinity();
    const double answers = onFullestRank(m, batch) * m.speculation.verified();
    return std::max(1.0, m.passTokens - answers) / promptLength(p.inference);
}

/// Passes that a rank takes for a prompt where others wait behind it; below 1 where several share a pass.
double passesPerPrompt(const PreparedScenario& p, const Machine& m, double batch)
{
    const double part = chunkPrompts(p, m, batch), together = p.calibration->inference.serving.togetherTokens;
    return std::isfinite(part) ? 1 / part : std::min(1.0, promptLength(p.inference) / together);
}

/// The engine's time for a pass that holds prompts: no less than the hardware or the host that launches it needs.
double promptTime(const PreparedScenario& p, const Machine& m, const PassCost& pass)
{
    const double time = std::max(boundedTime(m.profile.prefill * pass.total(), pass.light()),
                                 m.profile.promptLaunchS * p.model->layers);
    return pass.hostS > 0 ? besideHost(m, time, pass.hostS) : time;
}

/// Engine's time for one of `prompts` prompts of a pass where such passes follow one another through `stages` stages:
/// layers of several kinds keep one of these busy for longer than the others.
double busyPromptS(const PreparedScenario& p, const Machine& m, const PassCost& pass, double prompts, double stages)
{
    if (stages <= 1 || pass.slowestS <= 0)
        return promptTime(p, m, pass) / (prompts * stages);
    const double pace = boundedTime(m.profile.prefill * pass.slowestS, pass.light() / stages);
    const double time = std::max(pace, m.profile.promptLaunchS * p.model->layers * m.sizes.fullestShare);
    return (pass.hostS > 0 ? besideHost(m, time, pass.slowestHostS) : time) / prompts;
}

/// Engine's time for one of many prompts that have passes of their own: short ones share a pass, at most `most`.
/// `prompt` is the pass of one on each of `ranks`, known already and before the profile's factors; `draft` what drafts
/// adds to it.
double separateS(const PreparedScenario& p, const Machine& m, double most, double ranks, const PassCost& prompt,
                 const PassCost& draft)
{
    const double stages = m.engine.splitsLayers ? 1 : m.sizes.pipeline;
    const double together = p.calibration->inference.serving.togetherTokens;
    const double n = std::max(1.0, std::min(most, std::floor(together / promptLength(p.inference))));
    const double perRank = std::max(1.0, n / m.sizes.attentionData);
    const double even = ranks / m.sizes.attentionData;
    if (perRank == 1 && m.sizes.pipeline <= 1)
        return busyPromptS(p, m, prompt, ranks, stages);
    PassCost pass = chunkedPrefill(p, m, perRank, m.engine.chunkTokens, false, even);
    pass.add(draft, perRank);
    return busyPromptS(p, m, pass, perRank * ranks, stages);
}

/// What one newcomer's prefill adds to the engine's work where a pass reads one on each of so many ranks, s.
struct Newcomer {
    double addedS = 0, ownS = addedS; ///< own: the same where reading weights from the host hides none of it
};

Newcomer newcomer(const PreparedScenario& p, const Machine& m, const Serving& v, double ranks,
                  const PassCost& alonePrompt, const PassCost& draft)
{
    const double batch = v.batch, decodeS = v.passS;
    if (m.engine.mixesPrompts || m.ideal) {
        const double stages = m.engine.splitsLayers ? 1 : m.sizes.pipeline;
        const PassShape alone = decodeShape(p, m, batch);
        PassShape mixed = alone;
        const PassShape prompt = promptShape(p, m, 1);
        mixed.prompts = std::min(promptsPerPass(p, m, batch, stages), chunkPrompts(p, m, batch));
        mixed.length = prompt.length;
        mixed.cached = prompt.cached;
        mixed.ranks = std::max(alone.ranks, ranks);
        mixed.evenSequences = alone.evenSequences * alone.ranks / mixed.ranks;
        mixed.evenPrompts = ranks / mixed.ranks;
        const bool piped = m.sizes.pipeline > 1;
        const PassCost answers = piped ? passCost(m, p, alone) : PassCost();
        const double floorS = m.profile.launchS * p.model->layers;
        const double engineS = std::max(m.profile.decode * decodeS, floorS);
        // Where the pass waits for the host's launches anyway, a prompt fills that time first.
        const double idle = std::max(0.0, floorS / m.profile.decode - decodeS);
        const PassCost both = passCost(m, p, mixed);
        const double longer = pacedS(m, both, batch) - (piped ? pacedS(m, answers, batch) : decodeS) +
                              mixed.prompts * draft.total(); // which lies on the last stage alone
        const double own =
            std::max({0.0, m.profile.prefill * (longer - idle), m.profile.promptLaunchS * p.model->layers - engineS});
        // What a decode pass reads from the host serves the prompts too.
        double added = own;
        if (both.hostS > 0) {
            const double aloneS = piped ? pacedHostS(m, answers, batch) : hostReadS(m, *p.model, alone);
            added = std::max(0.0,
                             besideHost(m, v.stepS + own, pacedHostS(m, both, batch)) - besideHost(m, v.stepS, aloneS));
        }
        const double each = mixed.prompts * ranks * stages;
        return {added / each, own / each};
    }
    return {separateS(p, m, std::max(batch, ranks), ranks, alonePrompt, draft)};
}

/// The profile's step from the pass: kd·t_d or the launch floor, and the host's own time.
void addStep(const PreparedScenario& p, const Machine& m, Serving& v)
{
    const ServingProfile& f = m.profile;
    const double all = v.passS = v.decode.total();
    const double factor = all > 0 ? boundedTime(f.decode * all, v.decode.light()) / all : f.decode;
    double pass = 0;
    for (std::size_t i = 0; i < v.time.size(); ++i) {
        v.time[i] = factor * v.decode.time[i];
        pass += v.time[i];
    }
    const double floor = std::max(0.0, f.launchS * p.model->layers - pass);
    v.time[static_cast<std::size_t>(TimePart::Host)] += floor + f.stepS + f.sequenceS * onFullestRank(m, v.batch);
    if (v.decode.hostS > 0) {
        v.stepS = totalOf(v.time);
        v.time[static_cast<std::size_t>(TimePart::HostLink)] = besideHost(m, v.stepS, v.decode.hostS) - v.stepS;
    }
}

/// From the verifying pass, with the host's time of a step, to one output token of a speculative cycle.
void speculate(const PreparedScenario& p, const Machine& m, const Drafter& drafter, Serving& v)
{
    const Speculation& s = m.speculation;
    const PassCost draft = drafter.pass(decodeShape(p, m, v.batch));
    const double groups = microBatches(m, v.batch);
    v.verifyS = totalOf(v.time);
    const double oneS = std::max(boundedTime(m.profile.decode * draft.total(), draft.light()), s.host.draftS);
    v.draftS = s.passes * groups * oneS;
    v.time[static_cast<std::size_t>(TimePart::Draft)] = v.draftS;
    v.acceptS = s.host.verifyS + s.host.sequenceS * onFullestRank(m, v.batch);
    v.time[static_cast<std::size_t>(TimePart::Host)] += v.acceptS;
    for (double& part : v.time)
        part /= s.tokens;
    PassCost cycle;
    cycle.add(v.decode, 1 / s.tokens);
    cycle.add(draft, s.passes * groups / s.tokens);
    v.decode = cycle;
}

/// Passes of a request: the first reads its prompt.
double requestPasses(const PreparedScenario& p, const Machine& m)
{
    return 1 + (real(p.inference.outputTokens) - 1) / m.speculation.tokens;
}

/// Of the prompts of `others` requests, how many a request waits for before its first token; the rest slow its later
/// ones. As many requests come in a pass as end in it: those that come with it are read with its own prompt. Requests
/// of one length that begin together end together and meet again: a few stay in one wave, however many there are, and
/// of all others the share φ falls before the first token. A wave keeps together where a pass takes two of its prompts.
/// Bursts are whole waves; an engine whose prompts have passes of their own takes a wave in one pass.
double waitsBefore(const PreparedScenario& p, const Machine& m, double batch, double others)
{
    const ServingConstants& c = p.calibration->inference.serving;
    const double wave = c.waveRequests * std::min(1.0, c.togetherTokens / promptLength(p.inference) / 2);
    const bool meets = m.engine.mixesPrompts && p.inference.arrival != Arrival::Burst;
    const double together = batch / requestPasses(p, m) - (batch - others);
    return std::max(std::lerp(meets ? wave * -std::expm1(-others / wave) : 0, others, m.profile.phi), together);
}

} // namespace

double decodeStepS(const PreparedScenario& p, const Machine& m, double batch) noexcept
{
    Serving v;
    v.batch = batch;
    v.decode = decodePass(p, m, batch);
    addStep(p, m, v);
    return totalOf(v.time);
}

double firstTokenAlone(const PreparedScenario& p, const Machine& m) noexcept
{
    const double t0 = std::min(m.profile.firstTokenS, p.calibration->inference.serving.lonelyFirstTokenS);
    return t0 + promptTime(p, m, prefillPass(p, m, 1)) + m.profile.stepS;
}

double promptsTime(const PreparedScenario& p, const Machine& m, double prompts) noexcept
{
    return promptTime(p, m, prefillPass(p, m, prompts));
}

double pooledPromptS(const PreparedScenario& p, const Machine& m, double prompts) noexcept
{
    const double stages = m.engine.splitsLayers ? 1 : m.sizes.pipeline, ranks = m.sizes.attentionData;
    const double perRank = std::max(1.0, prompts / ranks);
    const double readers = std::min(prompts, ranks);
    const PassCost pass = chunkedPrefill(p, m, perRank, m.engine.chunkTokens, false, readers / ranks);
    return busyPromptS(p, m, pass, perRank * readers, stages);
}

double chunksBeside(const PreparedScenario& p, const Machine& m, double batch) noexcept
{
    const double part = chunkPrompts(p, m, batch);
    return part < 1 && !m.ideal ? std::ceil(1 / part) : 0;
}

double besideAnswers(double aloneS, double besideS, double batch) noexcept
{
    return std::lerp(aloneS, std::max(aloneS, besideS), std::clamp(batch - 1, 0.0, 1.0));
}

void Engine::serve(double batch, Serving& v, double requestsPerS) const noexcept
{
    v.batch = batch;
    v.decode = decodePass(p, m, batch);
    addStep(p, m, v);
    if (m_drafter)
        speculate(p, m, *m_drafter, v);
    switch (w.scheduling) {
    case Scheduling::Static:
        return together(v);
    case Scheduling::Continuous:
        return joining(v, requestsPerS);
    case Scheduling::Disaggregated:
        return apart(v);
    }
}

double Engine::poolPromptS() const noexcept
{
    const double endless = std::numeric_limits<double>::infinity();
    const double read = separateS(p, m, endless, m.sizes.attentionData, m_prompt, m_draftPrompt);
    return m_load ? std::max(read, m_load->busyS() / m.sizes.attentionData) : read;
}

double Engine::leastCycleS(const Serving& v) const noexcept
{
    const double rank = v.batch / m.sizes.attentionData, stages = m.sizes.pipeline;
    const double passes = writtenTokens(p, m) * microBatches(m, v.batch) / stages;
    double least = std::max(rank / stages * m_prompt.lightComputeS + passes * v.decode.lightComputeS,
                            passes * v.decode.lightMemoryS);
    if (m_load) // the host link carries the cache of every prompt, and the weights of every pass
        least = std::max({least, rank * m_load->linkS + passes * v.decode.hostS, rank * m_load->nvmeS});
    return least;
}

void Engine::together(Serving& v) const noexcept
{
    v.longestAnswer = longestAnswer(w, v.batch, p.model->architecture.maxContext);
    v.prefillPrompts = v.batch;
    PassCost prompts = prefillPass(p, m, v.batch);
    if (m_drafter && !m.ideal)
        prompts.add(m_drafter->pass(promptShape(p, m, onFullestRank(m, v.batch))), 1);
    v.prefillS = promptTime(p, m, prompts);
    v.tpotS = totalOf(v.time);
    v.loadS = loadS(v.prefillS, onFullestRank(m, v.batch));
    v.ttftS = v.prefillS + v.loadS + m.profile.stepS + m.profile.firstTokenS;
    // After the prompts' own token, until the longest answer is written: a cycle of drafts counts whole.
    const double later = v.longestAnswer > 1 ? std::max(v.longestAnswer - 1, m.speculation.tokens) : 0;
    v.tokensPerS = v.batch * real(w.outputTokens) / (v.ttftS + later * v.tpotS);
}

void Engine::joining(Serving& v, double requestsPerS) const noexcept
{
    const ServingProfile& f = m.profile;
    const double out = real(w.outputTokens), step = totalOf(v.time);
    const double lonely = std::min(f.firstTokenS, p.calibration->inference.serving.lonelyFirstTokenS);
    // Each pass that reads prompts writes a token of every answer besides.
    const double beside = m.engine.mixesPrompts ? passesPerPrompt(p, m, v.batch) * step : 0;
    const double stages = m.engine.splitsLayers ? 1 : m.sizes.pipeline;
    const auto turnOf = [&](double ranks, const PassCost& prompt) {
        const auto [addedS, ownS] = newcomer(p, m, v, ranks, prompt, m_draftPrompt);
        return PromptTurn{ranks, addedS, addedS + beside / (ranks * stages), ownS};
    };
    const bool spread = m.sizes.attentionData > 1;
    v.prefillPrompts = std::min(v.batch, m.sizes.attentionData);
    PassCost prompt = promptPass(v.prefillPrompts);
    PromptTurn turn = turnOf(v.prefillPrompts, prompt);
    v.work.turn = v.work.loneTurn = turn;
    if (spread && w.requestsPerS && !m.ideal) { // what comes decides how many ranks read at once
        v.work.loneTurn = turnOf(1, m_lonePrompt);
        if (v.batch < m.sizes.attentionData)
            v.work.turn = turnOf(m.sizes.attentionData, m_prompt);
    }
    if (spread && requestsPerS > 0) {
        v.wait = promptWait(v.work, requestsPerS);
        turn = v.work.turnOf(v.prefillPrompts = v.wait.readers);
        prompt = promptPass(v.prefillPrompts);
    }
    if (spread && m.ideal && w.requestsPerS) // a bound of one request, whatever comes beside it
        prompt = promptPass(v.prefillPrompts = 1);
    v.prefillS = promptTime(p, m, prompt);
    const double added = turn.addedS;
    // Less than two in flight is now one, now two: the share of the latter.
    const double among = std::clamp(v.batch - 1, 0.0, 1.0);
    // The pass that reads a prompt reads one on each rank beside it: those are met in it, and not once more.
    const double read = v.prefillPrompts, others = v.batch - read;
    // In chunks it takes as many steps, each with all the answers: the published bound is ⌈prompt ÷ (C − B)⌉·pass(C).
    const double chunks = chunksBeside(p, m, v.batch);
    const double readS = chunks > 0 ? besideAnswers(v.prefillS, chunks * step + read * added, v.batch) : v.prefillS;
    v.loadS = loadS(readS, 1);
    const double promptS = readS + v.loadS;
    const double unmetS = spread ? promptTime(p, m, m_lonePrompt) : v.prefillS;
    const double unmetPromptS = unmetS + loadS(unmetS, 1), alone = unmetPromptS + f.stepS;
    const double own = std::max(alone, promptS + (chunks > 0 ? 0 : f.stepS));
    v.ttftAloneS = lonely + alone;
    v.ttftS = std::lerp(lonely, f.firstTokenS, among) + own;
    v.work.wholeS = std::max(read * added, promptS);
    v.work.loneS = spread ? std::max(v.work.loneTurn.addedS, unmetPromptS) : v.work.wholeS;
    v.work.answerS = writtenTokens(p, m) * step;
    v.work.passes = requestPasses(p, m);
    v.work.later = out - 1;
    v.work.leastS = leastCycleS(v);
    v.delay = {};
    if (m.ideal) { // the bound leaves out waiting and interference: both can hide, all other prompts behind its own
        const double promptsS = std::max(v.batch * added, v.work.wholeS);
        v.tpotS = totalOf(v.time);
        v.tokensPerS = v.batch * out / boundedTime(promptsS + v.work.answerS, v.work.leastS);
        return;
    }
    if (requestsPerS > 0) {
        v.delay = openDelay(v.work, v.most, requestsPerS);
    } else if (among > 0) {
        const double before = waitsBefore(p, m, v.batch, others);
        // The more are in flight, the more passes they share, and a prompt adds less; yet fewer never wait longer.
        v.delay = {std::min(before * turn.ownS, v.most.beforeS), (others - before) * added};
    }
    // Until the engine takes the request: half a pass, or half a cycle, unless it lets more of them go by.
    v.ttftS += among * m.admissionWait * step * m.speculation.tokens + v.delay.beforeS + v.delay.besideS;
    if (v.work.later > 0)
        v.time[static_cast<std::size_t>(TimePart::PrefillInterference)] = v.delay.afterS / v.work.later;
    v.tpotS = totalOf(v.time);
    if (requestsPerS > 0) {
        v.tokensPerS = openTokensPerS(v.batch, v.work, v.delay);
        return;
    }
    // Little's law: a request is in flight for its own prompt's whole way, of which nothing is hidden where it is
    // alone, and meets the others' once each.
    v.tokensPerS = v.batch * out / boundedTime(others * added + v.work.wholeS + v.work.answerS, v.work.leastS);
}

void Engine::apart(Serving& v) const noexcept
{
    const double wanted = real(w.outputTokens) / writtenTokens(p, m); // of the tokens written
    if (m_pool) {
        v.prefillS = m_pool->passS;
        v.prefillPrompts = m_pool->prompts;
        v.tpotS = totalOf(v.time);
        v.loadS = m_pool->loadS;
        v.ttftS = m_pool->firstTokenS();
        v.tokensPerS = v.batch / v.tpotS * wanted;
        return;
    }
    v.prefillS = promptTime(p, m, promptPass(v.batch));
    v.prefillPrompts = std::min(v.batch, m.sizes.attentionData);
    v.tpotS = totalOf(v.time);
    v.loadS = loadS(v.prefillS, 1);
    v.ttftS = m.profile.firstTokenS + v.prefillS + v.loadS + m.profile.stepS;
    // The rest reads prompts as fast as answers are written, and under a load is busy for nine tenths of the time, or
    // as much more as the whole is: prompts then wait briefly.
    constexpr double busyPool = 0.9;
    const double promptS = poolPromptS();
    const double prompts = v.batch / v.tpotS / writtenTokens(p, m) * promptS; // pool per decoding device
    v.decodeShare = v.fullShare > 0 ? std::max(v.fullShare, 1 / (1 + prompts / busyPool)) : 1 / (1 + prompts);
    // What waits to be read waits for as many readers as a full batch has.
    v.readerShare = 1 - (v.fullShare > 0 ? v.fullShare : v.decodeShare);
    v.work.turn.turnS = promptS / v.readerShare;
    v.tokensPerS = v.decodeShare * v.batch / v.tpotS * wanted;
}

} // namespace headroom::inference
