// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_lengths.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

using Length = std::optional<std::int64_t>;

std::optional<double> real(const Length& length)
{
    return length ? std::optional(static_cast<double>(*length)) : std::nullopt;
}

LengthSpread spread(std::int64_t mean, const std::optional<double>& cv, const Length& p50, const Length& p95,
                    const Length& p99)
{
    LengthSpread s;
    s.mean = static_cast<double>(mean);
    s.p95 = real(p95);
    s.p99 = real(p99);
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

LengthSpread promptSpread(const InferenceWorkload& w) noexcept
{
    return spread(w.promptTokens, w.promptTokensCv, w.promptTokensP50, w.promptTokensP95, w.promptTokensP99);
}

LengthSpread outputSpread(const InferenceWorkload& w) noexcept
{
    return spread(w.outputTokens, w.outputTokensCv, w.outputTokensP50, w.outputTokensP95, w.outputTokensP99);
}

double cachedTokensOf(const InferenceWorkload& w) noexcept
{
    return w.prefixHitRate ? *w.prefixHitRate * static_cast<double>(w.promptTokens)
                           : static_cast<double>(w.prefixCachedTokens);
}

} // namespace headroom::inference
