// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_intervals.hpp"

#include "core/predict/inference/inference_speculation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::inference
{
namespace
{

/// A request takes its first token and the steps after it: so much of both as theirs may be, so much is a rate.
ResidualBand bandOfRequests(const Residuals& q, const Serving& v, double output) noexcept
{
    const double writing = std::max(0.0, output - 1) * v.tpotS, whole = v.ttftS + writing;
    if (!(whole > 0) || !std::isfinite(whole))
        return q.tpot;
    return {(v.ttftS / q.ttft.high + writing / q.tpot.high) / whole,
            (v.ttftS / q.ttft.low + writing / q.tpot.low) / whole};
}

} // namespace

void addIntervals(const PreparedScenario& p, const Replica& replica, const Serving& v, Evaluation& r) noexcept
{
    const Machine& m = replica.m;
    if (m.ideal)
        return; // a bound has no residuals
    const InferenceWorkload& w = p.inference;
    const Residuals& q = p.calibration->inference.residuals[static_cast<std::size_t>(m.residualClass)];
    const auto output = answerTokens(w);
    // An acceptance that is assumed may be off: the tokens of a cycle with it.
    const AcceptedSpan span = acceptedSpan(w, p.calibration->inference.speculation, m.speculation);
    const double slower = m.speculation.tokens / span.fewest, faster = m.speculation.tokens / span.most;
    // Runs with weights in the host's memory took longer than the link alone would.
    const double host = m.hostShare > 0 ? p.calibration->inference.serving.hostSlowest : 1;
    const double newer = m.newerReleases;
    r.tpotInterval = Interval{v.tpotS / (q.tpot.high * newer) * faster, v.tpotS / q.tpot.low * slower * host};
    const double ttftS = *r.ttftS; // of a mix that of its classes
    r.ttftInterval = Interval{ttftS / q.ttft.high, ttftS / q.ttft.low * host};
    // What the fitted runs have because they are bursts or begin with one, a server in use has not.
    r.ttftInterval->high += m.burstS; // no run says how much of it a load has all the same
    const bool ofBursts = m.fewestInFlight > 2 && w.arrival != Arrival::Burst;
    const double start = ofBursts ? beforeReadingS(p, m, v.batch) - beforeReadingS(p, m, 1) : 0;
    if (ttftS - start < r.ttftInterval->low) {
        r.ttftInterval->low = ttftS - start;
        r.warnings.add(WarningCode::FirstTokenOfBursts, start);
    }
    const ResidualBand rate = q.throughput.value_or(replica.pool ? q.tpot : bandOfRequests(q, v, output));
    // A load is served as it comes; uncertain is what more could be.
    const double capacity = v.fullTokensPerS * m.sizes.replicas;
    // Of two pools the one that reads may be the narrower, and is as uncertain.
    const double fed = replica.pool ? replica.pool->requestsPerS() * output : std::numeric_limits<double>::infinity();
    const double low = std::min(capacity / (rate.high * slower * host), fed / rate.high),
                 high = std::min(capacity / (rate.low * faster) * newer, fed / rate.low);
    const double most = w.requestsPerS ? *w.requestsPerS * output : high;
    r.tokensPerSInterval = Interval{std::min(*r.tokensPerS, low), std::max(*r.tokensPerS, std::min(most, high))};
}

} // namespace headroom::inference
