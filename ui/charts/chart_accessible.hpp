// SPDX-License-Identifier: GPL-3.0-or-later
// Chart accessibility: what assistive technology hears of a ChartView, which QCustomPlot leaves silent.
#pragma once

class QString;

namespace headroom::ui
{

class ChartView;

/// Registers the interface (role Chart) for every ChartView; calling it again does nothing.
void installChartAccessibility();

/// Tells assistive technology that the cursor stands on another point.
void announce(ChartView& view);

} // namespace headroom::ui
