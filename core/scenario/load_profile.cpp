// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/load_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace headroom
{

LoadProfile LoadProfile::shaped(LoadShape shape, double peakToTrough) noexcept
{
    // When people are awake, and when they work: judgement, for who has no log of the requests.
    constexpr double busiest = 14;
    constexpr std::size_t opens = 8, closes = 18;
    LoadProfile p;
    p.shape = shape;
    p.peakToTrough = peakToTrough;
    const double swing = (peakToTrough - 1) / (peakToTrough + 1);
    const double open = static_cast<double>(closes - opens);
    const double low = hours / (open * peakToTrough + hours - open);
    for (std::size_t hour = 0; hour < hours; ++hour) {
        const double turn = 2 * std::numbers::pi * (static_cast<double>(hour) - busiest) / hours;
        const bool isOpen = hour >= opens && hour < closes;
        p.factors[hour] = shape == LoadShape::Office ? low * (isOpen ? peakToTrough : 1) : 1 + swing * std::cos(turn);
    }
    return p;
}

double LoadProfile::mean() const noexcept
{
    return std::accumulate(factors.begin(), factors.end(), 0.0) / hours;
}

double LoadProfile::ratio() const noexcept
{
    if (shape != LoadShape::Hours)
        return peakToTrough;
    const auto [low, high] = std::ranges::minmax(factors);
    return high < steepest * low ? high / low : steepest;
}

} // namespace headroom
