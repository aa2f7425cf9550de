// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_met.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{

bool meetsOthers(const PreparedScenario& p, const Machine& m) noexcept
{
    return p.inference.requestsPerS && takesLoads(p, m);
}

namespace
{

/// Of the batch that is served, s that a token takes: a request's time in hand over its tokens.
double tokenS(const Serving& v)
{
    return v.batch / v.tokensPerS;
}

/// s that a token takes with `batch` in hand, in a straight line.
struct Line {
    double batch = 1, tokenS = 0; ///< a point of it
    double slope = 0;
    [[nodiscard]] double at(double there) const { return tokenS + slope * (there - batch); }
};

/// Mean time of a token where `perS` tokens are asked for and at most `places` requests in hand: of the birth-death
/// process whose k requests end k ÷ time times a second, which others join as they come. Further ones wait.
double meanTokenS(const Line& line, double perS, double places)
{
    constexpr double negligible = 1e-9;
    const double middle = std::floor(std::clamp(line.batch - 1, 0.0, places)); // near to the likeliest number
    double all = 1, inHand = middle, weight = 1;
    for (double k = middle + 1; k <= places && weight > negligible; ++k) {
        weight *= perS * line.at(k) / k;
        all += weight;
        inHand += k * weight;
        if (k + 1 > places) { // all places are taken, by however many more
            const double full = perS * line.at(k) / k, more = weight * full / std::max(negligible, 1 - full);
            all += more;
            inHand += k * more;
        }
    }
    weight = 1;
    for (double k = middle; k >= 1 && weight > negligible; --k) {
        weight *= k / (perS * line.at(k));
        all += weight;
        inHand += (k - 1) * weight;
    }
    return inHand / all / perS;
}

/// Whether so many may come at once that places matter, of `others` that are met in the mean.
bool mayFill(double others, double slope, double perS, double places)
{
    constexpr double deviations = 6, flat = 1e-3;
    const double grows = slope * perS; // of the variance over the mean: 1 ÷ (1 − grows)
    return grows > flat && (grows >= 1 || places - others < deviations * (1 + std::sqrt(others / (1 - grows))));
}

/// The engine with a load, at any batch.
struct UnderLoad {
    const Engine& engine;
    Serving from;
    double requestsPerS;
    [[nodiscard]] Serving at(double batch) const
    {
        Serving v = from;
        engine.serve(batch, v, requestsPerS);
        return v;
    }
};

/// How far the time of a token bends below the line through what is met, in the mean of how many are: half the second
/// difference times their variance, a Poisson number's; and so much less time means that fewer are met. Experts are
/// read once for all tokens that choose them, so a few sequences more cost more than many.
double bendS(const UnderLoad& load, const Serving& v, double loneS, double perS, double places)
{
    const double others = v.batch - 1, further = std::min(places, v.batch + others);
    if (!(others > 0) || !(further > v.batch))
        return 0;
    constexpr double steepest = 0.9; // of the load's own growth
    const double above = (tokenS(load.at(further)) - tokenS(v)) / (further - v.batch);
    const double below = (tokenS(v) - loneS) / others;
    const double grows = std::clamp(perS * (above + below) / 2, 0.0, steepest);
    return std::min(0.0, (above - below) / (further - 1)) * others / (1 - grows);
}

/// Share of the time with anything in hand, of a replica that has `inFlight` requests in the mean and one after the
/// other would have `alone`. That many in hand are a negative binomial where a pass grows in a straight line with its
/// sequences, Poisson where it does not grow. No less than the full batch would need for the load, `leastBusy`.
double busyShare(double alone, double inFlight, double leastBusy)
{
    constexpr double straight = 1e-9; // of the growth, below which it is none
    const double growth = std::clamp(1 - alone / inFlight, 0.0, 1 - straight);
    const double none = std::exp(growth > straight ? alone * std::log1p(-growth) / growth : -alone);
    return std::clamp(1 - none, leastBusy, 1.0);
}

void addBusyTime(Serving& v, const AskedOf& asked)
{
    const double inHand = answersInHand(v, asked.tokensPerS);
    const double alone = asked.tokensPerS / (v.loneTokensPerS * v.decodeShare);
    v.busy = busyShare(alone, promptsInHand(v, asked.requestsPerS) + inHand,
                       std::min(1.0, asked.tokensPerS / v.fullTokensPerS));
    v.passBatch = std::clamp(inHand / v.busy, 1.0, v.batch);
}

/// The batch whose passes take what a request's take in the mean, of a load whose `met` is `v`: places cut the number
/// that meet, and the time may bend. `fullS` is a token's time with all places taken.
double effectiveBatch(const PreparedScenario& p, const UnderLoad& load, const Serving& v, const AskedOf& asked,
                      double places, double fullS)
{
    constexpr double nearlyFull = 0.9, same = 1e-4;
    const bool isFull = v.batch >= places, bends = p.model->moeLayers > 0 && !isFull;
    const double belowBatch = isFull ? std::max(1.0, nearlyFull * places) : v.batch;
    const double belowS = isFull ? tokenS(load.at(belowBatch)) : tokenS(v);
    const double further = places > belowBatch ? (fullS - belowS) / (places - belowBatch) : 0;
    if (!bends && !mayFill(v.batch - 1, further, asked.tokensPerS, places))
        return v.batch;
    // Of the way to the full batch, which may be steep where a prompt has a pass of its own, no more than of that here.
    const double loneS = v.oneTokenS > 0 ? v.oneTokenS : tokenS(load.at(1)),
                 here = v.batch > 1 ? (tokenS(v) - loneS) / (v.batch - 1) : 0;
    const double slope = std::min(here, further), along = bends ? here : slope;
    double meanS = mayFill(v.batch - 1, slope, asked.tokensPerS, places)
                       ? meanTokenS({v.batch, tokenS(v), slope}, asked.tokensPerS, places)
                       : tokenS(v);
    if (bends)
        meanS += bendS(load, v, loneS, asked.tokensPerS, places);
    if (!(along > 0) || std::abs(meanS / tokenS(v) - 1) < same)
        return v.batch;
    // Of the last tenth the slope says nothing of fewer.
    return std::clamp(v.batch + (meanS - tokenS(v)) / along, isFull ? belowBatch : 1.0, places);
}

/// Tokens of an answer below which most of a request is its prompt. The more are in hand the more prompts share a pass,
/// so a small batch and a much larger one may carry the same load.
constexpr double shortAnswer = 8;

/// The first batch that lacks nothing, from below as a replica comes to it that begins empty: each trial has what the
/// load keeps in hand by the one before. The full one where none does.
template <typename Lacks>
Serving firstToCarry(const UnderLoad& load, const Lacks& lacks, double places)
{
    constexpr double least = 0.01; // of the batch: a step
    Serving v = load.at(1);
    for (double missing = lacks(v); missing > 0 && v.batch < places; missing = lacks(v))
        v = load.at(std::min(places, v.batch + std::max(missing, least * v.batch)));
    return v;
}

} // namespace

void meetLoad(const PreparedScenario& p, const Machine& m, const Engine& engine, Serving& v, const AskedOf& asked,
              ServeCurve* curve) noexcept
{
    const double perS = asked.tokensPerS, places = v.batch, fullS = tokenS(v);
    // The arrival theorem of Reiser and Lavenberg: whoever is served meets what the others have in hand in the mean,
    // and himself. Exact where a pass grows in a straight line with its sequences.
    const auto lacks = [perS, others = othersMet(p, m)](const Serving& s) {
        return 1 + others * answersInHand(s, perS) - s.batch;
    };
    const UnderLoad load{engine, v, asked.requestsPerS};
    if (answerTokens(p.inference) < shortAnswer) {
        v = firstToCarry(load, lacks, places);
        curve = nullptr; // which has larger batches, too
    }
    if (v.batch >= places && lacks(v) >= 0) { // nearly all places are taken
        const Serving lone = load.at(1);
        v.loneTokensPerS = loneTokensPerS(engine, lone, asked.requestsPerS);
        v.oneTokenS = tokenS(lone);
        engine.serve(places, v, asked.requestsPerS);
    } else {
        carry(engine, lacks, v, Growth::Smooth, asked.requestsPerS, curve);
    }
    addBusyTime(v, asked);
    if (p.users > 0) // never more than they are: what they meet is counted above
        return;
    const double batch = effectiveBatch(p, load, v, asked, places, fullS), ttftS = v.ttftS;
    if (batch == v.batch)
        return;
    engine.serve(batch, v, asked.requestsPerS);
    v.ttftS = ttftS; // which more load never makes sooner
}

} // namespace headroom::inference
