// SPDX-License-Identifier: GPL-3.0-or-later
// The builders behind the chart registry, one per file, and the figures they share.
#pragma once

#include "core/charts/chart_registry.hpp"

namespace headroom::charts
{

[[nodiscard]] ChartSpec utilization(const ChartContext& context);
[[nodiscard]] ChartSpec latency(const ChartContext& context);
[[nodiscard]] ChartSpec stepTime(const ChartContext& context);
[[nodiscard]] ChartSpec roofline(const ChartContext& context);
[[nodiscard]] ChartSpec lossLadder(const ChartContext& context);
[[nodiscard]] ChartSpec timeBreakdown(const ChartContext& context);
[[nodiscard]] ChartSpec memory(const ChartContext& context);
[[nodiscard]] ChartSpec throughput(const ChartContext& context);
[[nodiscard]] ChartSpec cost(const ChartContext& context);
[[nodiscard]] ChartSpec sensitivity(const ChartContext& context);
[[nodiscard]] ChartSpec heatMap(const ChartContext& context);
[[nodiscard]] ChartSpec conventions(const ChartContext& context);

} // namespace headroom::charts
