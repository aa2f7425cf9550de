// SPDX-License-Identifier: GPL-3.0-or-later
// The load of people who wait for their answers and pause (docs/method/load.md).
#include "core/predict/inference/inference_met.hpp"
#include "core/predict/inference/inference_users.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// People who wait for their answers, on a replica under a load.
class OpenUsers final
{
public:
    OpenUsers(const PreparedScenario& p, const Replica& replica, double thinkS)
        : m_out(answerTokens(p.inference)), m_othersMet(othersMet(p, replica.m)), m_engine(replica.engine),
          m_thinkS(thinkS)
    {
    }

    /// Whether nobody but the one who asks may be met.
    [[nodiscard]] bool areOne() const { return !(m_othersMet > 0); }
    /// Requests a second of which one meets the batch of `full`, himself in it, which is how they serve when kept full.
    [[nodiscard]] double perS(const Serving& full) const
    {
        const double others = (full.batch - 1) / m_othersMet, share = others / full.batch;
        return rateOf(
            [&](double rate) {
                return share * m_engine.openTokensPerS(full.batch, full.work, full.most, rate) > rate * m_out;
            },
            share * m_engine.openTokensPerS(full.batch, full.work, PromptDelay()) / m_out);
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

    const double m_out, m_othersMet;
    const Engine& m_engine;
    const double m_thinkS;
};

/// Requests a second of a replica's `people` who each wait for an answer and pause: fewer than the `capacity` that
/// keeps it full, as `v`.
double openRequestsOfUsers(const Engine& engine, const OpenUsers& users, Serving v, double people, double capacity)
{
    allowAllBefore(v);
    if (users.areOne()) {
        engine.serve(1, v);
        return std::min(users.perSOf(people, v), capacity);
    }
    const double full = v.batch;
    const auto lacks = [&](const Serving& s) { return people - users.busy(s, users.perS(s)); };
    if (lacks(v) < 0)
        carry(engine, lacks, v, Growth::Smooth);
    // Alone, or with all places taken, whoever asks meets the same batch under several loads.
    const double perS = v.batch <= 1 || v.batch >= full ? users.perSOf(people, v) : users.perS(v);
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
            const OpenUsers open(p, replica, pauseS);
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

} // namespace headroom::inference
