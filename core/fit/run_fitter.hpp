// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/fit: the multipliers of runs that can be, whatever their accelerators.
#pragma once

#include "core/fit/user_fit.hpp"

#include <string>
#include <vector>

namespace headroom
{

/// One run that decides, and what it is called.
struct NamedRun {
    PreparedScenario run;
    std::string name;
};

/// As fitToRuns(), of runs that are not faster than the speed of light.
[[nodiscard]] Expected<UserFit> fitNamed(std::vector<NamedRun> runs);

} // namespace headroom
