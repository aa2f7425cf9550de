// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/cost_energy.hpp"

#include "core/hardware/power.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom
{

double idlePowerShare(const PreparedScenario& prepared) noexcept
{
    const EnergyCalibration& energy = prepared.calibration->energy;
    if (!prepared.hardware.power.idleW)
        return energy.idleShare;
    return std::min(energy.runningShare, *prepared.hardware.power.idleW / prepared.accelerator->tdpWatts);
}

double hostFactor(const PreparedScenario& prepared) noexcept
{
    const auto& share = prepared.hardware.power.hostShare;
    return share ? 1 + *share : prepared.calibration->energy.hostFactor;
}

std::optional<double> jobWatts(const PreparedScenario& prepared, double devices, const Activity& a) noexcept
{
    const double tdp = prepared.accelerator->tdpWatts;
    if (tdp <= 0)
        return std::nullopt;
    const EnergyCalibration& e = prepared.calibration->energy;
    const double idle = idlePowerShare(prepared);
    const double share = idle + a.running * (e.runningShare - idle) + e.memoryShare * a.memory +
                         e.computeShare * (a.compute + a.prompts);
    return std::min(boardWatts(prepared.hardware, *prepared.accelerator), share * tdp) * hostFactor(prepared) * devices;
}

std::optional<double> carbonKg(const Hardware& hardware, std::optional<double> kwh) noexcept
{
    constexpr double gram = 1e3;
    const auto& carbon = hardware.power.carbonGPerKwh;
    return carbon && kwh ? std::optional(*kwh * *carbon / gram) : std::nullopt;
}

SiteEnergy siteEnergy(const Hardware& hardware, double watts, double tokensPerS,
                      std::optional<double> runSeconds) noexcept
{
    constexpr double million = 1e6, watt = 1e3;
    SiteEnergy s;
    s.watts = watts * hardware.power.pue.value_or(usualPue);
    s.kwhPerMillionTokens = s.watts / tokensPerS * million / joulesPerKwh;
    if (runSeconds)
        s.runKwh = s.watts * *runSeconds / joulesPerKwh;
    if (const auto& price = hardware.power.electricityPerKwh) {
        s.electricityPerHour = s.watts / watt * *price;
        s.electricityPerMillionTokens = s.kwhPerMillionTokens * *price;
    }
    if (const auto& carbon = hardware.power.carbonGPerKwh)
        s.carbonGPerMillionTokens = s.kwhPerMillionTokens * *carbon;
    s.runCarbonKg = carbonKg(hardware, s.runKwh);
    return s;
}

double paidTokensPerS(const Evaluation& e) noexcept
{
    if (e.rl)
        return e.rl->tokens / e.rl->stepS * (e.goodput ? e.goodput->share : 1);
    return e.goodput ? e.goodput->tokensPerS : *e.tokensPerS;
}

namespace
{

/// Time of the whole run and what is paid for `gpus` and the spares that stand by. Lost hours cost as others do.
void addRun(const PreparedScenario& prepared, double gpus, double paidTokensPerS, std::optional<double> trainingTokens,
            Evaluation& result) noexcept
{
    if (trainingTokens && paidTokensPerS > 0)
        result.secondsToTrain = *trainingTokens / paidTokensPerS;
    if (!prepared.hardware.pricePerGpuHour)
        return;
    const std::int64_t spares = result.goodput ? prepared.training.reliability.spares : 0;
    result.costPerHour = *prepared.hardware.pricePerGpuHour * (gpus + double(spares));
    if (result.pools)
        *result.costPerHour += result.pools->prefill.costPerHour.value_or(0);
    if (paidTokensPerS > 0)
        result.costPerMillionTokens = costPerMillion(*result.costPerHour, paidTokensPerS);
    if (result.secondsToTrain)
        result.costToTrain = *result.costPerHour * *result.secondsToTrain / secondsPerHour;
}

} // namespace

void addCostAndEnergy(const PreparedScenario& prepared, double tokensPerS, std::optional<double> trainingTokens,
                      Evaluation& result) noexcept
{
    const bool running = tokensPerS > 0;
    result.watts = jobWatts(prepared, double(prepared.hardware.count), result.activity);
    if (const PoolResult* prefill = result.pools ? &result.pools->prefill : nullptr) // both pools are on
        result.watts = result.watts && prefill->watts ? std::optional(*result.watts + *prefill->watts) : std::nullopt;
    if (result.watts && running)
        result.joulesPerToken = *result.watts / tokensPerS;
    const double overall = paidTokensPerS(result);
    addRun(prepared, double(prepared.hardware.count), running ? overall : 0, trainingTokens, result);
    if (countsSiteEnergy(prepared.hardware) && result.joulesPerToken)
        result.site = siteEnergy(prepared.hardware, *result.watts, overall, result.secondsToTrain);
}

void addRlCost(const PreparedScenario& prepared, Evaluation& result) noexcept
{
    result.watts.reset();
    result.joulesPerToken.reset();
    result.site.reset();
    addRun(prepared, result.rl->gpus, paidTokensPerS(result), prepared.training.trainingTokens, result);
}

} // namespace headroom
