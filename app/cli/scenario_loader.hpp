// SPDX-License-Identifier: GPL-3.0-or-later
// LoadedScenario: a scenario text read and prepared, or the reasons why not.
#pragma once

#include "app/cli/command.hpp"
#include "app/cli/scenario_source.hpp"
#include "core/predict/evaluate.hpp"

#include <functional>

namespace headroom::cli
{

struct LoadedScenario {
    bool refused = false;
    std::string name;          ///< empty where none was given or could be read
    std::string note;          ///< what was measured with other settings; mostly empty
    Scenario scenario;         ///< a default one when refused
    PreparedScenario prepared; ///< `scenario`, prepared; empty pointers when refused
    Diagnostics messages;      ///< errors when refused (the first counts), else warnings; file and line filled in
};

[[nodiscard]] LoadedScenario load(const ScenarioText& text, const std::string& file, Context& context);

/// Every scenario of a file that is not refused goes to `use`, with its place. Prints what is wrong.
void loadEach(const std::string& file, Context& context,
              const std::function<void(LoadedScenario&, const ScenarioText&, const std::string& name)>& use);

/// The only scenario of a file, for the subcommands that take one. Prints what is wrong.
[[nodiscard]] std::optional<LoadedScenario> loadOne(const std::string& file, Context& context);

} // namespace headroom::cli
