// SPDX-License-Identifier: GPL-3.0-or-later
// Measurement: which settings a scenario's measurement is of, and what becomes of it when they change.
#pragma once

#include "core/scenario/scenario.hpp"

namespace headroom
{

/// What of a scenario decides what a run of it would measure. Not among it: names, price, targets, the length of the
/// whole training (they change no step), the efficiencies (they are the prediction's) and the accounting, except where
/// the measurement states a utilisation alone, which means nothing without its count. The software is: what one stack
/// measured, another did not.
[[nodiscard]] RunSettings runSettings(const Scenario& scenario);

/// Whether two of them are one job; what is left out stands for what it means.
[[nodiscard]] bool sameRun(const RunSettings& a, const RunSettings& b);

/// The scenario's measurement is of its own settings.
[[nodiscard]] inline bool isMeasuredHere(const Scenario& scenario)
{
    return scenario.measured.any() && !scenario.measuredWith;
}

/// Takes the measurement of `base` out of a setup that is no longer the run it was made on.
void leaveMeasurement(Setup& setup, const Setup& base);

/// A scenario after an edit of it: a measurement stays with the settings it was made with (Scenario::measuredWith) and
/// is again of the scenario where those come back; figures that the edit states are of the new settings, and the old
/// ones go. Where the edit gives a run with a source another model, accelerator or task, it begins a scenario of the
/// user's own: name, notes, source, year and measurement of that run go.
[[nodiscard]] Scenario afterEdit(const Scenario& before, Scenario after);

/// The settings that were measured, with what decides no run (prices, targets, efficiencies) as it is here.
[[nodiscard]] Scenario atMeasuredSettings(Scenario scenario);

/// The measurement is of the settings in hand: they are what was run, said later than its figures.
[[nodiscard]] Scenario measuredHere(Scenario scenario);

/// Without the measurement; where it was of other settings, also without the source and year of that run.
[[nodiscard]] Scenario withoutMeasurement(Scenario scenario);

} // namespace headroom
