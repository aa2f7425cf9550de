// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/command_line.hpp"

#include "core/scenario/scenario_json.hpp"

namespace headroom
{

std::string commandLine(const Scenario& scenario)
{
    std::string quoted;
    for (const char c : writeScenarioLine(scenario))
        // A single quote ends the quoting, stands escaped, and begins it anew.
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "printf '%s\\n' '" + quoted + "' | headroom-cli evaluate -";
}

} // namespace headroom
