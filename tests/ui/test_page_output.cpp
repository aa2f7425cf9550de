// SPDX-License-Identifier: GPL-3.0-or-later
// Every chart and every table of every page has its ways out: menu, keys, clipboard, file.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/panels/data_table.hpp"
#include "ui/panels/table_output.hpp"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QTableView>

namespace headroom::ui::test_page_output
{

using headroom::test::press;
using headroom::test::WindowFixture;

class TestPageOutput final : public QObject
{
    Q_OBJECT

    template <typename Page>
    static Page& show(WindowFixture& fixture, const char* id)
    {
        fixture.window->pages().show(QLatin1String(id));
        WindowFixture::settle();
        return *qobject_cast<Page*>(fixture.window->pages().page(QLatin1String(id)));
    }

    /// Opens the menu of a chart, or of a table by its viewport, and triggers an entry.
    static void choose(QWidget& page, QWidget& on, const QString& text)
    {
        const QPoint at = on.rect().center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, on.mapToGlobal(at));
        QCoreApplication::sendEvent(&on, &event);
        auto* menu = page.findChild<QMenu*>();
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (QString(action->text()).remove(u'&') == text) {
                action->trigger();
                menu->close();
                WindowFixture::settle();
                return;
            }
        QFAIL(qPrintable(text));
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theCatalogueTableLeavesInFullPrecision()
    {
        WindowFixture fixture;
        auto& page = show<CatalogPage>(fixture, "catalog");
        page.searchField()->setText(QStringLiteral("H100 SXM"));
        WindowFixture::settle();
        page.table()->setFocus();
        press(fixture, Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        const QStringList lines = data->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), page.table()->model()->rowCount() + 1);
        for (const QString& line : lines)
            QCOMPARE(line.count(u'\t'), lines.front().count(u'\t'));
        const std::string csv = data->data(QStringLiteral("text/csv")).toStdString();
        QVERIFY2(csv.find(",3350000000000,") != std::string::npos, csv.c_str()); // bandwidth, not "3.35 TB/s"

        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("accelerators.csv"));
        choose(page, *page.table()->viewport(), QStringLiteral("Export CSV…"));
        QCOMPARE(test::readFile(fixture.dialogs.path.toStdString()), csv);
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("none/accelerators.csv"));
        choose(page, *page.table()->viewport(), QStringLiteral("Export CSV…"));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
    }

    void chartsOutsideTheDashboardLeaveToo()
    {
        WindowFixture fixture;
        auto& page = show<CatalogPage>(fixture, "catalog");
        ChartView* chart = page.peakChart();
        for (const auto& [suffix, magic] : {std::pair{"svg", "<?xml"}, {"pdf", "%PDF"}, {"png", "\x89PNG"}}) {
            fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("peak.") + QLatin1String(suffix));
            choose(page, *chart, QStringLiteral("Export…"));
            QVERIFY(test::readFile(fixture.dialogs.path.toStdString()).starts_with(magic));
        }
        const auto told = [&fixture] { return fixture.window->statusBar()->currentMessage(); };
        QCOMPARE(told(), QStringLiteral("The chart is in peak.png."));
        choose(page, *chart, QStringLiteral("Copy picture"));
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
        QCOMPARE(told(), QStringLiteral("The picture is in the clipboard."));
        choose(page, *chart, QStringLiteral("Copy numbers"));
        QVERIFY(QGuiApplication::clipboard()->text().count(u'\n') > 10);
        QCOMPARE(told(), QStringLiteral("The numbers are in the clipboard."));
    }

    void theKeysOfTheDashboardWorkOnThemToo()
    {
        WindowFixture fixture;
        auto& page = show<CatalogPage>(fixture, "catalog");
        page.peakChart()->setFocus();
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("peak.csv"));
        press(fixture, Qt::Key_E);
        QVERIFY(test::readFile(fixture.dialogs.path.toStdString()).size() > 100);
        press(fixture, Qt::Key_T);
        auto* table = fixture.window->findChild<DataTable*>();
        QVERIFY(table && table->isVisible());
        fixture.window->statusBar()->clearMessage();
        copyChartData(*page.peakChart()); // as the table's button does
        QVERIFY(!fixture.window->statusBar()->currentMessage().isEmpty());
        table->close();
    }

    void thePlanAndTheComparisonHaveTheSame()
    {
        WindowFixture fixture;
        auto& plan = show<PlanPage>(fixture, "plan");
        QTRY_VERIFY_WITH_TIMEOUT(!plan.isBusy(), 60'000);
        WindowFixture::settle();
        choose(plan, *plan.map(), QStringLiteral("Copy numbers"));
        QVERIFY(QGuiApplication::clipboard()->text().count(u'\n') > 5);
        auto& compare = show<ComparePage>(fixture, "compare");
        choose(compare, *compare.table()->viewport(), QStringLiteral("Copy table"));
        QVERIFY2(QGuiApplication::clipboard()->text().contains(QStringLiteral("\nMFU, predicted\t")),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }
};
HEADROOM_TEST_WITH(QApplication, TestPageOutput)

} // namespace headroom::ui::test_page_output
#include "test_page_output.moc"
