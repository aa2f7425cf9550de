// SPDX-License-Identifier: GPL-3.0-or-later
// Command line: a scenario as the headroom-cli call that gives the same numbers, ready for a shell.
#pragma once

#include "core/scenario/scenario.hpp"

#include <string>

namespace headroom
{

/// One line for a POSIX shell; the scenario travels with it, no file is needed.
[[nodiscard]] std::string commandLine(const Scenario& scenario);

} // namespace headroom
