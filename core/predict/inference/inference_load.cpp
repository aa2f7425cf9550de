// SPDX-License-Identifier: GPL-3.0-or-later
// How many sequences are in flight: as many as asked for, or as the load keeps there.
#include "core/predict/inference/inference_replica.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace headroom::inference
{
namespace
{

double real(std::int64_t n)
{
    return static_cast<double>(n);
}

/// Sequences that decode together where a pass takes a limited number of tokens: for each answer's token it has to take
/// the prompt's share of one too. Infinite without a limit.
double passLimit(const PreparedScenario& p, const Machine& m)
{
    const InferenceWorkload& w = p.inference;
    if (m.passTokens <= 0 || w.scheduling != Scheduling::Continuous || !m.engine.mixesPrompts)
        return std::numeric_limits<double>::infinity();
    const double prompt = promptLength(w) / real(w.outputTokens); // tokens read for a token written
    const double each = m.speculation.verified() + m.speculation.tokens * prompt;
    return std::max(1.0, std::floor(m.passTokens / each)) * m.sizes.attentionData;
}

/// Requested and running sequences: beyond the cache they wait.
void chooseBatch(const PreparedScenario& p, const Machine& m, const MemoryPlan& memory, Serving& v)
{
    const InferenceWorkload& w = p.inference;
    const double most = p.calibration->inference.serving.mostSequences;
    if (w.batchMax) {
        v.mostBatch = std::max(1.0, std::min({memory.maxBatch, most, passLimit(p, m)}));
        return;
    }
    const double wanted = std::max(1.0, real(w.batch));
    v.mostBatch =
        std::max(1.0, std::min({wanted, memory.maxBatch, passLimit(p, m)})); // as if one fitted, where none does
    v.waiting = wanted / v.mostBatch - 1;
}

/// Without a load the requests that do not run wait for those that do.
void addWaiting(const PreparedScenario& p, Serving& v)
{
    const double out = real(p.inference.outputTokens);
    if (p.inference.scheduling == Scheduling::Static) // the mean request waits for half of the further waves
        v.ttftS += v.waiting / 2 * (v.ttftS + (out - 1) * v.tpotS);
    else
        v.ttftS += v.waiting * (v.ttftS + out * v.tpotS);
}

/// Ends of the search for a batch, with what each lacks: more than nothing at the lower, nothing at the upper.
struct Bracket {
    double low = 1, below = 0, high = 1, above = 0;
    void take(double batch, double lacks)
    {
        if (lacks > 0 ? batch > low : batch < high)
            (lacks > 0 ? std::tie(low, below) : std::tie(high, above)) = std::tie(batch, lacks);
    }
};

/// The batch in flight where `lacks`, what there is to serve at a batch less that batch, becomes 0; `v` is the full one
/// and lacks nothing. 1 where that is enough already. Nearly a straight line, so false position takes a few steps.
template <typename Lacks>
void carry(const Engine& engine, const Lacks& lacks, Serving& v, ServeCurve* curve = nullptr)
{
    constexpr double close = 1e-12;
    constexpr int most = 200; // halving alone would need 60
    Bracket ends{0, 0, v.batch, lacks(v)};
    const auto tryOut = [&](double batch) {
        engine.serve(batch, v);
        if (curve)
            curve->add(v);
        const double here = lacks(v);
        ends.take(batch, here);
        return here;
    };
    if (curve && curve->loneTokensPerS > 0) {
        v.loneTokensPerS = curve->loneTokensPerS;
        Serving known;
        for (std::size_t i = 0; i < curve->count; ++i) {
            known.batch = curve->samples[i].batch;
            known.tokensPerS = curve->samples[i].tokensPerS;
            known.decodeShare = curve->samples[i].decodeShare;
            ends.take(known.batch, lacks(known));
        }
    }
    if (ends.low < 1) {
        const double here = tryOut(1);
        v.loneTokensPerS = v.tokensPerS / v.decodeShare;
        if (curve)
            curve->loneTokensPerS = v.loneTokensPerS;
        if (!(here > 0))
            return;
    }
    double low = ends.low, below = ends.below, high = ends.high, above = ends.above;
    if (!(high - low > close * high)) // known to be there
        engine.serve(high, v);
    double width = high - low;
    int before = 0; // which end moved: 1 the lower, -1 the upper
    for (int i = 0; i < most && high - low > close * high; ++i) {
        double next = low + (high - low) * below / (below - above);
        if (i % 3 == 2) { // three steps that have not halved it: halve it
            if (high - low > width / 2)
                next = low + (high - low) / 2;
            width = high - low;
        }
        next = std::clamp(next, low, high);
        const double here = tryOut(next);
        if (std::abs(here) <= close * next)
            return;
        // An end that stays twice counts for less, so that both come in (Anderson and Björck).
        const int side = here > 0 ? 1 : -1;
        const double share = 1 - here / (here > 0 ? below : above);
        if (side == before)
            (here > 0 ? above : below) *= share > 0 ? share : 0.5;
        before = side;
        (here > 0 ? low : high) = next;
        (here > 0 ? below : above) = here;
    }
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
    v.fullWaitS = v.waitS;
    return v;
}

} // namespace

double requestsOfUsers(const PreparedScenario& p, double users, double thinkS) noexcept
{
    double requestsPerS = 0;
    withReplica(p, nullptr, [&](const Replica& replica) {
        Serving v = serveFull(p, replica.m, replica.memory, replica.engine);
        const double out = real(p.inference.outputTokens), each = users / replica.m.sizes.replicas;
        // Of a replica's users those who do not think have a place.
        const auto lacks = [&](const Serving& s) {
            return (each - s.tokensPerS / out * thinkS) / s.decodeShare - s.batch;
        };
        if (lacks(v) < 0)
            carry(replica.engine, lacks, v);
        const double placeS = v.batch * v.decodeShare * out / v.tokensPerS;
        requestsPerS = users / (placeS + thinkS);
    });
    return requestsPerS;
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
    const double tokensEach = real(w.outputTokens) / m.sizes.replicas; // a replica's, of a request
    // What decodes gets no more than what the other pool has read.
    const double fed = pool ? pool->requestsPerS() * tokensEach : std::numeric_limits<double>::infinity();
    if (!w.requestsPerS && !(fed < v.tokensPerS)) {
        if (!pool) // which gives the first token whatever waits for a place in decode
            addWaiting(p, v);
        return v;
    }
    const double wanted = w.requestsPerS ? std::min(*w.requestsPerS * tokensEach, fed) : fed;
    // A last digit less than the capacity is the capacity, as it is for the queue: where more in flight serve no more,
    // a fraction of the batch would carry it.
    constexpr double rounding = 1e-12;
    if (!(wanted < v.tokensPerS * (1 - rounding))) {
        v.loneTokensPerS = v.tokensPerS / v.decodeShare / v.batch; // nobody asks: the queue grows without bound
        return v;
    }
    carry(
        engine, [wanted](const Serving& s) { return s.batch * (wanted / s.tokensPerS - 1); }, v, curve);
    if (v.batch <= 1)
        v.busy = std::min(1.0, wanted / v.tokensPerS);
    v.tokensPerS = wanted;
    return v;
}

} // namespace headroom::inference
