// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/chart_registry.hpp"

#include "core/charts/builders.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

constexpr ChartRow table[] = {
    // id, title, description, training, inference, swept, builder; in the dashboard's order
    {"utilization", "Utilisation", "MFU, HFU and MBU along the swept parameter, beside the speed of light.", true, true,
     true, charts::utilization},
    {"roofline", "Roofline", "Every operator by FLOP per byte and rate, under the device's roofs.", true, true, false,
     charts::roofline},
    {"loss_ladder", "Where the peak goes", "The losses from 100 % of peak down to the predicted and the measured MFU.",
     true, true, false, charts::lossLadder},
    {"memory", "Memory per GPU", "What fills the memory along the swept parameter, against the capacity.", true, true,
     true, charts::memory},
    {"step_time", "Step time", "Time of an optimizer step along the swept parameter.", true, false, true,
     charts::stepTime},
    {"latency", "Latency", "TPOT and TTFT along the swept parameter, against the targets.", false, true, true,
     charts::latency},
    {"sensitivity", "What would help", "The next step of each everyday parameter and what it gains.", true, true, false,
     charts::sensitivity},
    {"throughput", "Throughput against speed", "Output of a GPU against the speed of one user, along the batch.", false,
     true, true, charts::throughput},
    {"time_breakdown", "Where the time goes", "The parts of the step time or of the time per token.", true, true, false,
     charts::timeBreakdown},
    {"cost", "Cost per million tokens", "Money, or GPU-hours without a price, along the swept parameter.", true, true,
     true, charts::cost},
    {"heat_map", "Heat map", "MFU or throughput over two parameters, with what does not fit.", true, true, false,
     charts::heatMap},
    {"conventions", "Counting conventions", "The same run's MFU as ten conventions count it.", true, false, false,
     charts::conventions},
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
