// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/rl.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headroom
{
namespace
{

/// Standard normal quantile, off by less than 4.5e-4 (Abramowitz and Stegun, Handbook of Mathematical Functions,
/// 26.2.23).
double normalQuantile(double u)
{
    const double tail = std::clamp(std::min(u, 1 - u), 1e-300, 0.5);
    const double t = std::sqrt(-2 * std::log(tail));
    const double z =
        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return u < 0.5 ? -z : z;
}

double normalShare(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

} // namespace

AnswerLengths::AnswerLengths(const RlWorkload& w, double answers) noexcept
{
    const double mean = m_mean = std::max(1.0, double(w.outputTokens));
    double limit = w.maxOutputTokens ? double(*w.maxOutputTokens) : 0;
    double squared = 0;
    if (w.outputTokensP99) {
        squared = inference::squaredVariation(mean, double(*w.outputTokensP99), inference::z99);
    } else if (limit > mean) { // the longest of so many answers
        const double z = std::max(1.0, normalQuantile(1 - beyondLongest(answers)));
        squared = inference::squaredVariation(mean, limit, z);
        limit = std::min(limit, mean * std::exp(z * z / 2)); // so few of the widest spread have no longer one
    }
    m_sigma = std::sqrt(std::log1p(std::max(0.0, squared)));
    m_limit = limit > mean ? limit : 0;
    m_mu = std::log(mean) - m_sigma * m_sigma / 2;
    if (m_limit > 0 && m_sigma > 0) { // what is cut off does not lower the stated mean: the rest is longer
        double low = m_mu, high = std::log(m_limit) + m_sigma * m_sigma;
        constexpr int halvings = 40;
        for (int i = 0; i < halvings; ++i) {
            m_mu = (low + high) / 2;
            (meanOfCut(m_limit) < mean ? low : high) = m_mu;
        }
    }
}

double AnswerLengths::meanOfCut(double limit) const noexcept
{
    const double z = (std::log(limit) - m_mu) / m_sigma;
    return std::exp(m_mu + m_sigma * m_sigma / 2) * normalShare(z - m_sigma) + limit * (1 - normalShare(z));
}

double AnswerLengths::meanUpTo(double tokens) const noexcept
{
    if (m_sigma <= 0 || tokens <= 0)
        return std::clamp(tokens, 0.0, m_mean);
    return m_limit > 0 && tokens >= m_limit ? m_mean : std::min(m_mean, meanOfCut(tokens));
}

double AnswerLengths::quantile(double u) const noexcept
{
    const double length = m_sigma > 0 ? std::exp(m_mu + m_sigma * normalQuantile(u)) : std::exp(m_mu);
    return m_limit > 0 ? std::min(length, m_limit) : length;
}

double AnswerLengths::beyondLongest(double n) noexcept
{
    // The largest of many draws has Gumbel's distribution, whose mean is where e^−γ ÷ n of them lie beyond (Gumbel,
    // Statistics of Extremes, 1958).
    return std::exp(-std::numbers::egamma) / std::max(1.0, n);
}

double AnswerLengths::longestOf(double n) const noexcept
{
    return std::max(m_mean, quantile(1 - beyondLongest(n))); // of few, Gumbel's would be shorter
}

double AnswerLengths::squareRatio() const noexcept
{
    if (m_sigma <= 0)
        return 1;
    if (m_limit <= 0)
        return std::exp(m_sigma * m_sigma);
    const double z = (std::log(m_limit) - m_mu) / m_sigma;
    const double square = std::exp(2 * m_mu + 2 * m_sigma * m_sigma) * normalShare(z - 2 * m_sigma) +
                          m_limit * m_limit * (1 - normalShare(z));
    const double mean = meanOfCut(m_limit);
    return std::max(1.0, square / (mean * mean));
}

std::int64_t longestRlSequence(const RlWorkload& w)
{
    return w.promptTokens + std::max({w.outputTokens, w.outputTokensP99.value_or(0), w.maxOutputTokens.value_or(0)});
}

} // namespace headroom
