// SPDX-License-Identifier: GPL-3.0-or-later
// What the nearest published run says about a metric, as the explanation shows it.
#pragma once

#include "core/charts/chart_registry.hpp"
#include "ui/theme/theme.hpp"

#include <QString>

namespace headroom::ui
{

/// Empty where no run measured the metric, or none are there yet.
[[nodiscard]] QString nearestRunHtml(const QString& metricId, const ChartContext& context, const Theme& theme);

} // namespace headroom::ui
