// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_lengths.hpp"

#include "core/scenario/effective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headroom::inference
{
namespace
{

using Length = std::optional<std::int64_t>;

std::optional<double> lengthOf(const Length& length)
{
    return length ? std::optional(static_cast<double>(*length)) : std::nullopt;
}

LengthSpread spread(std::int64_t mean, const std::optional<double>& cv, const Length& p50, const Length& p95,
                    const Length& p99)
{
    LengthSpread s;
    s.mean = static_cast<double>(mean);
    s.p95 = lengthOf(p95);
    s.p99 = lengthOf(p99);
    if (cv)
        s.squared = *cv * *cv;
    else if (p99)
        s.squared = squaredVariation(s.mean, *s.p99, z99);
    else if (p95)
        s.squared = squaredVariation(s.mean, *s.p95);
    else if (p50) // the median of a log-normal is mean ÷ √(1 + c²)
        s.squared = std::max(0.0, std::pow(s.mean / static_cast<double>(*p50), 2) - 1);
    return s;
}

/// The shortest length of a class that `share` of the requests do not pass.
double quantileOf(const RequestMix& mix, std::int64_t RequestClass::*length, double share)
{
    constexpr double rounding = 1e-6; // as the shares may be off 1
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;
    for (const RequestClass& candidate : mix.classes()) {
        double under = 0;
        for (const RequestClass& c : mix.classes())
            under += c.*length <= candidate.*length ? c.share : 0;
        longest = std::max(longest, static_cast<double>(candidate.*length));
        if (under >= share - rounding)
            shortest = std::min(shortest, static_cast<double>(candidate.*length));
    }
    return std::min(shortest, longest);
}

/// Squared variation of lengths that are equal within a class.
double squaredOf(const RequestMix& mix, std::int64_t RequestClass::*length, double mean)
{
    double square = 0;
    for (const RequestClass& c : mix.classes())
        square += c.share * static_cast<double>(c.*length) * static_cast<double>(c.*length);
    return std::max(0.0, square / (mean * mean) - 1);
}

/// What a mix says of lengths where nothing else does: within a class they are equal.
LengthSpread ofMix(LengthSpread s, const RequestMix& mix, std::int64_t RequestClass::*length)
{
    if (!s.squared)
        s.squared = squaredOf(mix, length, s.mean);
    if (!s.p95)
        s.p95 = quantileOf(mix, length, 0.95);
    if (!s.p99)
        s.p99 = std::max(*s.p95, quantileOf(mix, length, 0.99));
    return s;
}

/// Mean of the longest of `batch` answers of a mix, of which no class has a spread of its own.
double longestOfMix(const RequestMix& mix, double batch)
{
    double longest = 0, all = 0;
    for (const RequestClass& c : mix.classes()) {
        double shorter = 0, equal = 0;
        for (const RequestClass& other : mix.classes())
            (other.outputTokens < c.outputTokens ? shorter : equal) +=
                other.outputTokens > c.outputTokens ? 0 : other.share;
        // Of the batches whose longest answer is so long, the class's part.
        const double share = (std::pow(shorter + equal, batch) - std::pow(shorter, batch)) * c.share / equal;
        longest += share * static_cast<double>(c.outputTokens);
        all += share;
    }
    return longest / all;
}

/// The same of log-normal answers of which none is longer than `most`: ∫ (1 − Φ(z)^batch) dx over the length
/// x = mean·e^(σz − σ²/2), by Simpson's rule; shorter ones than at z = −8 there are none.
double longestOfLogNormal(double mean, double squared, double batch, double most)
{
    constexpr double far = 8; // beyond it nothing that a double can tell
    constexpr int steps = 64;
    const double variance = std::log1p(squared), sigma = std::sqrt(variance);
    const double end = std::min((std::log(most / mean) + variance / 2) / sigma, far + sigma);
    const auto lengthAt = [&](double z) { return mean * std::exp(sigma * z - variance / 2); };
    const auto slope = [&](double z) {
        return -std::expm1(batch * std::log1p(-std::erfc(z / std::numbers::sqrt2) / 2)) * sigma * lengthAt(z);
    };
    const double width = (end + far) / steps;
    double sum = slope(-far) + slope(end);
    for (int i = 1; i < steps; ++i)
        sum += (i % 2 ? 4 : 2) * slope(-far + i * width);
    return lengthAt(-far) + sum * width / 3;
}

} // namespace

double squaredVariation(double mean, double percentile, double z) noexcept
{
    if (!(mean > 0) || !(percentile > mean))
        return 0;
    // percentile/mean = exp(z·σ − σ²/2): the smaller root.
    const double root = z * z - 2 * std::log(percentile / mean);
    const double sigma = root > 0 ? z - std::sqrt(root) : z;
    return std::expm1(sigma * sigma);
}

std::optional<FarPercentile> beyondLogNormal(const Setup& setup) noexcept
{
    const auto far = [](std::string_view parameter, std::string_view key, std::int64_t mean, const Length& percentile,
                        double z) -> std::optional<FarPercentile> {
        if (!percentile || mean < 1)
            return std::nullopt;
        const FarPercentile f{parameter, key, double(*percentile) / double(mean), std::exp(z * z / 2)};
        return f.times > f.most ? std::optional(f) : std::nullopt;
    };
    if (setup.task == Task::Training) {
        const RlWorkload& rl = setup.training.rl;
        return isRl(setup) ? far("rl_output_tokens_p99", "output_tokens_p99", rl.outputTokens, rl.outputTokensP99, z99)
                           : std::nullopt;
    }
    const InferenceWorkload& w = setup.inference;
    std::optional<FarPercentile> found;
    if (!w.promptTokensCv) // else that is the spread
        found = w.promptTokensP99
                    ? far("prompt_tokens_p99", "prompt_tokens_p99", w.promptTokens, w.promptTokensP99, z99)
                    : far("prompt_tokens_p95", "prompt_tokens_p95", w.promptTokens, w.promptTokensP95, z95);
    if (!found && !w.outputTokensCv)
        found = w.outputTokensP99
                    ? far("output_tokens_p99", "output_tokens_p99", w.outputTokens, w.outputTokensP99, z99)
                    : far("output_tokens_p95", "output_tokens_p95", w.outputTokens, w.outputTokensP95, z95);
    return found;
}

double LengthSpread::quantile(TargetPercentile percentile) const noexcept
{
    const bool far = percentile == TargetPercentile::P99;
    if (const auto& stated = far ? p99 : p95)
        return *stated;
    double length = mean;
    if (squared) {
        const double variance = std::log1p(*squared);
        length = mean * std::exp((far ? z99 : z95) * std::sqrt(variance) - variance / 2);
    }
    if (far && p95) // no shorter than the nearer one
        return std::max(length, *p95);
    if (!far && p99)
        return std::min(length, *p99);
    return length;
}

namespace
{

/// As they are stated, whatever a mix says.
LengthSpread statedPrompts(const InferenceWorkload& w)
{
    return spread(w.promptTokens, w.promptTokensCv, w.promptTokensP50, w.promptTokensP95, w.promptTokensP99);
}

} // namespace

LengthSpread promptSpread(const InferenceWorkload& w) noexcept
{
    const LengthSpread s = statedPrompts(w);
    return w.mix ? ofMix(s, *w.mix, &RequestClass::promptTokens) : s;
}

double promptVariation(const InferenceWorkload& w) noexcept
{
    const LengthSpread s = statedPrompts(w);
    return s.squared ? *s.squared : w.mix ? squaredOf(*w.mix, &RequestClass::promptTokens, s.mean) : 1;
}

LengthSpread outputSpread(const InferenceWorkload& w) noexcept
{
    const LengthSpread s =
        spread(w.outputTokens, w.outputTokensCv, w.outputTokensP50, w.outputTokensP95, w.outputTokensP99);
    return w.mix ? ofMix(s, *w.mix, &RequestClass::outputTokens) : s;
}

double serviceVariation(const InferenceWorkload& w, double first, double rest) noexcept
{
    const double total = first + rest;
    if (w.mix && !w.promptTokensCv && !w.outputTokensCv) {
        double square = 0;
        const double prompt = double(w.promptTokens), output = answerTokens(w);
        for (const RequestClass& c : w.mix->classes()) {
            const double each = first * static_cast<double>(c.promptTokens) / prompt +
                                rest * static_cast<double>(c.outputTokens) / output;
            square += c.share * each * each;
        }
        return std::max(0.0, square / (total * total) - 1);
    }
    const LengthSpread prompt = promptSpread(w), output = outputSpread(w);
    if (!prompt.squared && !output.squared)
        return 1;
    return (first * first * prompt.squared.value_or(1) + rest * rest * output.squared.value_or(1)) / (total * total);
}

namespace
{

/// Mean of the squares over the square of the mean, which is how much longer those are that are met at any moment, as
/// 1 + c² says of any renewal; at most the 99th percentile's, for a limit of lengths cuts the rest.
double longerMet(const LengthSpread& spread)
{
    const double squared = spread.squared.value_or(0);
    return squared > 0 ? std::min(1 + squared, spread.quantile(TargetPercentile::P99) / spread.mean) : 1;
}

/// Of the answers that a decode pass meets.
double longerAnswersMet(const InferenceWorkload& w)
{
    return longerMet(outputSpread(w));
}

} // namespace

double heldTokens(const InferenceWorkload& w) noexcept
{
    const double prompt = double(w.promptTokens), out = answerTokens(w);
    if (w.scheduling == Scheduling::Static)
        return prompt + out;
    if (!w.mix)
        return prompt + out * std::max(1.0, longerAnswersMet(w) / 2);
    double tokens = 0;
    for (const RequestClass& c : w.mix->classes())
        tokens += c.share * double(c.outputTokens) / w.mix->meanOutput() * double(c.promptTokens + c.outputTokens);
    return tokens;
}

double longestAnswer(const InferenceWorkload& w, double batch, std::int64_t maxContext) noexcept
{
    const double mean = answerTokens(w);
    if (w.mix && !w.outputTokensCv)
        return longestOfMix(*w.mix, batch);
    const double squared = outputSpread(w).squared.value_or(0);
    if (!(squared > 0) || !(batch > 1))
        return mean;
    const double room = maxContext > 0 ? double(maxContext - w.promptTokens) : std::numeric_limits<double>::infinity();
    if (!(room > mean))
        return mean;
    // The mean is that of the answers as they are, cut: what the cut takes from the longest it takes from all.
    const double longest = longestOfLogNormal(mean, squared, batch, room) / longestOfLogNormal(mean, squared, 1, room);
    return std::clamp(mean * longest, mean, room);
}

std::array<double, 4> decodeContexts(const InferenceWorkload& w) noexcept
{
    const double prompt = double(w.promptTokens), out = answerTokens(w);
    if (w.mix) { // those that write longer answers are met more often
        std::array<double, 4> contexts{};
        const double mean = w.mix->meanOutput();
        for (const RequestClass& c : w.mix->classes()) {
            const double weight = c.share * double(c.outputTokens) / mean;
            for (std::size_t i = 0; i < contexts.size(); ++i)
                contexts[i] +=
                    weight * (double(c.promptTokens) + (2 * static_cast<double>(i) + 1) * double(c.outputTokens) / 8);
        }
        return contexts;
    }
    const double met = out * longerAnswersMet(w);
    return {prompt + met / 8, prompt + 3 * met / 8, prompt + 5 * met / 8, prompt + 7 * met / 8};
}

namespace
{

/// Of a prompt of so many tokens.
double cachedTokensOf(const InferenceWorkload& w, double prompt)
{
    const double own = w.prefixHitRate ? *w.prefixHitRate * prompt : static_cast<double>(w.prefixCachedTokens);
    return usesTiers(w) ? std::min(prompt, own + tierHits(w) * prompt) : own;
}

} // namespace

double cachedTokensOf(const InferenceWorkload& w) noexcept
{
    return cachedTokensOf(w, double(w.promptTokens));
}

MixedPrompts mixedPrompts(const InferenceWorkload& w) noexcept
{
    if (!w.mix) { // at least one token is computed: where the cache holds all, the last, which sees those before it
        const auto prompt = double(w.promptTokens);
        const double computed = std::max(1.0, prompt - cachedTokensOf(w)), held = std::max(0.0, prompt - computed);
        if (!promptsSpread(w))
            return {1, held, held};
        // A hit is a share of each prompt, or as many tokens of all; the computed rest spreads about its mean.
        const double longer = longerMet(promptSpread(w));
        if (w.prefixCachedTokens <= 0)
            return {longer, held * longer, held};
        return {1 + (longer - 1) * (prompt / computed) * (prompt / computed), held, held};
    }
    double mean = 0, square = 0, cached = 0, all = 0;
    for (const RequestClass& c : w.mix->classes()) {
        const auto prompt = double(c.promptTokens);
        const double held = std::min(prompt - 1, cachedTokensOf(w, prompt)), computed = prompt - held;
        mean += c.share * computed;
        square += c.share * computed * computed;
        cached += c.share * computed * held;
        all += c.share * held;
    }
    return {square / (mean * mean), cached / mean, all};
}

} // namespace headroom::inference
