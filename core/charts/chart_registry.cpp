// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/chart_registry.hpp"

#include "core/charts/builders.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

constexpr ChartRow table[] = {
    // id, title, description, training, inference, builder; in the dashboard's order
    {"utilization", "Utilisation", "MFU, HFU and MBU along the swept parameter, beside the speed of light.", true, true,
     charts::utilization},
    {"memory", "Memory per GPU", "What fills the memory along the swept parameter, against the capacity.", true, true,
     charts::memory},
    {"step_time", "Step time", "Time of an optimizer step along the swept parameter.", true, false, charts::stepTime},
    {"latency", "Latency", "TPOT and TTFT along the swept parameter, against the targets.", false, true,
     charts::latency},
};

} // namespace

std::span<const ChartRow> chartRegistry()
{
    return table;
}

const ChartRow* chartRow(std::string_view id)
{
    const auto row = std::ranges::find(table, id, &ChartRow::id);
    return row == std::end(table) ? nullptr : row;
}

} // namespace headroom
