// SPDX-License-Identifier: GPL-3.0-or-later
// PhysicsDraw: a random valid scenario as a row of choices, which a failure shrinks to the smallest that still fails.
#pragma once

#include "core/predict/evaluate.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

namespace headroom::test
{

/// One number a question that the scenario is made from; 0 is each question's plainest answer.
struct PhysicsDraw {
    Task task = Task::Training;
    std::array<std::uint16_t, 112> choice{};
};

/// Over the whole catalogue: every model, every accelerator that can be evaluated, devices and models of the user's
/// own, every layout, precision, method, optimiser, engine, schedule and load.
[[nodiscard]] Scenario physicsScenario(const PhysicsDraw& draw);

/// What rapidcheck prints of a failure: a .headroom file.
void showValue(const PhysicsDraw& draw, std::ostream& out);

/// How many scenarios a check draws: `normal`, times max_success of RC_PARAMS over its default of 100.
[[nodiscard]] int physicsCount(int normal);
/// The seed of RC_PARAMS, or one of this run; printed by the first call.
[[nodiscard]] std::uint64_t physicsSeed();
/// Scenarios that checks of this program have drawn and evaluated.
[[nodiscard]] long physicsScenariosDrawn();

/// Draws `count` scenarios of `task` and asks `wrong` of each: empty where all is well, else what is not. A failure is
/// shrunk and printed with its scenario as JSON.
[[nodiscard]] bool physicsHolds(const std::string& name, Task task, int count,
                                const std::function<std::string(const PreparedScenario&)>& wrong);

/// The scenario with another setup, as JSON on one line.
[[nodiscard]] std::string physicsText(const PreparedScenario& prepared);

} // namespace headroom::test
