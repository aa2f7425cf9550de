// SPDX-License-Identifier: GPL-3.0-or-later
// --efficiency: what `headroom-cli calibrate` found, for every scenario of a call.
#include "app/cli/command.hpp"
#include "core/scenario/scenario_json.hpp"

namespace headroom::cli
{
namespace
{

FittedEfficiency readEfficiencyFile(const std::string& path)
{
    const auto reading = readInputFile(path).and_then([](const std::string& text) { return readEfficiency(text); });
    if (reading)
        return *reading;
    endWith(reading.error(), path);
}

} // namespace

void addEfficiency(CLI::App& command, Context& context)
{
    const auto set = [&context](const std::string& path) { context.efficiency = readEfficiencyFile(path); };
    command
        .add_option_function<std::string>("--efficiency", set,
                                          "Multipliers that calibrate wrote, in place of the scenarios' own efficiency")
        ->type_name("FILE");
}

} // namespace headroom::cli
