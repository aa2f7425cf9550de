// SPDX-License-Identifier: GPL-3.0-or-later
// everyFigure(): a result in which every figure has a value of its own; a scenario with which every chart comes.
#pragma once

#include "core/predict/evaluate.hpp"

namespace headroom::test
{

/// No two of its figures are alike, so a test sees which one it was given.
[[nodiscard]] Evaluation everyFigure();

/// Gives the scenario what charts come with, of either task: a profile, phases, classes of requests, a day.
void bringEveryChart(Scenario& scenario);

} // namespace headroom::test
