// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/cost_energy.hpp"

#include "core/hardware/power.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>

namespace headroom
{

double idlePowerShare(const PreparedScenario& prepared) noexcept
{
    const EnergyCalibration& energy = prepared.calibration->energy;
    if (!prepared.hardware.idleW)
        return energy.idleShare;
    return std::min(energy.runningShare, *prepared.hardware.idleW / prepared.accelerator->tdpWatts);
}

double hostFactor(const PreparedScenario& prepared) noexcept
{
    const auto& share = prepared.hardware.hostShare;
    return share ? 1 + *share : prepared.calibration->energy.hostFactor;
}

std::optional<double> jobWatts(const PreparedScenario& prepared, const Activity& a) noexcept
{
    const double tdp = prepared.accelerator->tdpWatts;
    if (tdp <= 0)
        return std::nullopt;
    const EnergyCalibration& e = prepared.calibration->energy;
    const double idle = idlePowerShare(prepared);
    const double share = idle + a.running * (e.runningShare - idle) + e.memoryShare * a.memory +
                         e.computeShare * (a.compute + a.prompts);
    return std::min(boardWatts(prepared.hardware, *prepared.accelerator), share * tdp) * hostFactor(prepared) *
           double(prepared.hardware.count);
}

SiteEnergy siteEnergy(const Hardware& hardware, double watts, double tokensPerS,
                      std::optional<double> runSeconds) noexcept
{
    constexpr double joulesPerKwh = 3.6e6, million = 1e6, watt = 1e3, gram = 1e3;
    SiteEnergy s;
    s.watts = watts * hardware.pue.value_or(usualPue);
    s.kwhPerMillionTokens = s.watts / tokensPerS * million / joulesPerKwh;
    if (runSeconds)
        s.runKwh = s.watts * *runSeconds / joulesPerKwh;
    if (const auto& price = hardware.electricityPerKwh) {
        s.electricityPerHour = s.watts / watt * *price;
        s.electricityPerMillionTokens = s.kwhPerMillionTokens * *price;
    }
    if (const auto& carbon = hardware.carbonGPerKwh) {
        s.carbonGPerMillionTokens = s.kwhPerMillionTokens * *carbon;
        if (s.runKwh)
            s.runCarbonKg = *s.runKwh * *carbon / gram;
    }
    return s;
}

void addCostAndEnergy(const PreparedScenario& prepared, double tokensPerS, std::optional<double> trainingTokens,
                      Evaluation& result) noexcept
{
    const bool running = tokensPerS > 0;
    result.watts = jobWatts(prepared, result.activity);
    const PoolResult* prefill = result.pools ? &result.pools->prefill : nullptr;
    if (prefill) // both pools are on
        result.watts = result.watts && prefill->watts ? std::optional(*result.watts + *prefill->watts) : std::nullopt;
    if (result.watts && running)
        result.joulesPerToken = *result.watts / tokensPerS;
    // What is paid for over the calendar: spares stand by, and lost hours cost as others do.
    const double overall = result.goodput ? result.goodput->tokensPerS : tokensPerS;
    const std::int64_t spares = result.goodput ? prepared.training.spares : 0;
    if (trainingTokens && running)
        result.secondsToTrain = *trainingTokens / overall;
    if (countsSiteEnergy(prepared.hardware) && result.joulesPerToken)
        result.site = siteEnergy(prepared.hardware, *result.watts, overall, result.secondsToTrain);
    if (!prepared.hardware.pricePerGpuHour)
        return;
    result.costPerHour = *prepared.hardware.pricePerGpuHour * double(prepared.hardware.count + spares);
    if (prefill)
        *result.costPerHour += prefill->costPerHour.value_or(0);
    if (running)
        result.costPerMillionTokens = *result.costPerHour / 3600 * 1e6 / overall;
    if (result.secondsToTrain)
        result.costToTrain = *result.costPerHour * *result.secondsToTrain / 3600;
}

} // namespace headroom
