// SPDX-License-Identifier: GPL-3.0-or-later
// Bound: the one place that keeps a rate at or below what the hardware has.
#pragma once

#include <algorithm>

namespace headroom
{

/// A share of a rated rate. No factor, profile, fit or calibration makes it more than all of the rate.
[[nodiscard]] inline double boundedShare(double share) noexcept
{
    return std::min(1.0, share);
}

/// What is sustained of a rated rate (FLOP/s or bytes/s), in its unit.
[[nodiscard]] inline double sustained(double rated, double share) noexcept
{
    return rated * boundedShare(share);
}

/// A predicted time that a factor may have made shorter than the hardware allows, s.
[[nodiscard]] inline double boundedTime(double predicted, double least) noexcept
{
    return std::max(predicted, least);
}

} // namespace headroom
