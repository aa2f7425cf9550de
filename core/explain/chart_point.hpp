// SPDX-License-Identifier: GPL-3.0-or-later
// ChartPoint: what stands behind one point of a chart — the scenario there, its evaluation, the metric it shows.
#pragma once

#include "core/charts/chart_registry.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace headroom
{

struct ChartPoint {
    std::string metricId; ///< in the metric registry
    PreparedScenario scenario;
    Evaluation evaluation;
    std::string where; ///< "at micro-batch 128, pin A"; empty: the scenario in hand
};

/// The point `index` of the series (the cell of the heat map) `seriesId` of a chart that was built from `context`.
/// Empty when there is no such point, when nothing was computed for it, or when it cannot be evaluated.
[[nodiscard]] std::optional<ChartPoint> chartPoint(const ChartContext& context, const ChartSpec& spec,
                                                   std::string_view seriesId, std::size_t index);

} // namespace headroom
