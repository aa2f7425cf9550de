// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/cost_energy.hpp"

#include "core/hardware/power.hpp"
#include "core/predict/day.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

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
    const double most = boardWatts(prepared.hardware, *prepared.accelerator);
    const double idle = std::min(most, idlePowerShare(prepared) * tdp);
    // While nothing runs no limit is reached: what holds the running part back is its own share of the time.
    const double share =
        a.running * e.runningShare + e.memoryShare * a.memory + e.computeShare * (a.compute + a.prompts);
    const double each = (1 - a.running) * idle + std::min(a.running * most, share * tdp);
    return each * hostFactor(prepared) * devices;
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

std::optional<double> paidJoulesPerToken(const Evaluation& e) noexcept
{
    return e.goodput && e.watts ? std::optional(*e.watts / paidTokensPerS(e)) : e.joulesPerToken;
}

namespace
{

/// Power of so many devices, with that of the pool beside them, and what follows from it: `tokensPerS` while they run,
/// `paidPerS` over the calendar.
void addEnergy(const PreparedScenario& prepared, double devices, double tokensPerS, double paidPerS,
               Evaluation& result) noexcept
{
    result.watts = jobWatts(prepared, devices, result.activity);
    if (const PoolResult* prefill = result.pools ? &result.pools->prefill : nullptr) // both pools are on
        result.watts = result.watts && prefill->watts ? std::optional(*result.watts + *prefill->watts) : std::nullopt;
    if (result.watts && tokensPerS > 0)
        result.joulesPerToken = *result.watts / tokensPerS;
    if (countsSiteEnergy(prepared.hardware) && result.joulesPerToken)
        result.site = siteEnergy(prepared.hardware, *result.watts, paidPerS, result.secondsToTrain);
}

/// What one of fewer does, or of more, where each has `load` times the requests: in as much longer a time is none in
/// flight as Poisson's law has it, and a pass moves what it moved.
Activity shared(const Activity& one, double load)
{
    const double running = 1 - std::pow(1 - std::min(1.0, one.running), load);
    return {.compute = one.compute * load,
            .memory = one.running > 0 ? one.memory * running / one.running : 0,
            .prompts = one.prompts * load,
            .running = running};
}

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
    const double overall = paidTokensPerS(result);
    addRun(prepared, double(prepared.hardware.count), running ? overall : 0, trainingTokens, result);
    addEnergy(prepared, double(prepared.hardware.count), tokensPerS, overall, result);
}

RunningGpus runningGpus(const Evaluation& e) noexcept
{
    const double all = e.day->gpuHours / double(LoadProfile::hours);
    const double writers = e.pools ? e.day->replicas * e.pools->decode.devices / e.pools->decode.instances : all;
    return {writers, all - writers};
}

void addCostAndEnergyOfDay(const PreparedScenario& prepared, const PreparedScenario* reader,
                           Evaluation& result) noexcept
{
    const RunningGpus runs = runningGpus(result);
    const double served = result.day->servedRequestsPerS * inference::answerTokens(prepared.inference);
    PoolsResult* pools = result.pools ? &*result.pools : nullptr;
    const double readers = pools ? runs.readers / pools->prefill.devices : 0; // for each of the scenario's
    if (result.day->cost) {
        result.costPerHour = *result.day->cost / double(LoadProfile::hours);
        result.costPerMillionTokens = costPerMillionOfDay(*result.day, prepared.inference);
        if (pools)
            pools->decode.costPerHour = *prepared.hardware.pricePerGpuHour * runs.writers;
        if (pools && pools->prefill.costPerHour)
            *pools->prefill.costPerHour *= readers;
    }
    if (!(runs.writers > 0) || !(*result.tokensPerS > 0))
        return;
    const double load = served / runs.writers / (*result.tokensPerS / double(prepared.hardware.count));
    result.activity = shared(result.activity, load);
    if (pools) {
        pools->decode.watts = jobWatts(prepared, runs.writers, result.activity);
        // What prompts take above idle is the same, whoever reads them.
        const auto idle = jobWatts(*reader, pools->prefill.devices, {.running = 0});
        if (pools->prefill.watts && idle)
            *pools->prefill.watts += *idle * (readers - 1);
    }
    addEnergy(prepared, runs.writers, served, served, result);
}

void addRlCost(const PreparedScenario& prepared, Evaluation& result) noexcept
{
    result.watts.reset();
    result.joulesPerToken.reset();
    result.site.reset();
    addRun(prepared, result.rl->gpus, paidTokensPerS(result), prepared.training.trainingTokens, result);
}

} // namespace headroom
