// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/day_targets.hpp"

#include "core/predict/inference/inference_evaluate.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace headroom
{

namespace
{

/// Share of a stretch in which a queue that grows or shrinks in a straight line keeps the wait within `room`; where it
/// is empty, `calm` of the requests are in time.
double shareWithin(double room, double calm, double growth, double capacity, double seconds, double backlog)
{
    const double most = std::max(0.0, room) * capacity; // requests before one that is just in time
    if (growth >= 0) {
        if (backlog <= 0 && growth == 0)
            return calm;
        const double last = backlog > most ? 0 : growth > 0 ? (most - backlog) / growth : seconds;
        return std::clamp(last, 0.0, seconds) / seconds;
    }
    const double empty = std::min(seconds, backlog / -growth);
    const double first = std::clamp((backlog - most) / -growth, 0.0, empty);
    return (empty - first + (seconds - empty) * calm) / seconds;
}

/// Share of the requests that wait longer than `room`, of those who wait for a place and then for the next batch or for
/// another pool to read: who is late in the one is late in the other, as in the percentiles of both.
double lateShare(const WaitTail& places, const WaitTail& then, double room)
{
    constexpr int halvings = 40;
    double low = 0, high = 1;
    for (int i = 0; i < halvings; ++i) {
        const double late = (low + high) / 2;
        (places.quantile(late) + then.quantile(late) > room ? low : high) = late;
    }
    return high;
}

} // namespace

BusyHour::BusyHour(const PreparedScenario& prepared, double requestsPerS, inference::Replica& replica) noexcept
    : m_hour(prepared), m_replica(replica)
{
    InferenceWorkload& w = m_hour.inference;
    m_hour.measured = {};
    w.requestsPerS = requestsPerS;
    if (inference::promptSpread(w).squared && !w.targetPercentile) // what a longer prompt adds is asked for
        w.targetPercentile = heldPercentile(w);
    m_hour.parallelism.replicas.reset();
}

void BusyHour::addKinds(const Evaluation& e, Service& service) const noexcept
{
    if (e.mix) {
        for (const ClassResult& one : e.mix->classes())
            service.kinds[service.count++] = {.share = one.share, .ttftS = one.ttftS};
        return;
    }
    const inference::LengthSpread spread = inference::promptSpread(m_hour.inference);
    const double squared = spread.squared.value_or(0), extra = e.tail ? e.tail->promptTokens - spread.mean : 0;
    // TTFT grows with the prompt in a straight line through its mean and its far percentile; lengths are log-normal.
    const bool known = squared > 0 && extra > 0 && e.tail->ttftS && e.tail->waitS;
    const double slope = known ? (*e.tail->ttftS - *e.tail->waitS - *e.ttftS) / extra : 0;
    if (!(slope > 0)) {
        service.kinds[service.count++] = {.share = 1, .ttftS = *e.ttftS};
        return;
    }
    const double variance = std::log1p(squared), sigma = std::sqrt(variance);
    constexpr double widest = 3; // standard deviations to either side: 997 of 1000 prompts
    // A prompt that takes the target by itself is late however short its wait: the kinds are of the others.
    // TTFT has a mean wait to be read, of which others have less.
    const double waits = !e.pools && e.queue ? std::max(0.0, e.queue->prompts.countedS) : 0;
    const double room =
        m_hour.inference.ttftTargetS.value_or(std::numeric_limits<double>::infinity()) - (*e.ttftS - waits);
    const double longest = std::max(0.0, spread.mean + room / slope); // log(0) is below all
    const double most = std::clamp((std::log(longest / spread.mean) + variance / 2) / sigma, -widest, widest);
    const double places = double(service.kinds.size());
    double sum = 0;
    for (Kind& kind : service.kinds) {
        const double z = std::lerp(-widest, most, (double(service.count++) + 0.5) / places);
        const double prompt = spread.mean * std::exp(z * sigma - variance / 2);
        kind.share = std::exp(-z * z / 2);
        kind.ttftS = std::max(0.0, *e.ttftS + slope * (prompt - spread.mean));
        sum += kind.share;
    }
    const double all = most < widest ? std::erfc(-most / std::numbers::sqrt2) / 2 : 1;
    for (Kind& kind : service.kinds)
        kind.share *= all / sum;
}

void BusyHour::addWaits(const Evaluation& e, Service& service) const noexcept
{
    const auto tailOf = [](double share, double meanS) { return WaitTail{share, share > 0 ? meanS / share : 0}; };
    const bool isStatic = m_hour.inference.scheduling == Scheduling::Static && e.queue, inTurn = isStatic || e.pools;
    WaitTail places, then, prompts;      // in turn a request waits for both, else for the longer
    if (e.queue && e.queue->meanWaitS) { // of places there may be so many that nobody waits for one
        places = inTurn ? e.queue->places : tailOf(e.queue->waitingShare, *e.queue->meanWaitS);
        then = isStatic ? e.queue->batch : e.pools ? tailOf(e.pools->waitingShare, e.pools->waitS) : WaitTail();
        prompts = e.queue->prompts;
    }
    for (Kind& kind : std::span(service.kinds).first(service.count)) {
        kind.roomS = *m_hour.inference.ttftTargetS - kind.ttftS;
        // TTFT is a mean: who meets fewer prompts of others is sooner, and in time though the mean is not.
        kind.inTime = inTurn ? (kind.roomS < 0 ? 0 : 1 - lateShare(places, then, kind.roomS))
                             : 1 - std::max(places.beyond(std::max(0.0, kind.roomS)), prompts.beyond(kind.roomS));
    }
}

const BusyHour::Service& BusyHour::serviceOf(const DayPlan& plan, const Staff& staff) noexcept
{
    for (const Service& known : m_known)
        if (known.staff == staff)
            return known;
    const InferenceWorkload& w = m_hour.inference;
    m_hour.hardware.count = std::llround(staff.replicas * plan.replicaGpus);
    if (plan.readerGpus > 0)
        m_hour.inference.prefillPool.count = std::llround(staff.readers * plan.readerGpus);
    const Evaluation e = inference::evaluateSeen(m_hour, m_replica);
    Service& service = m_known[m_next++ % m_known.size()];
    service.staff = staff;
    service.count = 0; // each kind that follows is set whole
    service.tokensInTime = !w.tpotTargetS || *e.tpotS <= *w.tpotTargetS;
    addKinds(e, service);
    if (w.ttftTargetS)
        addWaits(e, service);
    return service;
}

double BusyHour::shareInTime(const DayPlan& plan, const Staff& staff, double capacity, double seconds,
                             double backlog) noexcept
{
    if (!(capacity > 0))
        return 0;
    const Service& service = serviceOf(plan, staff);
    if (!service.tokensInTime)
        return 0;
    if (!m_hour.inference.ttftTargetS)
        return 1;
    double share = 0;
    for (const Kind& kind : std::span(service.kinds).first(service.count))
        share += kind.share * shareWithin(kind.roomS, kind.inTime, *m_hour.inference.requestsPerS - capacity, capacity,
                                          seconds, backlog);
    return std::min(1.0, share);
}

} // namespace headroom
