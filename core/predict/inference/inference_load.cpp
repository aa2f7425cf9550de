// SPDX-License-Identifier: GPL-3.0-or-later
// How many sequences are in flight: as many as asked for, or as the load keeps there.
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_met.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::inference
{

double passLimit(const PreparedScenario& p, const Machine& m) noexcept
{
    const InferenceWorkload& w = p.inference;
    if (m.passTokens <= 0 || w.scheduling != Scheduling::Continuous || !m.engine.mixesPrompts)
        return std::numeric_limits<double>::infinity();
    // The pass that reads the last of a prompt gives the first token.
    const double later = (answerTokens(w) - 1) / m.speculation.tokens;
    const double reads = m.passTokens / (promptLength(w) + m.speculation.verified() * later); // prompts of a full pass
    return (std::max(1.0, reads) + reads * later) * m.sizes.attentionData; // in the mean, now more and now fewer
}

namespace
{

/// Requested and running sequences: beyond the cache they wait.
void chooseBatch(const PreparedScenario& p, const Machine& m, const MemoryPlan& memory, Serving& v)
{
    const InferenceWorkload& w = p.inference;
    const double wanted = w.batchMax ? p.calibration->inference.serving.mostSequences : std::max(1.0, real(w.batch));
    const double pass = passLimit(p, m);
    v.mostBatch = std::max(1.0, std::min({wanted, memory.maxBatch, pass})); // as if one fitted, where none does
    if (pass < std::min(wanted, memory.maxBatch))
        v.limit = BatchLimit::Pass;
    else if (w.batchMax ? wanted < memory.maxBatch : wanted > v.mostBatch)
        v.limit = w.batchMax ? BatchLimit::Most : BatchLimit::Memory;
    if (!w.batchMax)
        v.waiting = wanted / v.mostBatch - 1;
}

} // namespace

double placeS(const PreparedScenario& p, const Serving& v) noexcept
{
    return v.batch * v.decodeShare * answerTokens(p.inference) / v.tokensPerS;
}

Growth growthOf(const PreparedScenario& p, const Machine& m) noexcept
{
    return m.engine.chunkTokens > 0 && p.inference.scheduling != Scheduling::Disaggregated ? Growth::Steps
                                                                                           : Growth::Straight;
}

bool takesLoads(const PreparedScenario& p, const Machine& m) noexcept
{
    return p.inference.scheduling == Scheduling::Continuous && !m.ideal;
}

void allowAllBefore(Serving& v) noexcept
{
    v.most.beforeS = (v.mostBatch - 1) * v.work.addedS(v.work.reading.most);
    v.most.places = v.mostBatch;
}

namespace
{

/// Share in which answers that begin together end in passes of their own. Those of one length end together and meet
/// again, in waves that one pass reads.
double endApart(const InferenceWorkload& w, const RequestWork& work)
{
    return std::min(1.0, std::sqrt(outputSpread(w).squared.value_or(1)) * (work.passes - 1));
}

/// Of `v`, kept full by requests in turn: what it serves where they come when they come. Answers then end one by one,
/// and as many prompts are read in the next pass, of which few share one. No more than in turn.
void endOneByOne(const PreparedScenario& p, const Machine& m, Serving& v)
{
    const RequestWork& work = v.work;
    const InferenceWorkload& w = p.inference;
    if (!m.engine.mixesPrompts) // what is served and what waits to be read know one capacity
        v.tokensPerS = std::min(v.tokensPerS, answerTokens(w) * work.reading.capacityPerS());
    // Prompts that are mixed into the passes of one rank are counted so already.
    const double apart = !m.engine.mixesPrompts ? endApart(w, work) : m.sizes.attentionData > 1 ? 1 : 0;
    if (!(apart > 0) || !(work.later > 0))
        return;
    const double stages = readingStages(m);
    const double ends = v.batch / (work.passes * stages); // in a pass, where as many begin
    const double reading = std::max(-std::expm1(-ends), ends / std::max(1.0, work.readInPass)); // passes, of each
    const double readS = reading * work.sharedS + ends * work.promptS;
    const double tokensPerS = answerTokens(w) * ends / (work.passS + readS);
    if (!(tokensPerS < v.tokensPerS))
        return;
    v.tokensPerS = std::lerp(v.tokensPerS, tokensPerS, apart);
    v.delay.afterS = std::lerp(v.delay.afterS, (work.passes - 1) * stages * readS, apart);
    v.time[static_cast<std::size_t>(TimePart::PrefillInterference)] = v.delay.afterS / work.later;
    v.tpotS = totalOf(v.time);
}

} // namespace

Serving serveFull(const PreparedScenario& p, const Machine& m, const MemoryPlan& memory, const Engine& engine) noexcept
{
    Serving v;
    chooseBatch(p, m, memory, v);
    engine.serve(v.mostBatch, v);
    if (meetsOthers(p, m))
        endOneByOne(p, m, v);
    v.inHand = v.passBatch = v.batch;
    v.fullShare = v.decodeShare;
    v.fullTokensPerS = v.tokensPerS;
    v.fullTpotS = v.tpotS;
    v.fullTtftS = v.ttftS;
    v.most = v.delay;
    return v;
}

namespace
{

/// Without a load the requests that do not run wait for those that do: in a static batch for half of the further waves.
/// The bound leaves out what others' prompts cost those that run.
void addWaiting(const PreparedScenario& p, const Machine& m, Serving& v)
{
    const Scheduling scheduling = p.inference.scheduling;
    const double alone = v.ttftS + (answerTokens(p.inference) - 1) * v.tpotS;
    v.ttftS += (scheduling == Scheduling::Static ? v.waiting / 2 : v.waiting) *
               (m.ideal && scheduling == Scheduling::Continuous ? alone : placeS(p, v));
}

/// The batch that keeps up with `wanted` tokens a second; `v` has the full one, and serves more. `perS`: of requests
/// that come when they come, or 0.
void carryLoad(const PreparedScenario& p, const Machine& m, const Engine& engine, Serving& v, double wanted,
               double perS, ServeCurve* curve)
{
    if (perS > 0) {
        allowAllBefore(v);
        v.tokensPerS = std::max(wanted, engine.openTokensPerS(v.batch, v.work, v.most, perS));
        return meetLoad(p, m, engine, v, {wanted, perS}, curve);
    }
    const auto lacks = [wanted](const Serving& s) { return answersInHand(s, wanted) - s.batch; };
    carry(engine, lacks, v, growthOf(p, m), 0, curve);
    // Of those that meet, each takes longer, and the replica no more: one after the other would keep it busy so long.
    v.busy = std::min(1.0, wanted / (v.loneTokensPerS * v.decodeShare));
}

} // namespace

void ServeCurve::add(const Serving& v) noexcept
{
    constexpr double apart = 0.01; // of the batch
    const auto end = samples.begin() + static_cast<std::ptrdiff_t>(count);
    const auto near = std::find_if(samples.begin(), end,
                                   [&v](const Sample& one) { return std::abs(one.batch - v.batch) < apart * v.batch; });
    if (near == samples.end())
        return;
    *near = {v.batch, v.tokensPerS, v.decodeShare, v.work};
    count += near == end ? 1 : 0;
}

Serving serve(const PreparedScenario& p, const Machine& m, const MemoryPlan& memory) noexcept
{
    if (!hasPrefillPool(p))
        return serve(p, m, memory, Engine(p, m), nullptr, nullptr);
    const PrefillPool pool(p, m);
    return serve(p, m, memory, Engine(p, m, &pool), &pool, nullptr);
}

Serving serve(const PreparedScenario& p, const Machine& m, const MemoryPlan& memory, const Engine& engine,
              const PrefillPool* pool, ServeCurve* curve) noexcept
{
    const InferenceWorkload& w = p.inference;
    Serving v = curve && curve->full ? *curve->full : serveFull(p, m, memory, engine);
    if (curve && !curve->full)
        curve->full = v;
    const double tokensEach = answerTokens(w) / m.sizes.replicas; // a replica's, of a request
    // What decodes gets no more than what the other pool has read.
    const double fed = pool ? pool->requestsPerS() * tokensEach : std::numeric_limits<double>::infinity();
    if (!w.requestsPerS && !(fed < v.tokensPerS)) {
        if (!pool) // which gives the first token whatever waits for a place in decode
            addWaiting(p, m, v);
        return v;
    }
    const double wanted = w.requestsPerS ? std::min(*w.requestsPerS * tokensEach, fed) : fed;
    // A last digit less than the capacity is the capacity, as it is for the queue: where more in flight serve no more,
    // a fraction of the batch would carry it.
    if (!(wanted < v.tokensPerS * (1 - roundingError))) {
        v.inFlight = v.batch;
        v.loneTokensPerS = v.tokensPerS / v.decodeShare / v.batch; // nobody asks: the queue grows without bound
        // TTFT is that of the most it carries: more load makes none sooner. Users ask as others' answers end.
        if (w.requestsPerS && takesLoads(p, m) && !(p.users > 0)) {
            Serving most = v;
            const double tokensPerS = v.tokensPerS * (1 - roundingError);
            carryLoad(p, m, engine, most, tokensPerS, tokensPerS / answerTokens(w), curve);
            v.ttftS = std::max(v.ttftS, most.ttftS);
        }
        return v;
    }
    const double perS = meetsOthers(p, m) ? wanted / answerTokens(w) : 0;
    carryLoad(p, m, engine, v, wanted, perS, curve);
    const double inHand = std::min(v.mostBatch, answersInHand(v, wanted));
    v.inHand = std::max(1.0, inHand);
    if (!(perS > 0)) // all passes are alike
        v.passBatch = v.inHand;
    v.inFlight = promptsInHand(v, perS) + inHand;
    v.tokensPerS = wanted;
    if (!(wanted < fed)) // others wait for the pool, where who asks meets them
        v.ttftS += beforeReadingS(p, m, w.requestsPerS ? 2 : v.mostBatch) - beforeReadingS(p, m, v.batch);
    return v;
}

} // namespace headroom::inference
