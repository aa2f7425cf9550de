// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of one chart: what it is drawn over, its numbers, its ways out of the window.
#pragma once

class QMenu;

namespace headroom::ui
{

class ChartView;
class DashboardPage;
class Dialogs;
class Recalculator;
class Settings;

struct ChartMenuServices {
    DashboardPage& page;
    Recalculator& recalculator;
    Settings& settings;
    Dialogs& dialogs;
};

/// Fills an empty menu for a chart of the page.
void fillChartMenu(QMenu& menu, ChartView& chart, const ChartMenuServices& services);

} // namespace headroom::ui
