// SPDX-License-Identifier: GPL-3.0-or-later
// binaryLogarithm() and binaryPower(): log2 and exp2 of ordinary numbers, in half the time of the C library's.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace headroom
{

namespace binary
{

/// ln 2.
inline constexpr double ln2 = 0.693147180559945309417;
/// Of a double; and what is added to its exponent.
inline constexpr int mantissaBits = 52;
inline constexpr std::int64_t bias = 1023;

/// A step of a table of logarithms: numbers near 1/inverse.
struct Step {
    double inverse, logarithm; ///< to the base 2, of 1/inverse
};
/// Of the mantissa, that pick a step; and of the exponent behind its point, that pick a root.
inline constexpr int logBits = 7, powerBits = 6;

/// −log2(x) for x near and below 1, by the series of the inverse hyperbolic tangent.
constexpr double minusLog2(double x)
{
    const double s = (1 - x) / (1 + x), square = s * s;
    double sum = 0;
    for (int n = 41; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    return 2 * s * sum / ln2;
}

/// Of 1/128 each, from 1 to 2.
constexpr std::array<Step, 1 << logBits> makeSteps()
{
    std::array<Step, 1 << logBits> steps{};
    double middle = 1 + 0.5 / steps.size();
    for (Step& step : steps) {
        step.inverse = 1 / middle;
        step.logarithm = minusLog2(step.inverse);
        middle += 1.0 / steps.size();
    }
    return steps;
}

/// 2^(j/64) for j = 0…63.
constexpr std::array<double, 1 << powerBits> makeRoots()
{
    std::array<double, 1 << powerBits> roots{};
    double j = 0;
    for (double& root : roots) {
        const double x = j++ * ln2 / roots.size();
        root = 1;
        for (int n = 20; n >= 1; --n)
            root = 1 + root * x / n;
    }
    return roots;
}

/// The tables.
inline constexpr auto steps = makeSteps();
inline constexpr auto roots = makeRoots();

} // namespace binary

/// log2(x) of a normal number above 0, within 5·10⁻¹⁶ of it or of 1, whichever is more. 128 steps, and the series of
/// ln(1 + t) for |t| < 1/256, whose seventh power is below the last digit.
[[nodiscard]] inline double binaryLogarithm(double x) noexcept
{
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<std::int64_t>(bits >> binary::mantissaBits) - binary::bias;
    constexpr std::uint64_t mantissa = (std::uint64_t{1} << binary::mantissaBits) - 1;
    constexpr std::uint64_t one = std::uint64_t{binary::bias} << binary::mantissaBits;
    const binary::Step& step = binary::steps[(bits & mantissa) >> (binary::mantissaBits - binary::logBits)];
    const double t = std::bit_cast<double>((bits & mantissa) | one) * step.inverse - 1;
    const double series = t * (1 + t * (-1.0 / 2 + t * (1.0 / 3 + t * (-1.0 / 4 + t * (1.0 / 5 + t * (-1.0 / 6))))));
    return static_cast<double>(exponent) + (step.logarithm + series * (1 / binary::ln2));
}

/// 2^y for |y| ≤ 1000, within 5·10⁻¹⁶ of it: 64 roots of 2, and the series of e^g for |g| < ln 2 / 128.
[[nodiscard]] inline double binaryPower(double y) noexcept
{
    // Added to a number so large that its last binary place is 1/64, y is rounded to that.
    constexpr double large = 1.5 * (std::int64_t{1} << (binary::mantissaBits - binary::powerBits));
    const double rounded = y + large, g = (y - (rounded - large)) * binary::ln2;
    const auto places = std::bit_cast<std::int64_t>(rounded);
    const auto root = static_cast<std::uint64_t>(places) & (binary::roots.size() - 1);
    // Above those places lie the whole powers of 2; what is above them in turn leaves the exponent's bits.
    const auto whole = static_cast<std::uint64_t>(places >> binary::powerBits) << binary::mantissaBits;
    const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(binary::roots[root]) + whole);
    return power + power * g * (1 + g * (1.0 / 2 + g * (1.0 / 6 + g * (1.0 / 24 + g * (1.0 / 120)))));
}

/// x^p of a share 0 < x ≤ 1 for p ≥ 0, within 10⁻¹⁵·(1 + p·max(1, |log2(x)|)) of it; 0 below 2⁻¹⁰⁰⁰.
[[nodiscard]] inline double powerOfShare(double x, double p) noexcept
{
    constexpr double least = -1000;
    const double exponent = p * binaryLogarithm(x);
    return exponent < least ? 0 : binaryPower(exponent);
}

} // namespace headroom
