// SPDX-License-Identifier: GPL-3.0-or-later
// Every combination of a small plan tried one by one: the rules of planner_space.hpp written down a second time.
#pragma once

#include "core/explore/planner.hpp"

#include <array>
#include <vector>

namespace headroom::test
{

/// Objective, seconds, GPUs: what the ranking goes by.
using Figures = std::array<double, 3>;

struct BruteForce {
    std::uint64_t configurations = 0;
    std::vector<Figures> ranked;              ///< all that keep the limits, best first
    std::vector<std::array<double, 2>> front; ///< sorted, without repetitions
};

[[nodiscard]] BruteForce bruteForce(const PlanRequest& request);

/// A prepared scenario of catalogue entries at 3 an hour and GPU.
[[nodiscard]] PreparedScenario planBase(const char* model, const char* accelerator, Task task);

} // namespace headroom::test
