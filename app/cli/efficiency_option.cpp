// SPDX-License-Identifier: GPL-3.0-or-later
// --efficiency: what `headroom-cli calibrate` found, for every scenario of a call.
#include "app/cli/command.hpp"
#include "core/scenario/scenario_json.hpp"

#include <stdexcept>

namespace headroom::cli
{
namespace
{

/// The object stands in a scenario of its own, so that the one reader of the format refuses what is wrong with it.
Efficiency readEfficiencyFile(const std::string& path, const Catalog& catalog)
{
    const auto read = [&catalog](const std::string& text) {
        return readScenario(R"({"format": "headroom-scenario", "version": 1, "model": "llama-3-8b", )"
                            R"("hardware": {"accelerator": "h100-sxm-80gb"}, )"
                            R"("workload": {"task": "training"}, "efficiency": )" +
                                text + "}",
                            catalog);
    };
    const auto reading = readSmallFile(path).and_then(read);
    if (reading)
        return reading->scenario.efficiency;
    Diagnostic problem = reading.error().front();
    problem.file = path;
    throw std::runtime_error(toText(problem));
}

} // namespace

void addEfficiency(CLI::App& command, Context& context)
{
    const auto set = [&context](const std::string& path) {
        context.efficiency = readEfficiencyFile(path, context.catalog());
    };
    command
        .add_option_function<std::string>("--efficiency", set,
                                          "Multipliers that calibrate wrote, in place of the scenarios' own efficiency")
        ->type_name("FILE");
}

} // namespace headroom::cli
