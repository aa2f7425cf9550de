// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_engine.hpp"

#include "core/hardware/bound.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::inference
{
namespace
{

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

/// The pass of `prompts` prompts of a rank, of many that follow one another. Stages that work on one pass at a time
/// have it to themselves.
PassCost promptsInTurn(const PreparedScenario& p, const Machine& m, double prompts, double even)
{
    return readingStages(m) <= 1 ? lonePrefill(p, m, prompts, even)
                                 : chunkedPrefill(p, m, prompts, m.engine.chunkTokens, false, even);
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
void speculate(const Machine& m, const Drafter& drafter, Serving& v)
{
    const Speculation& s = m.speculation;
    const PassCost draft = drafter.pass(decodeShape(m, v.batch));
    const double groups = microBatches(m, v.batch);
    v.verifyS = totalOf(v.time);
    const double kernelsS = draft.time[static_cast<std::size_t>(TimePart::Draft)];
    const double oneS = std::max(boundedTime(m.profile.decode * kernelsS, draft.light()), s.host.draftS);
    v.draftS = s.passes * groups * oneS;
    v.time[static_cast<std::size_t>(TimePart::Draft)] = v.draftS;
    v.acceptS = s.host.verifyS + s.host.sequenceS * onFullestRank(m, v.batch);
    v.time[static_cast<std::size_t>(TimePart::Host)] += v.acceptS;
    const double share = 1 / s.tokens;
    for (double& part : v.time)
        part *= share;
    v.decode.scale(share);
    v.decode.add(draft, TimePart::Draft, s.passes * groups * share);
}

/// Passes that follow one another have the host's step each, as those of a pool of its own size: a prompt's share.
double hostPerPromptS(const PreparedScenario& p, const Machine& m)
{
    const double together = std::floor(p.calibration->inference.serving.togetherTokens / promptLength(p.inference));
    return m.profile.stepS / std::max(m.sizes.attentionData, together);
}

} // namespace

double promptTime(const PreparedScenario& p, const Machine& m, const PassCost& pass) noexcept
{
    const double time = std::max(boundedTime(m.profile.prefill * pass.total(), pass.light()),
                                 m.profile.promptLaunchS * p.model->layers);
    return pass.hostS > 0 ? besideHost(m, time, pass.hostS) : time;
}

double separateS(const PreparedScenario& p, const Machine& m, double most, double ranks, const PassCost& prompt,
                 const PassCost& draft) noexcept
{
    const double stages = readingStages(m);
    const double together = p.calibration->inference.serving.togetherTokens;
    const double n = std::max(1.0, std::min(most, std::floor(together / promptLength(p.inference))));
    const double perRank = std::max(1.0, n / m.sizes.attentionData);
    const double even = ranks / m.sizes.attentionData;
    if (perRank == 1 && stages <= 1)
        return busyPromptS(p, m, prompt, ranks, stages);
    PassCost pass = promptsInTurn(p, m, perRank, even);
    pass.add(draft, perRank);
    return busyPromptS(p, m, pass, perRank * ranks, stages);
}

double decodeStepS(const PreparedScenario& p, const Machine& m, double batch) noexcept
{
    Serving v;
    v.batch = batch;
    v.decode = decodePass(p, m, batch);
    addStep(p, m, v);
    return totalOf(v.time);
}

double promptsTime(const PreparedScenario& p, const Machine& m, double prompts, const PassCost& drafts) noexcept
{
    PassCost pass = prefillPass(p, m, prompts);
    pass.add(drafts, 1);
    return promptTime(p, m, pass);
}

double pooledPromptS(const PreparedScenario& p, const Machine& m, double prompts, const Drafter* drafter) noexcept
{
    const double stages = readingStages(m), ranks = m.sizes.attentionData;
    const double perRank = std::max(1.0, prompts / ranks);
    const double readers = std::min(prompts, ranks);
    PassCost pass = promptsInTurn(p, m, perRank, readers / ranks);
    if (drafter)
        pass.add(drafter->prompts(p, perRank), 1);
    return busyPromptS(p, m, pass, perRank * readers, stages);
}

void Engine::serve(double batch, Serving& v, double requestsPerS) const noexcept
{
    v.batch = batch;
    v.decode = decodePass(p, m, batch);
    addStep(p, m, v);
    if (m_drafter)
        speculate(m, *m_drafter, v);
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
    const double endless = std::numeric_limits<double>::infinity(), ranks = m.sizes.attentionData;
    const double read = separateS(p, m, endless, ranks, m_prompts.all, m_prompts.draft) + hostPerPromptS(p, m);
    return m_load ? std::max(read, m_load->busyS() / ranks) : read;
}

double Engine::leastCycleS(const Serving& v) const noexcept
{
    const double rank = v.batch / m.sizes.attentionData, stages = m.sizes.pipeline;
    const double passes = (answerTokens(w) - 1 + v.work.writesBeside) * microBatches(m, v.batch) / stages;
    return std::max(rank / stages * m_prompts.all.lightComputeS + passes * v.decode.lightComputeS,
                    passes * v.decode.lightMemoryS);
}

double Engine::tierCycleS(const Serving& v) const noexcept
{
    if (!m_load || !(m_load->bytes > 0))
        return 0;
    const double rank = v.batch / m.sizes.attentionData;
    const double passes = answerTokens(w) * microBatches(m, v.batch) / m.sizes.pipeline;
    return std::max(rank * m_load->linkS + passes * v.decode.hostS, rank * m_load->nvmeS);
}

void Engine::together(Serving& v) const noexcept
{
    v.prefillPrompts = v.batch;
    PassCost prompts = prefillPass(p, m, v.batch);
    if (m_drafter)
        prompts.add(m_drafter->prompts(p, onFullestRank(m, v.batch)), 1);
    v.prefillS = promptTime(p, m, prompts);
    v.tpotS = totalOf(v.time);
    v.loadS = loadS(v.prefillS, onFullestRank(m, v.batch));
    v.ttftS = v.prefillS + v.loadS + m.profile.stepS + m.profile.firstTokenS;
    // After the prompts' own token, until the longest answer is written.
    const double later = longestAnswer(w, v.batch, p.model->architecture.maxContext) - 1;
    v.written = later / answerTokens(w);
    v.tokensPerS = v.batch * answerTokens(w) / (v.ttftS + later * v.tpotS);
}

void Engine::apart(Serving& v) const noexcept
{
    // The first token comes from whoever reads the prompt.
    const double out = answerTokens(w);
    v.written = std::max(1.0, out - 1) / out;
    if (m_pool) {
        v.prefillS = m_pool->passS;
        v.prefillPrompts = m_pool->prompts;
        v.tpotS = totalOf(v.time);
        v.loadS = m_pool->loadS;
        v.ttftS = beforeReadingS(p, m, v.batch) + m_pool->firstTokenS();
        v.tokensPerS = v.batch / (v.written * v.tpotS);
        return;
    }
    v.prefillS = promptTime(p, m, m_prompts.beside(p, m, v.batch));
    v.prefillPrompts = std::min(v.batch, m.sizes.attentionData);
    v.tpotS = totalOf(v.time);
    v.loadS = loadS(v.prefillS, 1);
    v.ttftS = beforeReadingS(p, m, v.batch) + v.prefillS + v.loadS + m.profile.stepS;
    // The rest reads prompts as fast as answers are written, and under a load is busy for nine tenths of the time, or
    // as much more as the whole is: prompts then wait briefly.
    constexpr double busyPool = 0.9;
    const double promptS = poolPromptS();
    const double tokensPerS = v.batch / (v.written * v.tpotS);
    const double prompts = tokensPerS / out * promptS; // pool per decoding device
    v.decodeShare = v.fullShare > 0 ? std::max(v.fullShare, 1 / (1 + prompts / busyPool)) : 1 / (1 + prompts);
    // What waits to be read waits for as many readers as a full batch has.
    v.readerShare = 1 - (v.fullShare > 0 ? v.fullShare : v.decodeShare);
    v.readerTurnS = promptS / v.readerShare;
    v.tokensPerS = v.decodeShare * tokensPerS;
}

} // namespace headroom::inference
