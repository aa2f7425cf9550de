// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of a chart: another axis, the numbers, the ways out; and names that do not lie on one another.
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "tests/support/window_fixture.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/data_table.hpp"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMimeData>
#include <QTableView>
#include <QToolButton>

namespace headroom::ui::test_chart_menu
{

using headroom::test::WindowFixture;

class TestChartMenu : public QObject
{
    Q_OBJECT

    static QAction* find(const QMenu& menu, const QString& text)
    {
        for (QAction* action : menu.actions()) {
            if (QString(action->text()).remove(u'&') == text)
                return action;
            if (action->menu())
                if (QAction* found = find(*action->menu(), text))
                    return found;
        }
        return nullptr;
    }

    /// Opens the chart's menu by its button and triggers an entry.
    static void choose(WindowFixture& fixture, const char* chart, const QString& text)
    {
        ChartView* view = fixture.part<DashboardPage>().chart(QLatin1String(chart));
        QVERIFY(view);
        view->findChild<QToolButton*>(QStringLiteral("chartMenu"))->click();
        QMenu* menu = fixture.part<DashboardPage>().findChild<QMenu*>();
        QVERIFY(menu);
        QAction* action = find(*menu, text);
        QVERIFY2(action, qPrintable(text));
        action->trigger();
        menu->close();
        WindowFixture::settle();
    }

    static ChartSpec crowded()
    {
        ChartSpec spec = test::lineSpec(0);
        Series points{"operators", "operators", SeriesRole::Secondary, SeriesKind::Points, 1, {}, {}};
        points.points = {{64, 0.6, 0.2, "router", {}, false},
                         {65, 0.6, 1.0, "feed-forward", {}, false},
                         {66, 0.6, 0.3, "norm", {}, false},
                         {4, 0.9, 0.1, "LM head", {}, false}};
        spec.series.push_back(points);
        return spec;
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theGapsBetweenChartsHaveNeitherMenuNorFullSize()
    {
        WindowFixture fixture;
        DashboardPage& dashboard = fixture.part<DashboardPage>();
        const auto hidden = [&dashboard] {
            const auto charts = dashboard.charts();
            return std::ranges::count_if(charts, [](const ChartView* chart) { return chart->isHidden(); });
        };
        const auto before = hidden();
        const QPoint gap(1, 1), global = dashboard.widget()->mapToGlobal(gap);
        QMouseEvent twice(QEvent::MouseButtonDblClick, gap, global, Qt::LeftButton, Qt::LeftButton, {});
        QContextMenuEvent asked(QContextMenuEvent::Mouse, gap, global);
        for (QEvent* event : {static_cast<QEvent*>(&twice), static_cast<QEvent*>(&asked)})
            QCoreApplication::sendEvent(dashboard.widget(), event);
        QCOMPARE(hidden(), before);
        QVERIFY(!dashboard.findChild<QMenu*>());
    }

    void theSweptParameterIsChosenFromTheMenu()
    {
        WindowFixture fixture;
        choose(fixture, "utilization", QStringLiteral("Sequence length"));
        QCOMPARE(fixture.part<DashboardPage>().chart(QStringLiteral("utilization"))->spec().x.label,
                 std::string("Sequence length"));
        QCOMPARE(fixture.part<DashboardPage>().chart(QStringLiteral("memory"))->spec().x.label,
                 std::string("Sequence length"));
    }

    void theHeatMapsColourIsChosenFromTheMenu()
    {
        WindowFixture fixture({1920, 1080});
        fixture.part<DashboardPage>().choice().setChartIds(fixture.session.store.scenario().task,
                                                           {QStringLiteral("heat_map")});
        WindowFixture::settle();
        choose(fixture, "heat_map", QStringLiteral("Step time"));
        const ChartSpec& spec = fixture.part<DashboardPage>().chart(QStringLiteral("heat_map"))->spec();
        QCOMPARE(spec.heatMap->label, std::string("Step time"));
        choose(fixture, "heat_map", QStringLiteral("Fine grid"));
        QVERIFY(fixture.session.recalculator.heatMap().fine);
    }

    void noSweepRunsWhileNoChartShowsOne()
    {
        WindowFixture fixture;
        fixture.part<DashboardPage>().choice().setChartIds(fixture.session.store.scenario().task,
                                                           {QStringLiteral("roofline")});
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 4);
        WindowFixture::settle();
        QVERIFY(!fixture.session.recalculator.context()->curves);
        fixture.part<DashboardPage>().choice().setChartIds(fixture.session.store.scenario().task,
                                                           {QStringLiteral("memory")});
        WindowFixture::settle();
        QVERIFY(fixture.session.recalculator.context()->curves != nullptr);
    }

    void numbersFollowTheChart()
    {
        WindowFixture fixture;
        choose(fixture, "memory", QStringLiteral("Show the numbers"));
        auto* table = fixture.window->findChild<DataTable*>();
        QVERIFY(table);
        const QAbstractItemModel* model = table->table()->model();
        QVERIFY(model->rowCount() > 10);
        const auto numbers = [model] {
            QString all;
            for (int column = 0; column < model->columnCount(); ++column)
                all += model->index(0, column).data().toString() + u' ';
            return all;
        };
        const QString before = numbers();
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 1024);
        WindowFixture::settle();
        QVERIFY(numbers() != before);
        table->close();
    }

    void numbersGoToTheClipboardAsASpreadsheetTakesThem()
    {
        WindowFixture fixture;
        choose(fixture, "memory", QStringLiteral("Copy numbers"));
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        const QStringList lines = data->text().split(u'\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 10);
        for (const QString& line : lines)
            QCOMPARE(line.count(u'\t'), lines.front().count(u'\t'));
        QVERIFY(!data->data(QStringLiteral("text/csv")).isEmpty());
    }

    void exportWritesWhatTheSuffixSays()
    {
        WindowFixture fixture;
        for (const auto& [suffix, magic] :
             {std::pair{"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}, {"csv", "\""}}) {
            fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("chart.") + QLatin1String(suffix));
            choose(fixture, "memory", QStringLiteral("Export…"));
            const std::string bytes = test::readFile(fixture.dialogs.path.toStdString());
            QVERIFY2(QLatin1String(suffix) == QLatin1String("csv") ? bytes.find(',') != std::string::npos
                                                                   : bytes.starts_with(magic),
                     suffix);
        }
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("chart.doc"));
        choose(fixture, "memory", QStringLiteral("Export…"));
        QCOMPARE(fixture.dialogs.errors.size(), 1);
        QVERIFY(fixture.dialogs.errors.front().contains(QStringLiteral(".svg")));
    }

    void ofCoincidingPointsTheLargestIsNamedAndThePointerTellsAll()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("crowded.svg"));
        QCOMPARE(exportSvg(crowded(), path, {420, 300}, theme(ThemeKind::Light)), QString());
        const std::string svg = test::readFile(path.toStdString());
        QVERIFY(svg.find(">feed-forward<") != std::string::npos);
        QVERIFY(svg.find(">LM head<") != std::string::npos);
        QVERIFY(svg.find(">router<") == std::string::npos);
        QVERIFY(svg.find(">norm<") == std::string::npos);

        ChartView view;
        view.resize(420, 300);
        view.setSpec(crowded());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        WindowFixture::settle();
        QTest::mouseMove(&view, view.pixelOf(65, 0.6).toPoint());
        QTRY_VERIFY(!view.hoverText().isEmpty());
        for (const char* name : {"feed-forward", "router", "norm"})
            QVERIFY2(view.hoverText().contains(QLatin1String(name)), qPrintable(view.hoverText()));
        QVERIFY(!view.hoverText().contains(QStringLiteral("LM head")));
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartMenu)

} // namespace headroom::ui::test_chart_menu
#include "test_chart_menu.moc"
