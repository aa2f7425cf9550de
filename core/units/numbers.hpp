// SPDX-License-Identifier: GPL-3.0-or-later
// Scales that formulas share, and counts as what they calculate with.
#pragma once

#include <cstdint>

namespace headroom
{

inline constexpr double giga = 1e9, tera = 1e12;
inline constexpr double secondsPerHour = 3600, secondsPerDay = 86400;

/// Of a sum of doubles, relative: what differs by less is equal. A last digit more takes no replica more.
inline constexpr double roundingError = 1e-12;

/// A count among real numbers; exact up to 2⁵³.
[[nodiscard]] constexpr double real(std::int64_t n)
{
    return static_cast<double>(n);
}

} // namespace headroom
