// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/chart_output.hpp"

#include "ui/base/tell.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_table_model.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/panels/data_table.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/settings/settings.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>

namespace headroom::ui
{
namespace
{

QString tabbed(const ChartTable& table)
{
    QString text;
    const auto line = [&text](const std::vector<std::string>& cells) {
        QStringList row;
        for (const std::string& cell : cells)
            row << shownCell(cell).replace(u'\t', u' ');
        text += row.join(u'\t') + u'\n';
    };
    line(table.header);
    for (const auto& row : table.rows)
        line(row);
    return text;
}

} // namespace

void copyChartData(const ChartView& chart)
{
    auto* data = new QMimeData;
    data->setText(tabbed(chartTable(chart.spec())));
    data->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(csvText(chart.specForFiles())));
    QGuiApplication::clipboard()->setMimeData(data);
    tell(chart, tr("The numbers are in the clipboard."));
}

void showNumbers(ChartView& chart, Dialogs& dialogs, Settings& settings, QWidget* parent)
{
    auto* table = new DataTable(chart, parent);
    QObject::connect(table, &DataTable::exportRequested, parent,
                     [&chart, &dialogs, &settings, parent] { exportChart(chart, dialogs, settings, parent); });
    table->show();
    table->activateWindow(); // who asked for it by a key reads on in it
}

QString writeChart(const ChartView& chart, const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const Theme& theme = themeOf(chart.palette());
    if (suffix == QLatin1String("png"))
        return exportPng(chart.spec(), path, chart.size(), theme);
    if (suffix == QLatin1String("svg"))
        return exportSvg(chart.spec(), path, chart.size(), theme);
    if (suffix == QLatin1String("pdf"))
        return exportPdf(chart.spec(), path, chart.size(), theme);
    if (suffix == QLatin1String("csv"))
        return exportCsv(chart.specForFiles(), path);
    return tr("“%1” does not say which kind of file: end it with .png, .svg, .pdf or .csv.")
        .arg(QFileInfo(path).fileName());
}

bool exportChart(const ChartView& chart, Dialogs& dialogs, Settings& settings, QWidget* parent)
{
    const QString name = toQString(chart.spec().id) + QLatin1String(".png");
    const QString folder = settings.value(SettingKey::LastFolder).toString();
    const QString path = dialogs.exportFile(
        parent, QDir(folder).filePath(name), tr("Export chart"),
        tr("Pictures (*.png);;Vector graphics (*.svg);;PDF (*.pdf);;Numbers (*.csv);;All files (*)"));
    if (path.isEmpty())
        return false;
    const QString error = writeChart(chart, path);
    if (!error.isEmpty()) {
        dialogs.showError(parent, tr("The chart was not exported."), error);
        return false;
    }
    settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
    tell(chart, tr("The chart is in %1.").arg(QFileInfo(path).fileName()));
    return true;
}

} // namespace headroom::ui
