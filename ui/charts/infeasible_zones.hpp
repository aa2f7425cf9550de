// SPDX-License-Identifier: GPL-3.0-or-later
// Infeasible zones: the stretches of a chart in which the scenario cannot run.
#pragma once

#include "ui/charts/chart_scene.hpp"

#include <QRectF>
#include <vector>

namespace headroom::ui
{

/// Over the whole height of the plot, in pixels, left to right; none where everything fits or no live line says so.
[[nodiscard]] std::vector<QRectF> infeasibleZones(const ChartScene& scene);

} // namespace headroom::ui
