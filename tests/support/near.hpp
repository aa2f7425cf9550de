// SPDX-License-Identifier: GPL-3.0-or-later
// near(): whether two figures agree, of the larger of them.
#pragma once

#include <algorithm>
#include <cmath>

namespace headroom::test
{

[[nodiscard]] inline bool near(double a, double b, double tolerance = 1e-9)
{
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

} // namespace headroom::test
