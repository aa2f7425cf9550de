// SPDX-License-Identifier: GPL-3.0-or-later
// How the window lines up, at the sizes people have.
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/learn/door_button.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/explanation_html.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/settings/language.hpp"
#include "ui/widgets/page_tabs.hpp"

#include <QLabel>
#include <QMenu>
#include <QScreen>
#include <QScrollArea>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTextTable>
#include <QToolButton>

namespace headroom::ui::test_window_layout
{

using headroom::test::WindowFixture;

class TestWindowLayout : public QObject
{
    Q_OBJECT

    static int rightIn(const QWidget& window, const QWidget& widget)
    {
        return widget.mapTo(&window, QPoint(widget.width(), 0)).x();
    }

    static void sizes()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1142, 724), QSize(1366, 768), QSize(1600, 900), QSize(1920, 1080)})
            QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
    }

private slots:
    void tilesEndWhereChartsEnd_data() { sizes(); }

    void tilesEndWhereChartsEnd()
    {
        QFETCH(const QSize, size);
        WindowFixture fixture(size);
        const QWidget& window = *fixture.window;
        int charts = 0, tiles = 0;
        for (const ChartView* chart : fixture.part<DashboardPage>().charts())
            charts = std::max(charts, rightIn(window, *chart));
        for (const auto* tile : fixture.part<MetricTiles>().findChildren<MetricTile*>())
            if (tile->isVisible())
                tiles = std::max(tiles, rightIn(window, *tile));
        QCOMPARE(tiles, charts);
    }

    /// TTFT, TPOT and late requests have targets: whoever misses one sees it in a small window too.
    void aLatencyWithATargetStaysInSight()
    {
        WindowFixture fixture(QSize(1366, 768));
        fixture.session.store.edit(0, QStringLiteral("serve"), [](Scenario& s) {
            s.task = Task::Inference;
            s.model.id = "llama-3-8b";
            s.accelerator.id = "h100-sxm-80gb";
            s.inference.batch = 64;
            s.hardware.count = 16;
            s.parallelism.tensor = 8;
            s.inference.scheduling = Scheduling::Disaggregated;
            s.inference.prefillPool.count = 8;
            s.inference.requestsPerS = 2;
            s.inference.ttftTargetS = 0.1;
            s.inference.tpotTargetS = 0.01;
        });
        WindowFixture::settle();
        for (const std::string_view id : {"tail.ttft_s", "tpot_s"}) {
            const auto tiles = fixture.part<MetricTiles>().findChildren<MetricTile*>();
            const auto tile = std::ranges::find(tiles, id, [](const MetricTile* each) { return each->row().id; });
            QVERIFY(tile != tiles.end());
            QTRY_VERIFY2((*tile)->isVisible(), std::string(id).c_str());
        }
    }

    void noChartIsNarrowerThanItCanBeRead_data() { sizes(); }

    void noChartIsNarrowerThanItCanBeRead()
    {
        QFETCH(const QSize, size);
        WindowFixture fixture(size);
        for (const ChartView* chart : fixture.part<DashboardPage>().charts())
            QVERIFY2(chart->width() >= 300 && chart->height() >= 250,
                     qPrintable(QStringLiteral("%1 %2").arg(chart->width()).arg(chart->height())));
    }

    /// On a small screen the messages cover no foot of a chart in sight.
    void messagesLeaveTwoRowsOfCharts()
    {
        WindowFixture fixture(QSize(1366, 768));
        Scenario scenario;
        scenario.model.id = "llama-3.1-70b";
        scenario.accelerator.id = "h100-sxm-80gb";
        scenario.hardware.count = 8;
        scenario.training.sequenceLength = 8192;
        scenario.training.checkpointing = Checkpointing::None;
        fixture.session.store.setDocument(scenario, {});
        WindowFixture::settle();
        const auto& bar = fixture.part<MessageBar>();
        QTRY_VERIFY(bar.isVisible()); // a moment after the change, when the hand rests
        WindowFixture::settle();
        const auto charts = fixture.part<DashboardPage>().charts();
        QVERIFY(charts.size() > 4);
        if (qEnvironmentVariableIsSet("HEADROOM_TEST_TYPE_SCALE")) { // larger type: the page scrolls, no chart shrinks
            QVERIFY(charts[0]->height() >= 16 * charts[0]->fontMetrics().height());
            return;
        }
        for (std::size_t i = 0; i < 4; ++i) // two beside two
            QVERIFY2(charts[i]->mapToGlobal(QPoint(0, charts[i]->height())).y() <= bar.mapToGlobal(QPoint()).y(),
                     qPrintable(charts[i]->objectName()));
    }

    /// Charts that are arranged twice are drawn twice: a window that is dragged larger stutters.
    void chartsAreArrangedOnceAResize()
    {
        WindowFixture fixture(QSize(1600, 900));
        const DashboardPage& page = fixture.part<DashboardPage>();
        for (const bool messages : {false, true}) {
            if (messages) { // which lie over the foot
                fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 512);
                QTRY_VERIFY(fixture.part<MessageBar>().isVisible());
                WindowFixture::settle();
            }
            for (const QSize size : {QSize(1920, 1080), QSize(1366, 768), QSize(1142, 724), QSize(1600, 900)}) {
                const int before = page.arranged();
                fixture.window->resize(size);
                WindowFixture::settle();
                QVERIFY2(page.arranged() == before + 1,
                         qPrintable(QStringLiteral("%1 wide: %2").arg(size.width()).arg(page.arranged() - before)));
            }
        }
    }

    void theStatusLineIsFlushWithTheCards()
    {
        WindowFixture fixture;
        const QWidget& window = *fixture.window;
        const auto labels = fixture.window->findChild<StatusLine*>()->findChildren<QLabel*>();
        int left = window.width(), right = 0;
        for (const QLabel* label : labels) {
            left = std::min(left, label->mapTo(&window, QPoint()).x());
            right = std::max(right, rightIn(window, *label));
        }
        QCOMPARE(left, fixture.part<ParameterPanel>().mapTo(&window, QPoint()).x());
        QVERIFY(std::abs(right - rightIn(window, fixture.part<ExplanationPanel>())) <= 2);
    }

    void theFirstWindowIsNoLargerThanTheScreen()
    {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        const QSize room = window.screen()->availableSize();
        QVERIFY2(room.width() < window.width(), "the screen of this test must be smaller than the window");
        const int least = window.minimumSizeHint().width(); // of three columns; fewer, once it is narrow
        window.restoreLayout();                             // nothing was left yet
        QVERIFY(window.isMaximized());
        window.showNormal();
        QVERIFY2(window.width() <= std::max(room.width(), least), qPrintable(QString::number(window.width())));
    }

    /// The first start on a laptop: what explains a figure lay over half of the card that says how to begin.
    void aNarrowWindowBeginsWithoutTheDrawer()
    {
        WindowFixture fixture({1200, 700});
        fixture.window->restoreLayout(); // nothing was left yet
        fixture.window->showNormal();
        fixture.window->resize(1200, 700);
        WindowFixture::settle();
        auto& workspace = fixture.part<Workspace>();
        QVERIFY(workspace.isFolded());
        QVERIFY(!workspace.isRightShown());
        fixture.window->resize(1600, 900);
        WindowFixture::settle();
        QVERIFY(workspace.isRightShown()); // beside the charts it is there
        // A card that comes while the drawer is open stays above it, whatever the window does.
        fixture.window->resize(1200, 700);
        workspace.setRightShown(true);
        fixture.window->showWelcome();
        WindowFixture::settle();
        fixture.window->resize(1150, 720);
        WindowFixture::settle();
        for (const auto* door : fixture.window->findChildren<DoorButton*>()) {
            const QPoint corner = door->mapTo(fixture.window.get(), door->rect().bottomRight() - QPoint(4, 4));
            const QWidget* met = fixture.window->childAt(corner);
            QVERIFY2(met == door || door->isAncestorOf(met), qPrintable(door->accessibleName()));
        }
    }

    /// The mark of what is beyond its limit takes room beside the words.
    void aMarkedTileHasRoomForItsMark()
    {
        MetricTile tile(*metricRow("memory.used_bytes"));
        TileText text;
        text.sub = "643 GB of memory are lacking";
        tile.show(text);
        const int plain = tile.leastWidth();
        text.state = TileState::BeyondLimit;
        tile.show(text);
        QVERIFY(tile.leastWidth() > plain);
        tile.resize(plain, 100);
        QVERIFY(!tile.cutText().isEmpty());
    }

    /// At 1600 px "Tokens/s/GPU" had the ring of a measurement alone, and the others the word.
    void everyTileSaysThatItsFigureWasMeasured()
    {
        for (const char* id : {"tokens_per_s_per_gpu", "mfu", "step_time_s"}) {
            MetricTile tile(*metricRow(id));
            TileText text;
            text.label = metricRow(id)->label;
            text.observed = true;
            tile.show(text);
            for (int width = tile.leastWidth(); width < 240; ++width) {
                tile.resize(width, 100);
                QVERIFY2(tile.shownLabel().contains(u" · obs"), qPrintable(tile.shownLabel()));
            }
        }
    }

    /// Half a pixel short of its long words it has the short ones: "capacity", not "capacity-boun…".
    void aTileHasShortWordsBeforeItCutsLongOnes()
    {
        MetricTile tile(*metricRow("mfu"));
        for (const char* words : {"capacity-bound", "kapazitätsgebunden", "kommunikationsgebunden", "latency-bound"}) {
            TileText text;
            text.sub = words;
            text.brief = "short";
            tile.show(text);
            for (int width = tile.leastWidth(); width < 300; ++width) {
                tile.resize(width, 100);
                QVERIFY2(!tile.shownSub().endsWith(u'…'), qPrintable(tile.shownSub()));
            }
        }
    }

    void tablesKeepSomeRowsInASmallWindowWithLargeType_data()
    {
        QTest::addColumn<QString>("page");
        QTest::newRow("compare") << QStringLiteral("compare");
        QTest::newRow("history") << QStringLiteral("history");
    }

    void tablesKeepSomeRowsInASmallWindowWithLargeType()
    {
        QFETCH(const QString, page);
        WindowFixture fixture({960, 540});
        fixture.appearance.setTypeScale(1.5);
        fixture.session.store.pinCurrent();
        fixture.session.store.pinCurrent();
        Scenario run = fixture.session.store.scenario();
        run.measured.stepTimeS = 20;
        fixture.session.runLibrary.add({run, run, run, run, run, run});
        fixture.window->pages().show(page);
        WindowFixture::settle();
        auto* area = qobject_cast<QScrollArea*>(fixture.window->pages().page(page));
        QVERIFY(area);
        auto& table = *area->findChild<QTableView*>();
        const int last = table.rowAt(table.viewport()->height() - 2); // −1: below them all
        QVERIFY2(last < 0 || last >= 4, qPrintable(QString::number(last)));
        area->ensureWidgetVisible(&table);
        QVERIFY(table.visibleRegion().boundingRect().height() >= table.height());
    }

    /// Tabs that find no room stand in a menu: each page is in one of the two, and the one in front is a tab.
    void everyPageIsATabOrInTheMenuBesideThem()
    {
        const Language german(QStringLiteral("de"));
        WindowFixture fixture({960, 540});
        fixture.appearance.setTypeScale(1.5);
        WindowFixture::settle();
        const auto& tabs = fixture.part<PageTabs>();
        QVERIFY(tabs.more()->isVisible());
        QMenu& menu = *tabs.more()->menu();
        const auto shown = [&tabs] {
            QStringList all;
            for (int i = 0; i < tabs.count(); ++i)
                if (tabs.isTabVisible(i))
                    all << tabs.tabText(i);
            return all;
        };
        emit menu.aboutToShow();
        QStringList all = shown();
        for (const QAction* action : menu.actions())
            all << action->text();
        QCOMPARE(all.size(), tabs.count());
        const QString last = menu.actions().constLast()->text();
        QVERIFY(!shown().contains(last));
        menu.actions().constLast()->trigger();
        WindowFixture::settle();
        QCOMPARE(tabs.tabText(tabs.currentIndex()), last);
        QVERIFY(shown().contains(last));
        QVERIFY(tabs.tabRect(tabs.currentIndex()).right() <= tabs.more()->x());
        fixture.appearance.setTypeScale(1);
        fixture.window->resize(1600, 900);
        WindowFixture::settle();
        QCOMPARE(shown().size(), tabs.count());
        QVERIFY(!tabs.more()->isVisible());
    }

    /// A name that has room beside its value is not broken: values take a third, not twice their own width.
    void aNameThatFitsIsNotBroken()
    {
        WindowFixture fixture({1366, 768});
        const QTextDocument& words = *fixture.part<ExplanationPanel>().findChild<QTextBrowser*>()->document();
        const QFontMetricsF letters(words.defaultFont());
        int names = 0;
        for (QTextBlock block = words.begin(); block.isValid(); block = block.next()) {
            const QTextTable* table = QTextCursor(block).currentTable();
            if (!table || table->columns() != 2 || table->cellAt(block.position()).column() != 0)
                continue;
            ++names;
            const bool fits = letters.horizontalAdvance(block.text()) < 0.55 * words.textWidth();
            QVERIFY2(!fits || block.layout()->lineCount() == 1, qPrintable(block.text()));
        }
        QVERIFY2(names > 10, qPrintable(QString::number(names)));
    }

    void aNumberAndItsUnitStayOnOneLine()
    {
        WindowFixture fixture;
        const QString html = fixture.part<ExplanationPanel>().findChild<QTextBrowser*>()->toHtml();
        static const QRegularExpression loose(QStringLiteral("[0-9][ \u202F](%|GB|GPUs|s\\b)"));
        const auto found = loose.match(html);
        QVERIFY2(!found.hasMatch(), qPrintable(html.mid(std::max(0, int(found.capturedStart()) - 60), 120)));
        QVERIFY(html.contains(QStringLiteral("\u00A0%")) || html.contains(QStringLiteral("&nbsp;%")));
    }
};
HEADROOM_TEST_WITH(QApplication, TestWindowLayout)

} // namespace headroom::ui::test_window_layout
#include "test_window_layout.moc"
