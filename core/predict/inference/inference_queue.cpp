// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_queue.hpp"

#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_replica.hpp"
#include "core/predict/inference/inference_users.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Kraemer and Langenbach-Belz (1976): what regular arrivals save beyond the mean of both variations, and bursts cost
/// less while there is room. 1 for Poisson arrivals.
double correction(double utilization, double arrivals, double services)
{
    if (arrivals == 1)
        return 1;
    const double idle = 1 - utilization, one = arrivals - 1;
    if (arrivals > 1)
        return std::exp(-idle * one / (arrivals + 4 * services));
    const double both = arrivals + services;
    return both > 0 && utilization > 0 ? std::exp(-2 * idle / (3 * utilization) * one * one / both) : 1;
}

} // namespace

double variationFactor(double utilization, double arrivals, double services) noexcept
{
    return (arrivals + services) / 2 * correction(utilization, arrivals, services);
}

double waitProbability(const QueueInput& q) noexcept
{
    const double offered = q.requestsPerS * q.serviceS;
    if (!(offered > 0))
        return 0;
    if (offered >= q.servers)
        return 1;
    // 1/B = Σ_j μ(k)·μ(k−1)…μ(k−j+1)/λ^j, j = 0…k: no factorials, no powers. μ(n) = n/S(n) is the rate at which n in
    // flight end.
    constexpr double hopeless = 1e280, negligible = 1e-17;
    const double replicas = q.servers / q.serversPerReplica, extra = q.serversPerReplica - 1;
    const double lone = q.loneServiceS > 0 && extra > 0 ? q.loneServiceS : q.serviceS;
    const double slope = extra > 0 ? (q.serviceS - lone) / extra : 0;
    // Requests that come in the time of one of n: as many as alone, or more in a straight line.
    const double least = q.requestsPerS * lone, each = q.requestsPerS * slope / replicas;
    const double none = offered - each * q.servers;
    constexpr int together = 8; // terms, of hundreds: whether they are enough is asked now and then
    double term = 1, sum = 1;
    for (double n = q.servers; n > 0;) {
        for (int more = n > together ? together : 1; more > 0; --more, --n) {
            term *= n / std::max(least, none + each * n);
            sum += term;
        }
        if (sum > hopeless)
            return 0;
        if (term < negligible * sum)
            break;
    }
    const double blocked = 1 / sum, utilization = offered / q.servers;
    return blocked / (1 - utilization * (1 - blocked));
}

QueueResult queueing(const QueueInput& q) noexcept
{
    QueueResult r;
    const double offered = q.requestsPerS * q.serviceS;
    r.utilization = offered / q.servers;
    // A load so near to the capacity is the capacity: below, the wait would be made of rounding errors (users who never
    // pause offer exactly the capacity, and a last digit less would answer with a wait of a million years).
    if (std::abs(r.utilization - 1) < roundingError)
        r.utilization = 1;
    r.replicasNeeded = std::floor(offered / q.serversPerReplica * (1 + roundingError)) + 1;
    const bool seated = q.users > 0 && q.users <= q.servers; // with a place each: nobody's waits, however full it is
    if (seated) {
        r.utilization = std::min(1.0, r.utilization);
        r.replicasNeeded = std::min(r.replicasNeeded, std::ceil(q.users / q.serversPerReplica));
    } else if (q.users > 0 && q.thinkS) {
        const UserWait wait = waitOfUsers(q);
        const double places = q.serversPerReplica * (1 + std::max(0.0, *q.thinkS) / q.serviceS); // or who thinks then
        r.utilization = std::min(1.0, r.utilization);
        r.replicasNeeded = std::max(1.0, std::ceil(q.users / places * (1 - roundingError)));
        r.waitingShare = wait.share;
        r.meanWaitS = wait.meanS;
        r.p95WaitS = wait.quantile(0.05);
        r.p99WaitS = wait.quantile(0.01);
        return r;
    } else if (!(r.utilization < 1)) {
        return r;
    }
    QueueInput met = q;
    met.requestsPerS *= q.othersShare;
    const double busy = r.utilization * q.othersShare;
    const double waits = r.waitingShare = seated ? 0 : waitProbability(met);
    const double ifWaiting =
        q.serviceS / (q.servers * (1 - busy)) * variationFactor(busy, q.arrivalVariation, q.squaredVariation);
    const WaitTail tail{waits, ifWaiting};
    r.places = tail;
    r.meanWaitS = waits * ifWaiting;
    r.p95WaitS = tail.quantile(0.05);
    r.p99WaitS = tail.quantile(0.01);
    return r;
}

QueueInput placesOf(const PreparedScenario& p, const Replica& replica, const Serving& v) noexcept
{
    const InferenceWorkload& w = p.inference;
    const double out = answerTokens(w);
    QueueInput q;
    q.requestsPerS = *w.requestsPerS;
    q.serversPerReplica = std::max(1.0, std::floor(v.mostBatch)) * v.decodeShare;
    q.servers = q.serversPerReplica * replica.m.sizes.replicas;
    q.serviceS = q.serversPerReplica * out / v.fullTokensPerS;
    q.loneServiceS = std::min(q.serviceS, out / v.loneTokensPerS);
    q.arrivalVariation = w.arrivalCv * w.arrivalCv;
    q.users = p.users;
    q.thinkS = p.thinkS + v.fullTtftS + (out - 1) * v.fullTpotS - q.serviceS;
    q.othersShare = p.othersShare();
    const bool known = v.ttftAloneS && v.loadS == 0; // serving has read one alone already
    const double first = replica.pool ? 0
                         : known      ? *v.ttftAloneS
                                      : replica.engine.prompts().firstTokenAloneS(p, replica.m);
    q.squaredVariation = serviceVariation(w, first, out * v.fullTpotS);
    return q;
}

QueueResult promptQueue(const PreparedScenario& p, double requestsPerS, double turnS, double servers) noexcept
{
    const InferenceWorkload& w = p.inference;
    QueueInput q;
    q.users = p.users;
    q.othersShare = p.othersShare();
    q.requestsPerS = requestsPerS;
    q.serviceS = turnS;
    q.servers = servers;
    q.arrivalVariation = w.arrivalCv * w.arrivalCv;
    q.squaredVariation = promptVariation(w);
    return queueing(q);
}

void waitFirst(double meanS, double p95S, double p99S, double share, QueueResult& queue) noexcept
{
    *queue.meanWaitS += meanS;
    *queue.p95WaitS += p95S;
    *queue.p99WaitS += p99S;
    queue.waitingShare = 1 - (1 - queue.waitingShare) * (1 - share);
}

namespace
{

/// A batch begins when the one before it has ended: whoever comes while a replica is busy waits for half of it, and for
/// the sooner of several replicas. Who finds every place taken has one of so many parts of that in the queue for a
/// place; and all of it where there is one place (docs/method/load.md).
void addBatchWait(const PreparedScenario& p, const Machine& m, const Serving& v, QueueResult& queue)
{
    const double out = answerTokens(p.inference);
    const double batchS = v.batch > 1 ? v.batch * out / v.tokensPerS : out / v.loneTokensPerS;
    if (p.users > 0 && p.thinkS <= 0) { // who never pauses and has a place waits for the longest answer of his batch
        constexpr double noise = 1e-9;
        const double waitS = batchS - (v.ttftS + (out - 1) * v.tpotS);
        if (p.users <= v.mostBatch * m.sizes.replicas && waitS > noise * batchS)
            waitFirst(waitS, batchS - v.ttftS, batchS - v.ttftS, 1, queue);
        return;
    }
    const double busy = v.busy * p.othersShare(); // for whoever comes, with others
    const double taken = busy > 0 ? std::min(1.0, queue.waitingShare / busy) : 0;
    const double shared = v.mostBatch > 1 ? 1 - taken / v.mostBatch : 0;
    // Users who are more than the places fill the next batch while one is under way.
    const double crowd = p.users > v.mostBatch * m.sizes.replicas ? queue.waitingShare : 0;
    // Nothing keeps replicas at even distances: each ends any time, and whoever waits takes the soonest.
    const double meanS = (1 - crowd) * shared * batchS / (m.sizes.replicas + 1);
    queue.batch = {.share = busy, .meanS = meanS, .soonest = m.sizes.replicas};
    waitFirst(busy * meanS, queue.batch.quantile(0.05), queue.batch.quantile(0.01), busy * shared, queue);
}

/// A place is held while the prompt waits to be read: the queue for places has that time, and the longer counts. Where
/// the wait and the prompts beside one's own spread widely some wait, exponentially, and else all do for a part of it,
/// and exponentially beyond. TTFT has `seenS` of it.
void waitWithPlace(const ReadingWait& wait, double promptS, double seenS, QueueResult& queue)
{
    if (!wait.ends()) { // places are free, and yet prompts come faster than they are read
        queue.p95WaitS = queue.p99WaitS = std::nullopt;
        return;
    }
    const double meanS = wait.meanS + wait.beside * promptS, share = std::min(1.0, 2 / (1 + wait.variation));
    const double spreadS = share < 1 ? meanS / share : meanS * std::sqrt(wait.variation);
    queue.prompts = {share, spreadS, seenS - (share < 1 ? 0 : meanS - spreadS)};
    queue.p95WaitS = std::max(*queue.p95WaitS, queue.prompts.quantile(0.05));
    queue.p99WaitS = std::max(*queue.p99WaitS, queue.prompts.quantile(0.01));
}

/// Prompts of which the tiers have a part queue for the slower of drives and link, each rank of attention data for its
/// own. A place is held meanwhile: the queue for places has that time, and the longer counts.
void addTierWait(const PreparedScenario& p, const Machine& m, QueueResult& queue)
{
    const double turnS = usesTiers(p.inference) ? tierLoad(p, m).busyS() : 0;
    if (!(turnS > 0))
        return;
    const QueueResult tiers =
        promptQueue(p, *p.inference.requestsPerS, turnS, m.sizes.replicas * m.sizes.attentionData);
    if (!tiers.meanWaitS)
        queue.p95WaitS = queue.p99WaitS = std::nullopt;
    if (!queue.p95WaitS || *queue.meanWaitS >= *tiers.meanWaitS)
        return;
    queue.meanWaitS = tiers.meanWaitS;
    queue.waitingShare = tiers.waitingShare;
    queue.p95WaitS = std::max(*queue.p95WaitS, *tiers.p95WaitS);
    queue.p99WaitS = std::max(*queue.p99WaitS, *tiers.p99WaitS);
}

} // namespace

void addReadingWait(const PreparedScenario& p, const Machine& m, const Serving& v, QueueResult& queue) noexcept
{
    const InferenceWorkload& w = p.inference;
    if (m.ideal || !queue.meanWaitS)
        return;
    if (w.scheduling == Scheduling::Static)
        return addBatchWait(p, m, v, queue);
    if (w.scheduling == Scheduling::Continuous) {
        const double seenS = v.delay.beforeS + v.work.reading.emptyPassS / 2 + v.delay.besideS;
        waitWithPlace(v.wait, v.work.promptS, seenS, queue);
        return addTierWait(p, m, queue);
    }
    if (!(v.readerTurnS > 0))
        return;
    const double servers = std::max(1.0, m.sizes.replicas * v.readerShare);
    const QueueResult prompts = promptQueue(p, *w.requestsPerS, v.readerTurnS * servers / m.sizes.replicas, servers);
    if (!prompts.meanWaitS)
        queue.p95WaitS = queue.p99WaitS = std::nullopt;
    else if (prompts.waitingShare > 0)
        waitFirst(*prompts.meanWaitS, *prompts.p95WaitS, *prompts.p99WaitS, prompts.waitingShare, queue);
}

} // namespace headroom::inference
