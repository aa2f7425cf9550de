// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.hpp"
#include "tests/ui/chart_fixture.hpp"
#include "ui/charts/chart_canvas.hpp"
#include "ui/charts/chart_painters.hpp"
#include "ui/charts/chart_view.hpp"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include <array>
#include <atomic>
#include <memory>

namespace headroom::ui::test_chart_painters
{

class TestChartPainters final : public QObject
{
    Q_OBJECT

private slots:
    /// Text, lines, bars and cells, in whichever thread, are the same to the last pixel.
    void whatIsDrawnSideBySideIsWhatIsDrawnAlone()
    {
        constexpr std::size_t count = 8;
        const auto spec = [](std::size_t chart, int step) {
            return chart % 4 == 2   ? test::ladderSpec()
                   : chart % 4 == 3 ? test::heatSpec()
                                    : test::lineSpec(1 + step + static_cast<int>(chart));
        };
        QWidget page;
        page.resize(1640, 620);
        std::array<ChartView*, count> views{};
        for (std::size_t i = 0; i < count; ++i) {
            views[i] = new ChartView(&page);
            views[i]->setGeometry(static_cast<int>(i % 4) * 410, static_cast<int>(i / 4) * 310, 400, 300);
        }
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        std::array<std::array<QImage, count>, 2> alone;
        for (int step = 0; step < 2; ++step)
            for (std::size_t i = 0; i < count; ++i) {
                views[i]->setSpec(spec(i, step));
                QCoreApplication::processEvents();
                alone[static_cast<std::size_t>(step)][i] = views[i]->grab().toImage();
            }
        ChartPainters threads;
        for (int round = 0; round < 40; ++round) {
            for (std::size_t i = 0; i < count; ++i) {
                views[i]->setSpec(spec(i, round % 2));
                views[i]->replotNow(threads);
            }
            threads.finish();
            for (std::size_t i = 0; i < count; ++i)
                QCOMPARE(views[i]->grab().toImage(), alone[static_cast<std::size_t>(round % 2)][i]);
        }
        QVERIFY(alone[0][0] != alone[1][0]);
    }

    void theCallerDrawsWhatNoThreadHasBegun()
    {
        ChartPainters threads;
        for (int time = 0; time < 3; ++time) {
            const int most = 4 * QThread::idealThreadCount();
            QSemaphore gate;
            std::atomic<int> drawn = 0;
            std::atomic<bool> byCaller = false;
            const QThread* const caller = QThread::currentThread();
            for (int i = 0; i < most; ++i)
                threads.start([&, caller] {
                    if (QThread::currentThread() == caller) {
                        byCaller = true;
                        gate.release(most);
                    }
                    gate.acquire(); // no other thread gets on before the caller draws
                    ++drawn;
                });
            threads.finish();
            QVERIFY(byCaller);
            QCOMPARE(drawn.load(), most);
        }
    }

    /// QCustomPlot asks at construction for a picture of its own.
    void aChartThatAppearsIsDrawnOnce()
    {
        ChartView view;
        view.resize(400, 300);
        QSignalSpy drawn(&view, &ChartView::replotted);
        QSignalSpy besides(view.findChild<ChartCanvas*>(), &QCustomPlot::afterReplot);
        view.setSpec(test::lineSpec(1));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        for (int turn = 0; turn < 5; ++turn)
            QCoreApplication::processEvents();
        QCOMPARE(drawn.count(), 1);
        QCOMPARE(besides.count(), 0);
    }
};
HEADROOM_TEST_WITH(QApplication, TestChartPainters)

} // namespace headroom::ui::test_chart_painters
#include "test_chart_painters.moc"
