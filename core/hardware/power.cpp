// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/power.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

/// Matmuls of boards with power to spare: A100 SXM 0.86 to 0.87, GH200 0.86 of the 16-bit peak (catalogue, measured).
constexpr double fullClock = 0.86;

double fourth(double x) noexcept
{
    return x * x * x * x;
}

/// Matrix units at full load draw more than the board may: the clock falls until they do not. What is sustained is the
/// softer minimum of what full clocks allow (`clock`, to the power of −4) and of what the power allows. The fourth
/// power is the knee between the two: PCIe against SXM boards of one chip measure 0.82 and 0.86 (A100), 0.66 and 0.82
/// (H100). Fitted, the rate goes with the power itself, as it does where voltage is at its floor.
double softMinimum(double clock, double power) noexcept
{
    return 1 / std::sqrt(std::sqrt(clock + power));
}

} // namespace

double boardWatts(const Hardware& hardware, const Accelerator& accelerator) noexcept
{
    const double rated = std::max(0.0, accelerator.tdpWatts);
    return std::clamp(hardware.powerLimitW.value_or(rated), lowestLimitShare * rated, rated);
}

double powerLimitShare(const Hardware& hardware, const Accelerator& accelerator) noexcept
{
    return accelerator.tdpWatts > 0 ? boardWatts(hardware, accelerator) / accelerator.tdpWatts : 1;
}

double sustainedShare(double share, double fittedWattsPerTflops, double wattsPerTflops) noexcept
{
    if (fittedWattsPerTflops <= 0 || wattsPerTflops <= 0 || share >= fullClock)
        return share;
    const double clock = 1 / fourth(fullClock);
    const double power = 1 / fourth(share) - clock;
    return softMinimum(clock, power * fourth(fittedWattsPerTflops / wattsPerTflops));
}

double shareUnderLimit(double share, double limit) noexcept
{
    // A board that seems to have power to spare has not without end: a tenth of the sum is power (judgement), so that
    // a limit is felt from about two thirds of the rated power.
    constexpr double leastPower = 0.1;
    // A fifth of the rated power is drawn whatever the clock is (judgement, as /energy/idle_share); the rest goes with
    // the clock to the power of 3.15: frequency times a voltage that falls with it would be 3, and with this
    // torchtitan's runs at 500 of 700 W are met. Between boards of one chip, above, the silicon differs too.
    constexpr double still = 0.2, clockExponent = 3.15;
    // Near the fifth nothing is left for the clock; a tenth of the limit is, so that no rate is lost altogether.
    constexpr double leastForClock = 0.1;
    if (limit >= 1 || limit <= 0 || share <= 0)
        return share;
    const double both = 1 / fourth(share);
    const double power = std::max(both - 1 / fourth(fullClock), leastPower * both);
    const double forClock = std::max(limit - still, leastForClock * limit) / (1 - still);
    return softMinimum(both - power, power * std::pow(forClock, -4 / clockExponent));
}

double memoryUnderLimit(double limit) noexcept
{
    // Work that waits for memory draws 137 to 300 W of an H200's 700 (docs/method/matmul.md): below that share the
    // memory waits too.
    constexpr double drawnByMemory = 0.43;
    return std::clamp(limit / drawnByMemory, 0.0, 1.0);
}

} // namespace headroom
