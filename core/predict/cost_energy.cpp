// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/cost_energy.hpp"

#include "core/hardware/power.hpp"

#include <algorithm>

namespace headroom
{

std::optional<double> jobWatts(const PreparedScenario& prepared, double utilization) noexcept
{
    const double tdp = prepared.accelerator->tdpWatts;
    if (tdp <= 0)
        return std::nullopt;
    const EnergyCalibration& energy = prepared.calibration->energy;
    const double idle = energy.idleShare * tdp;
    const double drawn = idle + (tdp - idle) * std::max(0.0, utilization) / energy.utilizationAtTdp;
    return std::min(boardWatts(prepared.hardware, *prepared.accelerator), drawn) * energy.hostFactor *
           double(prepared.hardware.count);
}

void addCostAndEnergy(const PreparedScenario& prepared, double tokensPerS, std::optional<double> trainingTokens,
                      Evaluation& result) noexcept
{
    const bool running = tokensPerS > 0;
    result.watts = jobWatts(prepared, result.activity.utilization());
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
