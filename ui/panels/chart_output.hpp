// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window from a chart: its picture or its numbers, to the clipboard or into a file.
#pragma once

#include <QString>

class QWidget;

namespace headroom::ui
{

class ChartView;
class Dialogs;
class Settings;

/// The numbers, tab-separated as spreadsheets paste them, and as CSV under text/csv.
void copyChartData(const ChartView& chart);

/// The numbers in a window of their own, from which they can be copied and exported.
void showNumbers(ChartView& chart, Dialogs& dialogs, Settings& settings, QWidget* parent);

/// Asks for a place and writes what the suffix says: PNG, SVG, PDF or CSV. Tells what went wrong; true = written.
bool exportChart(const ChartView& chart, Dialogs& dialogs, Settings& settings, QWidget* parent);

/// Writes one chart at a path; an unknown suffix is refused. Empty = written.
[[nodiscard]] QString writeChart(const ChartView& chart, const QString& path);

} // namespace headroom::ui
