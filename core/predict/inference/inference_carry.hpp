// SPDX-License-Identifier: GPL-3.0-or-later
// inference::carry(): the batch that keeps up with a load (private to core/predict).
#pragma once

#include "core/predict/inference/inference_replica.hpp"
#include "core/predict/inference/inference_search.hpp"

#include <cmath>
#include <limits>

namespace headroom::inference
{

/// s that a request takes one of the batch's places (Little).
[[nodiscard]] double placeS(const PreparedScenario& prepared, const Serving& serving) noexcept;
/// Tokens a second with one in hand, as by `lone`: under a load, or without one (`requestsPerS` 0).
[[nodiscard]] inline double loneTokensPerS(const Engine& engine, const Serving& lone, double requestsPerS) noexcept
{
    return requestsPerS > 0 ? engine.aloneTokensPerS(lone.work) : lone.tokensPerS / lone.decodeShare;
}
/// Of a replica that is kept full, or whose requests end together.
[[nodiscard]] Growth growthOf(const PreparedScenario& prepared, const Machine& machine) noexcept;
/// Whether requests that come when they come queue to be read among the answers of others. The more are in hand, the
/// more prompts share a pass, so several batches may carry one load.
[[nodiscard]] bool takesLoads(const PreparedScenario& prepared, const Machine& machine) noexcept;
/// Under a load all others with a place may have come before: nobody ends to let them in one by one.
void allowAllBefore(Serving& serving) noexcept;
/// With the full batch in flight.
[[nodiscard]] Serving serveFull(const PreparedScenario& prepared, const Machine& machine, const MemoryPlan& memory,
                                const Engine& engine) noexcept;

/// The batch in flight where `lacks`, what there is to serve at a batch less that batch, becomes 0; `v` is the full one
/// and lacks nothing. 1 where that is enough already. Nearly a straight line, so the nearest trials lead there in a
/// few steps. Where one has not brought it to a quarter, the next goes to the middle of the bracket, then between its
/// ends.
template <typename Lacks>
void carry(const Engine& engine, const Lacks& lacks, Serving& v, Growth growth, double requestsPerS = 0,
           ServeCurve* curve = nullptr)
{
    constexpr double close = 1e-10, good = 0.25;
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
            if (known.batch == 1)
                v.oneTokenS = 1 / known.tokensPerS;
        }
    }
    if (search.low.batch < 1) {
        const double here = tryOut(1);
        v.oneTokenS = 1 / v.tokensPerS;
        v.loneTokensPerS = loneTokensPerS(engine, v, requestsPerS);
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

} // namespace headroom::inference
