// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_tail.hpp"

#include "core/predict/inference/inference_lengths.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{

double promptQuantile(const PreparedScenario& p, TargetPercentile percentile) noexcept
{
    const LengthSpread spread = promptSpread(p.inference);
    const double longest = std::max(spread.mean, spread.quantile(percentile));
    const auto context = static_cast<double>(p.model->architecture.maxContext);
    const bool far = percentile == TargetPercentile::P99, stated = (far ? spread.p99 : spread.p95).has_value();
    const double least = std::max(spread.mean, far ? spread.p95.value_or(0) : 0);
    return stated || context <= 0 ? longest : std::max(least, std::min(longest, context));
}

double promptShownS(const PreparedScenario& of, const Replica& replica, const Serving& v, double readS) noexcept
{
    if (replica.pool)
        return readS + replica.pool->shownOf(of.inference.promptTokens, replica.m, readS);
    if (of.inference.scheduling != Scheduling::Continuous) // nobody's answers are written beside it
        return readS;
    const double step = v.tpotS - v.time[static_cast<std::size_t>(TimePart::PrefillInterference)];
    const double passS = step * replica.m.speculation.tokens;
    return besideAnswers(readS, chunksBeside(replica.m, promptLength(of.inference), v.batch) * passS, v.batch);
}

namespace
{

/// TTFT of a prompt of so many tokens, longer than the mean, s.
double firstTokenOf(const PreparedScenario& p, const Replica& replica, const Serving& v, const Evaluation& r,
                    OtherPrompts& others, double promptTokens)
{
    if (r.mix && p.inference.scheduling != Scheduling::Static) // it is known of the class that has it
        for (const ClassResult& c : r.mix->classes())
            if (c.promptTokens == promptTokens)
                return std::max(*r.ttftS, c.ttftS);
    PreparedScenario& other = others.fresh();
    other.inference.promptTokens = static_cast<std::int64_t>(promptTokens); // static: filled up to the longest
    const double mean = promptShownS(p, replica, v, v.prefillS + v.loadS),
                 late = promptShownS(other, replica, v, replica.promptsTime(other, v.prefillPrompts));
    return *r.ttftS + std::max(0.0, late - mean);
}

} // namespace

TailResult tailOf(const PreparedScenario& p, const Replica& replica, const Serving& v, const Evaluation& r,
                  OtherPrompts& others) noexcept
{
    const TargetPercentile percentile = heldPercentile(p.inference);
    const bool far = holdsFor99(p.inference);
    TailResult t;
    t.share = far ? 0.99 : 0.95;
    t.promptTokens = std::round(promptQuantile(p, percentile));
    t.ttftS = firstTokenOf(p, replica, v, r, others, t.promptTokens);
    if (r.queue) {
        t.waitS = far ? r.queue->p99WaitS : r.queue->p95WaitS;
        t.ttftS = t.waitS ? std::optional(*t.ttftS + *t.waitS) : std::nullopt;
    }
    return t;
}

} // namespace headroom::inference
