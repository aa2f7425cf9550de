// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/stated_value.hpp"

#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_fields.hpp"

namespace headroom
{

void askFor(Setup& setup, std::string_view object)
{
    if (object == fields::reliability && !countsFailures(setup.training))
        setup.training.reliability.gpuMtbfHours = usualGpuMtbfHours;
    else if (object == fields::rlKey && !isRl(setup))
        setup.training.rl.prompts = usualRlPrompts;
    else if (object == fields::autoscale && !autoscales(setup.inference))
        setup.inference.autoscale.target = usualAutoscaleTarget;
}

void stateValue(Setup& setup, const ParameterRow& row, double value)
{
    constexpr std::string_view workload = "/workload/";
    row.set(setup, value);
    if (!row.path.starts_with(workload))
        return;
    const std::string_view key = row.path.substr(workload.size());
    if (const std::size_t slash = key.find('/'); slash != key.npos)
        askFor(setup, key.substr(0, slash));
}

} // namespace headroom
