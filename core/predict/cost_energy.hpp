// SPDX-License-Identifier: GPL-3.0-or-later
// Cost and energy of a job (docs/method/energy_cost.md): power from what the GPUs do, joules a token, price per hour
// and per token.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/units/numbers.hpp"

namespace headroom
{

/// Watts of so many of the job's devices with their hosts; empty where the accelerator's power is unknown.
[[nodiscard]] std::optional<double> jobWatts(const PreparedScenario& prepared, double devices,
                                             const Activity& activity) noexcept;

/// What an idle board draws over its rated power, at most what it draws while passes run. Precondition: that is known.
[[nodiscard]] double idlePowerShare(const PreparedScenario& prepared) noexcept;
/// Power of boards and hosts over that of the boards.
[[nodiscard]] double hostFactor(const PreparedScenario& prepared) noexcept;

inline constexpr double joulesPerKwh = 3.6e6;
/// What so many kWh emit, kg; empty where they or the carbon intensity are not known.
[[nodiscard]] std::optional<double> carbonKg(const Hardware& hardware, std::optional<double> kwh) noexcept;

/// What a site draws, costs and emits for machines of `watts` W that make `tokensPerS` paid tokens a second, and for a
/// run of `runSeconds` s where one is known.
[[nodiscard]] SiteEnergy siteEnergy(const Hardware& hardware, double watts, double tokensPerS,
                                    std::optional<double> runSeconds) noexcept;

/// Money per million tokens: of devices that cost `perHour` together and put out `tokensPerS`. Precondition: above 0.
[[nodiscard]] inline double costPerMillion(double perHour, double tokensPerS) noexcept
{
    return perHour / secondsPerHour * 1e6 / tokensPerS;
}

/// Fills cost and energy of `result`, whose activity is known: `tokensPerS` of the whole job are the tokens that are
/// paid for (processed in training, output in inference), `trainingTokens` those of the whole run. Empty where price or
/// power is unknown.
void addCostAndEnergy(const PreparedScenario& prepared, double tokensPerS, std::optional<double> trainingTokens,
                      Evaluation& result) noexcept;

/// GPUs of a day, mean of its hours: those that write, and those of a prefill pool beside them.
struct RunningGpus {
    double writers = 0, readers = 0;
};

/// Precondition: `result.day`.
[[nodiscard]] RunningGpus runningGpus(const Evaluation& result) noexcept;

/// Makes cost and energy of `result`, whose `day` is known, those of the replicas that run, means of its hours: the
/// day's requests are shared by fewer than the scenario has, or by more. `reader` is the scenario of the prefill pool;
/// null without one. Precondition: autoscales(), and addCostAndEnergy() has been called.
void addCostAndEnergyOfDay(const PreparedScenario& prepared, const PreparedScenario* reader,
                           Evaluation& result) noexcept;

/// Of a job whose steps of reinforcement learning are in `result`: time and cost of the GPUs on both sides, for the
/// tokens that are learned from. Power is not predicted while answers are generated: what follows from it is left out.
void addRlCost(const PreparedScenario& prepared, Evaluation& result) noexcept;

/// Tokens a second that are paid for, over the calendar where failures count: of a step of reinforcement learning those
/// that are learned from. Precondition: `result.tokensPerS`.
[[nodiscard]] double paidTokensPerS(const Evaluation& result) noexcept;
/// Joules of a token that is paid for: lost hours draw what others do. Empty where the power is unknown.
[[nodiscard]] std::optional<double> paidJoulesPerToken(const Evaluation& result) noexcept;

} // namespace headroom
