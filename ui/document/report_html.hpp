// SPDX-License-Identifier: GPL-3.0-or-later
// The texts and tables of a report, one rich text per section.
#pragma once

#include "ui/document/report.hpp"

#include <QDate>

namespace headroom::ui
{

// Parts for sections of one's own.
[[nodiscard]] QString reportHeading(const QString& text);
[[nodiscard]] QString reportRow(const QStringList& richCells);
[[nodiscard]] QString reportTable(const QString& rows);
[[nodiscard]] QString reportDate(QDate date); ///< "29 November 2026", as the window's language writes it

[[nodiscard]] QString reportHead(const ReportContent& content);
[[nodiscard]] QString reportResults(const ChartContext& context);
[[nodiscard]] QString reportComparison(const ChartContext& context); ///< empty without pins
[[nodiscard]] QString reportProfile(const ChartContext& context);    ///< its table and what it says; empty without one
[[nodiscard]] QString reportInputs(const ChartContext& context);
[[nodiscard]] QString reportAdvice(const ChartContext& context); ///< empty where nothing helps
[[nodiscard]] QString reportNotes(const ChartContext& context);  ///< what it assumes or leaves out; empty without
[[nodiscard]] QString reportAssumptions(const ChartContext& context);
[[nodiscard]] QString reportSources(const ChartContext& context); ///< catalogue, publications and calibration

} // namespace headroom::ui
