// SPDX-License-Identifier: GPL-3.0-or-later
// Exports and the data table: right sizes, text that reads back, and never half a file.
#include "core/units/format.hpp"
#include "tests/support/program.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_table_model.hpp"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace headroom::ui::test_chart_export
{

using headroom::test::lineSpec;

namespace
{

const Theme& light()
{
    return theme(ThemeKind::Light);
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestChartExport final : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pngHasTheAskedSizeAndIsTheSameTwice()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.png"));
        QCOMPARE(exportPng(lineSpec(0), path, {600, 400}, light(), 2), QString());
        const QImage image(path);
        QCOMPARE(image.size(), QSize(1200, 800));
        QCOMPARE(image.pixelColor(3, 3), light().surface);
        const QByteArray first = contentOf(path);
        QCOMPARE(exportPng(lineSpec(0), path, {600, 400}, light(), 2), QString());
        QCOMPARE(contentOf(path), first);
    }

    void svgIsWellFormedAndKeepsItsText()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.svg"));
        QCOMPARE(exportSvg(lineSpec(0), path, {600, 400}, light()), QString());
        QXmlStreamReader xml(contentOf(path));
        QVERIFY(xml.readNextStartElement());
        QCOMPARE(xml.attributes().value(QStringLiteral("viewBox")).toString(), QStringLiteral("0 0 600 400"));
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(contentOf(path).contains("Utilisation over batch"));
        QVERIFY(contentOf(path).contains(">MFU<"));
    }

    /// SVG as Qt writes it knows no clip: what is hatched has to end where its area does.
    void svgHatchesNothingBesideThePlot()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.svg"));
        ChartSpec spec = lineSpec(0);
        for (Point& point : spec.series.back().points)
            point.infeasible = true;
        QCOMPARE(exportSvg(spec, path, {600, 400}, light()), QString());
        const QString svg = QString::fromUtf8(contentOf(path));
        static const QRegularExpression lines(QStringLiteral("points=\"([-0-9., ]+)\""));
        int hatches = 0;
        for (auto match = lines.globalMatch(svg); match.hasNext();) {
            const QStringList ends = match.next().captured(1).split(u' ', Qt::SkipEmptyParts);
            if (ends.size() != 2)
                continue;
            ++hatches;
            for (const QString& end : ends) {
                const QStringList at = end.split(u',');
                QVERIFY2(at[0].toDouble() >= 20 && at[0].toDouble() <= 600,
                         qPrintable(end)); // right of the axis' title
                QVERIFY2(at[1].toDouble() >= 20 && at[1].toDouble() <= 400, qPrintable(end)); // below the chart's title
            }
        }
        QVERIFY(hatches > 20);
    }

    void pdfIsAPdfWithATitle()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.pdf"));
        QCOMPARE(exportPdf(lineSpec(0), path, {600, 400}, light()), QString());
        const QByteArray bytes = contentOf(path);
        QVERIFY(bytes.startsWith("%PDF"));
        QVERIFY(bytes.contains("/Title"));
        QVERIFY(bytes.contains("/MediaBox [0 0 450"));
    }

    void aFailureSaysWhatAndLeavesTheOldFile()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("file"));
        QCOMPARE(exportCsv(lineSpec(0), file), QString());
        const QByteArray before = contentOf(file);
        const QString under = file + QStringLiteral("/chart"); // the parent is a regular file
        for (const QString& error :
             {exportPng(lineSpec(1), under, {300, 200}, light()), exportSvg(lineSpec(1), under, {300, 200}, light()),
              exportPdf(lineSpec(1), under, {300, 200}, light()), exportCsv(lineSpec(1), under)})
            QVERIFY2(error.contains(under), qPrintable(error));
        QCOMPARE(contentOf(file), before);
        QVERIFY(!exportPng(lineSpec(1), file, {0, 0}, light()).isEmpty());
        QVERIFY(!exportSvg(lineSpec(1), file, {0, 0}, light()).isEmpty());
        QCOMPARE(contentOf(file), before);
    }

    void csvReadsBackToTheSeries()
    {
        ChartSpec spec = lineSpec(0);
        spec.series[1].label = "MFU, \"live\"";
        const QString text = QString::fromStdString(csvText(spec));
        const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), qsizetype(spec.series[1].points.size() + 1));
        QVERIFY2(lines[0].contains(QStringLiteral("\"MFU, \"\"live\"\" (fraction)\"")), qPrintable(lines[0]));
        for (std::size_t i = 0; i < spec.series[1].points.size(); ++i) {
            const QStringList cells = lines[qsizetype(i) + 1].split(u',');
            QCOMPARE(cells[0].toDouble(), spec.series[1].points[i].x); // exact: shortest text that reads back equal
            QCOMPARE(cells[1].toDouble(), spec.series[0].points[i].y);
            QCOMPARE(cells[2].toDouble(), spec.series[1].points[i].y);
            QCOMPARE(cells[3].toDouble(), spec.series[1].band->low[i]);
        }
    }

    void measuredRunsStandBelowTheLines()
    {
        ChartSpec spec = lineSpec(0);
        const ChartTable plain = chartTable(spec);
        Series runs;
        runs.label = "published";
        runs.role = SeriesRole::Published;
        runs.kind = SeriesKind::Points;
        runs.points.push_back({.x = 3, .y = 0.25, .label = "Some run", .detail = "Close: same model\nwho"});
        spec.series.push_back(runs);
        const ChartTable table = chartTable(spec);
        QCOMPARE(table.rows.size(), plain.rows.size() + 1);
        QCOMPARE(table.header.back(), std::string("Run"));
        QCOMPARE(table.rows.front()[1], plain.rows.front()[1]);
        const auto& row = table.rows.back();
        QCOMPARE(row.size(), table.header.size());
        QCOMPARE(row.front(), std::string("3"));
        QVERIFY(row[1].empty()); // nothing predicted there
        QCOMPARE(row[row.size() - 2], std::string("0.25"));
        QCOMPARE(row.back(), std::string("Some run: Close: same model who"));
    }

    void barsAndCellsHaveRowsOfTheirOwn()
    {
        const ChartTable bars = chartTable(test::ladderSpec());
        QCOMPARE(bars.rows.size(), std::size_t(5));
        QCOMPARE(bars.rows[1][2], std::string("memory traffic"));
        QCOMPARE(bars.rows[1][4], std::string("1")); // where the bar starts
        const ChartTable cells = chartTable(test::heatSpec());
        QCOMPARE(cells.rows.size(), std::size_t(24));
        QCOMPARE(cells.rows.back()[3], std::string("no"));
        QCOMPARE(cells.rows.front()[3], std::string("yes"));
    }

    void theModelKeepsQtsRules()
    {
        ChartTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setSpec(lineSpec(0));
        QCOMPARE(model.rowCount(), 101);
        QCOMPARE(model.columnCount(), 6); // x, ideal, MFU with low and high, fits
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("ideal")); // each cell has its unit
        QCOMPARE(model.index(0, 1).data().toString(),
                 QString::fromStdString(formatText(lineSpec(0).series[0].points[0].y, ValueFormat::Percent)));
        QCOMPARE(chartTable(lineSpec(0)).header[1], std::string("ideal (fraction)"));
        model.setSpec(test::ladderSpec());
        QCOMPARE(model.rowCount(), 5);
        model.setSpec({});
        QCOMPARE(model.rowCount(), 0);
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartExport)

} // namespace headroom::ui::test_chart_export
#include "test_chart_export.moc"
