// SPDX-License-Identifier: GPL-3.0-or-later
// near(): whether a figure agrees with the one that is expected, of which the tolerance is a share.
#pragma once

#include <cmath>

namespace headroom::test
{

[[nodiscard]] inline bool near(double value, double expected, double tolerance = 1e-9)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

} // namespace headroom::test
