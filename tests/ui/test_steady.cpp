// SPDX-License-Identifier: GPL-3.0-or-later
// Notices and messages come and go without moving what is under the pointer.
#include "core/support/language.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/row_notice.hpp"
#include "ui/widgets/group_header.hpp"
#include "ui/widgets/steady_scroll.hpp"
#include "ui/widgets/veil.hpp"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>

namespace headroom::ui::test_steady
{

using test::WindowFixture;

class TestSteady : public QObject
{
    Q_OBJECT

    static ParameterRowWidget& rowOf(const WindowFixture& fixture, const char* id)
    {
        return *fixture.part<ParameterPanel>().reveal(QLatin1String(id));
    }
    static void moveTo(QWidget& widget, QPoint at)
    {
        QTest::mouseMove(widget.window(), widget.mapTo(widget.window(), at));
        WindowFixture::settle();
    }

private slots:
    /// Not where the rows find room without scrolling either, nor where a heading is what is pointed at.
    void noNoticeMovesWhatIsPointedAtInAHighWindow()
    {
        WindowFixture fixture({1920, 1600});
        auto& panel = fixture.part<ParameterPanel>();
        ParameterRowWidget& above = rowOf(fixture, "sequence_length");
        WindowFixture::settle();
        QCOMPARE(panel.scrollArea()->verticalScrollBar()->maximum(), 0);
        QWidget& hand = *rowOf(fixture, "count").parentWidget()->findChildren<GroupHeader*>().constLast();
        QVERIFY(hand.isVisible() && above.y() < hand.y());
        moveTo(hand, {20, hand.height() / 2 - 1});
        moveTo(hand, {20, hand.height() / 2});
        const auto place = [&hand, &fixture] { return hand.mapTo(fixture.window.get(), QPoint()).y(); };
        const int before = place();
        fixture.session.store.setHeld(true); // while a slider is dragged nothing comes
        fixture.session.store.setParameter(0, above.row(), 262144);
        WindowFixture::settle();
        QVERIFY(above.notice().words().isEmpty());
        fixture.session.store.setHeld(false);
        WindowFixture::settle();
        QVERIFY(!above.notice().words().isEmpty());
        QCOMPARE(place(), before);
        fixture.session.store.setParameter(0, above.row(), 8192);
        WindowFixture::settle();
        QVERIFY(above.notice().words().isEmpty());
        QCOMPARE(place(), before);
    }

    /// What is no longer the answer looks so: the tiles were pale, and the panel beside them as strong as ever.
    void figuresOfTheScenarioBeforeAreVeiled()
    {
        WindowFixture fixture;
        const auto* veil = fixture.part<ExplanationPanel>().findChild<Veil*>();
        QVERIFY(!veil->isVisible());
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3);
        WindowFixture::settle();
        QVERIFY(fixture.session.recalculator.isRefused());
        QVERIFY(veil->isVisible());
        QCOMPARE(veil->geometry(), fixture.part<ExplanationPanel>().rect());
        QVERIFY(fixture.window->findChild<QStatusBar*>()->findChild<QLabel*>()->text().contains(u"older"));
        fixture.session.store.undoStack().undo();
        WindowFixture::settle();
        QVERIFY(!veil->isVisible());
    }

    /// The first file of a window may be one that cannot be evaluated: no figure is older then, and tiles have names.
    void withoutAnyFigureTilesHaveTheirNames()
    {
        MetricTiles tiles;
        for (const auto* tile : tiles.findChildren<MetricTile*>()) {
            QCOMPARE(tile->content().label, std::string(say(tile->row().label)));
            QVERIFY(!tile->row().tileWhenDefined || !tile->isOffered(Task::Training));
        }
        StatusLine line;
        line.showRefused(false);
        const QString words = line.findChild<QLabel*>()->text();
        QVERIFY2(words.contains(u"cannot be evaluated") && !words.contains(u"older"), qPrintable(words));
    }

    /// Which tiles stand is a matter of the window: a pin's words changed with every step and drove two of seven away.
    void noPinTakesATileAway()
    {
        WindowFixture fixture;
        const auto tiles = [&fixture] {
            QStringList all;
            for (const auto* tile : fixture.part<MetricTiles>().findChildren<MetricTile*>())
                if (tile->isVisible())
                    all << tile->accessibleName().section(u',', 0, 0);
            return all;
        };
        const QStringList before = tiles();
        QVERIFY(before.size() > 5);
        fixture.session.store.pinCurrent();
        WindowFixture::settle();
        const int height = fixture.part<MetricTiles>().height();
        for (const int batch : {2, 3, 64, 512}) { // the last two do not fit
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), batch);
            WindowFixture::settle();
            QCOMPARE(tiles(), before);
            QCOMPARE(fixture.part<MetricTiles>().height(), height);
        }
    }

    /// What does not fit or cannot be evaluated is said at the foot of the charts: none moves, and all can be scrolled
    /// out from under it.
    void noMessageMovesAChart()
    {
        for (const QSize size : {QSize(1366, 768), QSize(1920, 1080)}) {
            WindowFixture fixture(size);
            const auto& page = fixture.part<DashboardPage>();
            const auto& bar = fixture.part<MessageBar>();
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 2); // somebody works with it
            WindowFixture::settle();
            QVERIFY(bar.text().isEmpty());
            const auto places = [&fixture, &page] {
                QList<QRect> all{fixture.part<MetricTiles>().geometry()};
                for (const ChartView* chart : page.charts())
                    all << QRect(chart->mapTo(fixture.window.get(), QPoint()), chart->size());
                return all;
            };
            const QList<QRect> before = places();
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 512);
            QTRY_VERIFY(bar.text().contains(QStringLiteral("Does not fit")));
            WindowFixture::settle();
            QCOMPARE(places(), before);
            const auto foot = [&fixture](const QWidget& widget) {
                return widget.mapTo(fixture.window.get(), widget.rect().bottomLeft()).y();
            };
            QCOMPARE(foot(bar), foot(page));
            page.verticalScrollBar()->setValue(page.verticalScrollBar()->maximum());
            QVERIFY(foot(*page.charts().back()) < foot(bar) - bar.height());
            page.verticalScrollBar()->setValue(0);
            fixture.session.store.undoStack().undo();
            QTRY_VERIFY(bar.text().isEmpty());
            WindowFixture::settle();
            QCOMPARE(places(), before);
        }
    }
};
HEADROOM_TEST_WITH(QApplication, TestSteady)

} // namespace headroom::ui::test_steady
#include "test_steady.moc"
