// SPDX-License-Identifier: GPL-3.0-or-later
// Report: one scenario on paper: result, inputs, charts, what to change next, assumptions and sources, as a PDF.
#pragma once

#include "core/charts/chart_registry.hpp"

#include <QString>
#include <QStringList>
#include <memory>

class QTextDocument;
class QWidget;

namespace headroom::ui
{

class Dialogs;
class Recalculator;
class Settings;

struct ReportContent {
    ChartContext context;
    QString title;         ///< empty: model and machine
    QString notes;         ///< the user's own words; may be empty
    QStringList chartIds;  ///< in order; ids of charts that do not suit the task are passed over
    QString measurement{}; ///< what was measured with other settings, or cannot have been; may be empty
    QString lead{};        ///< rich text before the result, such as a plan's ranking (report_html.hpp)
    std::vector<ChartSpec> leadCharts{};
    bool leadAlone = false; ///< nothing but the lead and its charts: it is about no scenario
};

/// The report as a document, its charts as vector drawings.
[[nodiscard]] std::unique_ptr<QTextDocument> reportDocument(const ReportContent& content);

/// Puts page breaks where a heading would stand alone at a page's foot, or a table that fits on a page be cut: for a
/// document that has its page size.
void keepTogether(QTextDocument& document);

/// Writes A4 pages with page numbers, through a temporary file. Empty = written, else what failed.
[[nodiscard]] QString writeReport(const ReportContent& content, const QString& path);

/// Asks where to and writes the scenario in hand with these charts; what went wrong is told over `window`.
void exportReport(const Recalculator& results, const QStringList& chartIds, Settings& settings, Dialogs& dialogs,
                  QWidget* window);

} // namespace headroom::ui
