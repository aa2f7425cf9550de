// SPDX-License-Identifier: GPL-3.0-or-later
// How many sequences are in flight: as many as asked for, or as the load keeps there.
#include "core/predict/inference/inference_replica.hpp"
#include "core/predict/inference/inference_search.hpp"
#include "core/predict/inference/inference_users.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

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
    return std::floor(std::max(1.0, reads) + reads * later) * m.sizes.attentionData;
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

/// s that a request takes one of the batch's places (Little).
double placeS(const PreparedScenario& p, const Serving& v)
{
    return v.batch * v.decodeShare * answerTokens(p.inference) / v.tokensPerS;
}

/// Without a load the requests that do not run wait for those that do: in a static batch for half of the further waves.
/// The bound leaves out what others' prompts cost those that run.
void addWaiting(const PreparedScenario& p, const Machine& m, Serving& v)
{
    const Scheduling scheduling = p.inference.scheduling;
    const double alone = v.ttftS + (answerTokens(p.inference) - 1) * v.tpotS;
    v.ttftS += (scheduling == Scheduling::Static ? v.waiting / 2 : v.waiting) *
               (m.ideal && scheduling == Scheduling::Continuous ? alone : placeS(p, v));
}

/// The batch in flight where `lacks`, what there is to serve at a batch less that batch, becomes 0; `v` is the full one
/// and lacks nothing. 1 where that is enough already. Nearly a straight line, so the nearest trials lead there in a
/// few steps. Where one has not brought it to a quarter, the next goes to the middle of the bracket, then between its
/// ends.
template <typename Lacks>
void carry(const Engine& engine, const Lacks& lacks, Serving& v, Growth growth, double requestsPerS = 0,
           ServeCurve* curve = nullptr)
{
    constexpr double close = 1e-12, good = 0.25;
    constexpr int most = 200; // halving alone would need 60
    Search search({0, std::numeric_limits<double>::infinity()}, {v.batch, lacks(v)}, growth);
    const auto tryOut = [&](double batch) {
        engine.serve(batch, v, requestsPerS);
        if (curve)
            curve->add(v);
        const Trial trial{batch, lacks(v)};
        search.take(trial);
        return trial.lacks;
    };
    if (curve && curve->loneTokensPerS > 0) {
        v.loneTokensPerS = curve->loneTokensPerS;
        Serving known;
        for (std::size_t i = 0; i < curve->count; ++i) {
            const ServeCurve::Sample& sample = curve->samples[i];
            known.batch = sample.batch;
            known.decodeShare = sample.decodeShare;
            known.tokensPerS = requestsPerS > 0 ? engine.openTokensPerS(sample.batch, sample.work, v.most, requestsPerS)
                                                : sample.tokensPerS;
            search.take({known.batch, lacks(known)});
        }
    }
    if (search.low.batch < 1) {
        const double here = tryOut(1);
        v.loneTokensPerS = requestsPerS > 0 ? engine.aloneTokensPerS(v.work) : v.tokensPerS / v.decodeShare;
        if (curve)
            curve->loneTokensPerS = v.loneTokensPerS;
        if (!(here > 0))
            return;
    }
    const Trial &low = search.low, &high = search.high;
    if (!(high.batch - low.batch > close * high.batch)) // known to be there
        engine.serve(high.batch, v, requestsPerS);
    enum class Step { Guess, Half, Ends } step = Step::Guess;
    for (int i = 0; i < most && high.batch - low.batch > close * high.batch; ++i) {
        double next = step == Step::Guess ? search.guess() : zeroOf(low, high);
        if (step == Step::Half || (step == Step::Ends && !search.isBounded) || !search.isInside(next))
            next = search.step();
        const double before = std::abs(search.nearest.front().lacks), here = std::abs(tryOut(next));
        if (here <= close * next)
            return;
        step = here <= good * before ? Step::Guess : step == Step::Half ? Step::Ends : Step::Half;
    }
}

/// Of a replica that is kept full, or whose requests end together.
Growth growthOf(const PreparedScenario& p, const Machine& m)
{
    return m.engine.chunkTokens > 0 && p.inference.scheduling != Scheduling::Disaggregated ? Growth::Steps
                                                                                           : Growth::Straight;
}

/// Whether requests that come when they come queue to be read among the answers of others. The more are in hand, the
/// more prompts share a pass, so several batches may carry one load.
bool takesLoads(const PreparedScenario& p, const Machine& m)
{
    return p.inference.scheduling == Scheduling::Continuous && !m.ideal;
}

/// Under a load all others with a place may have come before: nobody ends to let them in one by one.
void allowAllBefore(Serving& v)
{
    v.most.beforeS = (v.mostBatch - 1) * v.work.addedS(v.work.reading.most);
    v.most.places = v.mostBatch;
}

/// The batch that keeps up with `wanted` tokens a second; `v` has the full one, and serves more. `perS`: of requests
/// that come when they come, or 0.
void carryLoad(const PreparedScenario& p, const Machine& m, const Engine& engine, Serving& v, double wanted,
               double perS, ServeCurve* curve)
{
    if (perS > 0) {
        allowAllBefore(v);
        v.tokensPerS = std::max(wanted, engine.openTokensPerS(v.batch, v.work, v.most, perS));
    }
    carry(
        engine, [wanted](const Serving& s) { return s.batch * (wanted / s.tokensPerS - 1); }, v,
        perS > 0 ? Growth::Smooth : growthOf(p, m), perS, curve);
}

/// With the full batch in flight.
Serving serveFull(const PreparedScenario& p, const Machine& m, const MemoryPlan& memory, const Engine& engine)
{
    Serving v;
    chooseBatch(p, m, memory, v);
    engine.serve(v.mostBatch, v);
    v.fullShare = v.decodeShare;
    v.fullTokensPerS = v.tokensPerS;
    v.fullTpotS = v.tpotS;
    v.fullTtftS = v.ttftS;
    v.most = v.delay;
    return v;
}

/// People who wait for their answers, on a replica under a load.
class OpenUsers final
{
public:
    OpenUsers(const PreparedScenario& p, const Engine& engine, double thinkS)
        : m_out(answerTokens(p.inference)), m_engine(engine), m_thinkS(thinkS)
    {
    }

    /// Requests a second whose answers are the batch of `full`, which is how they serve when kept full.
    [[nodiscard]] double perS(const Serving& full) const
    {
        return rateOf(
            [&](double rate) { return m_engine.openTokensPerS(full.batch, full.work, full.most, rate) > rate * m_out; },
            m_engine.openTokensPerS(full.batch, full.work, PromptDelay()) / m_out);
    }
    /// That keep `people` busy, where fewer than one answer is in hand at a time.
    [[nodiscard]] double perSOf(double people, const Serving& lone) const
    {
        return rateOf([&](double rate) { return busy(lone, rate) < people; }, people / (latencyS(lone, 0) + m_thinkS));
    }
    /// People whom so many requests a second keep waiting or thinking.
    [[nodiscard]] double busy(const Serving& full, double rate) const
    {
        return rate * (latencyS(full, rate) + m_thinkS);
    }

private:
    /// Of a request at the batch of `full`, under the load in place of the batch that is kept full.
    [[nodiscard]] double latencyS(const Serving& full, double rate) const
    {
        Serving v = full;
        m_engine.serve(full.batch, v, rate);
        return v.ttftS + (m_out - 1) * v.tpotS;
    }
    /// The rate up to which `isLow` holds, between none and `high`, to the last digit.
    template <typename IsLow>
    static double rateOf(const IsLow& isLow, double high)
    {
        constexpr int halvings = 60;
        double low = 0;
        for (int i = 0; i < halvings; ++i) {
            const double rate = low + (high - low) / 2;
            (isLow(rate) ? low : high) = rate;
        }
        return low + (high - low) / 2;
    }

    const double m_out;
    const Engine& m_engine;
    const double m_thinkS;
};

/// Requests a second of a replica's `people` who each wait for an answer and pause: fewer than the `capacity` that
/// keeps it full, as `v`.
double openRequestsOfUsers(const Engine& engine, const OpenUsers& users, Serving v, double people, double capacity)
{
    allowAllBefore(v);
    const double full = v.batch;
    const auto lacks = [&](const Serving& s) { return people - users.busy(s, users.perS(s)); };
    if (lacks(v) < 0)
        carry(engine, lacks, v, Growth::Smooth);
    const double perS = v.batch <= 1 ? users.perSOf(people, v) : v.batch < full ? users.perS(v) : capacity;
    return std::min(perS, capacity);
}

/// The same where a load says more than a batch: where prompts have passes of their own several loads keep one batch in
/// hand, and what waits for readers or for a static batch to end is part of the users' round.
double triedRequestsOfUsers(PreparedScenario& p, const Replica& replica, double people, double capacity)
{
    const double out = answerTokens(p.inference);
    double low = 0, high = capacity;
    constexpr int halvings = 45;
    for (int i = 0; i < halvings; ++i) {
        const double rate = low + (high - low) / 2;
        p.inference.requestsPerS = rate * replica.m.sizes.replicas;
        const Serving v = replica.serve(p);
        QueueResult queue = queueing(placesOf(p, replica, v));
        addReadingWait(p, replica.m, v, queue);
        const double roundS = v.ttftS + (out - 1) * v.tpotS + queue.meanWaitS.value_or(0) + p.thinkS;
        (queue.meanWaitS && rate * roundS < people ? low : high) = rate;
    }
    return high;
}

} // namespace

double requestsOfUsers(const PreparedScenario& asked, double users, double thinkS) noexcept
{
    double requestsPerS = 0;
    PreparedScenario p = asked;
    p.inference.requestsPerS = 1; // served as under a load, of whatever size
    p.users = users;
    p.thinkS = thinkS;
    withReplica(p, nullptr, [&](const Replica& replica) {
        Serving v = serveFull(p, replica.m, replica.memory, replica.engine);
        const double replicas = replica.m.sizes.replicas, out = answerTokens(p.inference), each = users / replicas;
        const double capacity = v.tokensPerS / out; // of a replica
        // Who waits for a place asks as seldom as who thinks so much longer. A replica that is all but full is full:
        // its requests come as others end, not when they like.
        const double waitS = userWaitS(p, replica, v, takesLoads(p, replica.m) ? 1 : 0), pauseS = thinkS + waitS;
        constexpr double nearlyFull = 0.999;
        // What a request takes beside its place, as the engine's first-token time, is a pause as well. Of a static
        // batch some places are held when the answer has ended: who waits for one may have come by then.
        const auto pausedS = [&](const Serving& s) {
            const double besideS = s.ttftS + (out - 1) * s.tpotS - placeS(p, s);
            return pauseS + (waitS > 0 ? besideS : std::max(0.0, besideS));
        };
        const double lacking = capacity * (placeS(p, v) + pausedS(v)) - each; // users
        if (waitS > 0 && lacking <= (1 - nearlyFull) * each) {
            requestsPerS = replicas * capacity;
            return;
        }
        const bool mixes = takesLoads(p, replica.m) && replica.m.engine.mixesPrompts;
        if (lacking > 0 && !mixes && !replica.pool && !replica.m.ideal) {
            requestsPerS = replicas * triedRequestsOfUsers(p, replica, each, capacity);
            return;
        }
        if (takesLoads(p, replica.m) && lacking > 0) {
            const OpenUsers open(p, replica.engine, pauseS);
            requestsPerS = replicas * openRequestsOfUsers(replica.engine, open, v, each, capacity);
            return;
        }
        // Of a replica's users those who do not pause have a place.
        const auto lacks = [&](const Serving& s) {
            return (each - s.tokensPerS / out * pausedS(s)) / s.decodeShare - s.batch;
        };
        if (lacks(v) < 0)
            carry(replica.engine, lacks, v, growthOf(p, replica.m));
        requestsPerS = users / (placeS(p, v) + pausedS(v));
    });
    return requestsPerS;
}

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
    const double perS = w.requestsPerS && takesLoads(p, m) ? wanted / answerTokens(w) : 0;
    carryLoad(p, m, engine, v, wanted, perS, curve);
    const double prompts = perS * (v.delay.beforeS + v.work.wholeS);
    v.inFlight = prompts + (v.batch > 1 ? v.batch : std::min(1.0, wanted / v.tokensPerS));
    // Of those that meet, each takes longer, and the replica no more: one after the other would keep it busy so long.
    v.busy = std::min(1.0, wanted / (v.loneTokensPerS * v.decodeShare));
    v.tokensPerS = wanted;
    if (!(wanted < fed)) // others wait for the pool, where who asks meets them
        v.ttftS += beforeReadingS(p, m, w.requestsPerS ? 2 : v.mostBatch) - beforeReadingS(p, m, v.batch);
    return v;
}

} // namespace headroom::inference
