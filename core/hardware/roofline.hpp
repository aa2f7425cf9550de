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

/// (1 + x)^a − 1 for 0 ≤ x < 0.02: eight terms of the binomial series are exact to the last bit or two, and take half
/// the time of a power; below 10⁻⁴ three are. Nested: a·x·(1 + (a − 1)/2·x·(1 + (a − 2)/3·x·(…))).
[[nodiscard]] inline double rootMinusOne(double x, double a) noexcept
{
    const auto nested = [a, x](double n, double rest) { return 1 + (a - (n - 1)) * (1 / n) * x * rest; };
    const double rest = x < 1e-4 ? 1 : nested(4, nested(5, nested(6, nested(7, nested(8, 1)))));
    return a * x * nested(2, nested(3, rest));
}

/// x^p of a share x ≤ 1 for p ≥ 0, in two thirds of the time of std::pow(), which is exact to the last digit and more;
/// here p·|ln x| of the last one are lacking. A difference that rounding has left below 0 is none.
[[nodiscard]] inline double powerOfShare(double x, double p) noexcept
{
    return std::exp2(p * std::log2(std::max(x, std::numeric_limits<double>::min())));
}

/// (a^p + b^p)^(1/p): never below max(a, b), at most 2^(1/p)·max(a, b). Both times ≥ 0, same unit; p ≥ 1.
[[nodiscard]] inline double softMaximum(double a, double b, double p) noexcept
{
    const double larger = std::max(a, b);
    const double smaller = std::min(a, b);
    if (p >= hardRoofline)
        return larger;
    // Powers by logarithms, in half the time of std::pow(): what they lack in digits, power·|ln power| of the
    // last one, is less than one digit of the result. At most 1: no overflow whatever the unit.
    constexpr double half = -53; // 2^x is half of the last digit
    const double logarithm = p * std::log2(smaller / larger);
    if (!(logarithm >= half)) // −∞ of no time at all beside some; no number of two that are none
        return larger;
    const double power = std::exp2(logarithm);
    if (power < 0.02)
        return larger + larger * rootMinusOne(power, 1 / p);
    return larger * std::exp2(std::log2(1 + power) / p);
}

} // namespace headroom
