// SPDX-License-Identifier: GPL-3.0-or-later
// Goodput of a long run: what failures, checkpoints and restarts leave of its time (docs/method/goodput.md).
#pragma once

#include "core/predict/evaluation.hpp"

namespace headroom
{

/// What decides how much of its time a job that fails and restarts trains for, all in s and above 0 (restart: from 0).
struct FailureModel {
    double mtbf = 1;       ///< mean time between interruptions
    double checkpoint = 1; ///< that one checkpoint stops the training for
    double restart = 0;    ///< from an interruption to training again: noticing, replacing, loading
};

/// No ratio is less: below it a run ends at no date worth printing, and no figure divides by zero.
inline constexpr double leastTrainingTimeRatio = 1e-12;

/// Training between two checkpoints that loses least, s: the higher-order optimum of Daly, "A higher order
/// estimate of the optimum checkpoint interval for restart dumps", Future Generation Computer Systems 22 (2006).
[[nodiscard]] double bestCheckpointInterval(const FailureModel& model) noexcept;

/// Useful time over all time, leastTrainingTimeRatio…1, with `interval` s of training between two checkpoints: Daly's
/// complete model, failures exponential in time and possible while it restarts too.
[[nodiscard]] double effectiveTrainingTimeRatio(const FailureModel& model, double interval) noexcept;

/// How much longer a step of `ranks` takes that wait for the slowest, where their times are normal with a standard
/// deviation of `sigma` of the mean: 1 + σ·Φ⁻¹((n − 0.375) ÷ (n + 0.25)), nearly the mean maximum of n normal values
/// (Blom, Statistical Estimates and Transformed Beta-Variables, 1958), by Abramowitz and Stegun's 26.2.23 for Φ⁻¹.
[[nodiscard]] double stragglerFactor(double sigma, double ranks) noexcept;

/// The losses of `goodput`, whose ratio, stragglers and maintenance are known, and what is left: its `share`.
void divideCalendar(Goodput& goodput, const FailureModel& model) noexcept;

/// Seconds of the calendar that train nothing; empty without training tokens or without failures counted.
[[nodiscard]] std::optional<double> lostSeconds(const Evaluation& evaluation) noexcept;

} // namespace headroom
