// SPDX-License-Identifier: GPL-3.0-or-later
// How the instrument feels: one crosshair over all charts, axes that hold still under the hand, ends of sliders that
// can be typed, a parameter that plays by itself, a wheel that changes nothing by accident.
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/parameters/bounds_editor.hpp"
#include "ui/parameters/parameter_panel.hpp"

#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSignalSpy>
#include <QWheelEvent>

namespace headroom::ui::test_feel
{

using headroom::test::WindowFixture;

namespace
{

ChartView& chart(const WindowFixture& fixture, const char* id)
{
    return *fixture.part<DashboardPage>().chart(QLatin1String(id));
}

ParameterRowWidget& rowWidget(const WindowFixture& fixture, const char* id)
{
    return *fixture.part<ParameterPanel>().rowWidget(QLatin1String(id));
}

double value(const WindowFixture& fixture, const char* id)
{
    return parameterRow(id)->get(fixture.session.store.scenario());
}

/// How often a window painted itself.
struct Paintings final : QObject {
    int count = 0;
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::UpdateRequest ? 1 : 0;
        return false;
    }
};

QPoint pointOf(const ChartView& view, const char* series, std::size_t index)
{
    for (const Series& each : view.spec().series)
        if (each.id == series)
            return view.pixelOf(each.points[index].x, each.points[index].y).toPoint();
    return {};
}

} // namespace

class TestFeel final : public QObject
{
    Q_OBJECT

private slots:
    void theCrosshairStandsOnEveryChartOfTheSameAxis()
    {
        WindowFixture fixture;
        ChartView& from = chart(fixture, "utilization");
        ChartView& same = chart(fixture, "step_time");
        ChartView& other = chart(fixture, "roofline");
        QCOMPARE(same.spec().x.label, from.spec().x.label);
        const QImage before = same.grab().toImage(), otherBefore = other.grab().toImage();
        QSignalSpy replots(&same, &ChartView::replotted);
        QTest::mouseMove(&from, pointOf(from, "mfu", from.spec().series.front().points.size() / 2));
        WindowFixture::settle();
        QVERIFY(!from.hoverText().isEmpty());
        QVERIFY(same.grab().toImage() != before);
        QVERIFY(other.grab().toImage() == otherBefore);
        QCOMPARE(replots.count(), 0); // only the hover layer
        QTest::mouseMove(&from, QPoint(3, 3));
        WindowFixture::settle();
        QVERIFY(same.grab().toImage() == before);
    }

    void whatIsHoveredFollowsTheValue()
    {
        WindowFixture fixture;
        ChartView& view = chart(fixture, "step_time");
        QTest::mouseMove(&view, pointOf(view, "step_time", view.spec().series.front().points.size() / 2));
        WindowFixture::settle();
        const QString before = view.hoverText();
        QVERIFY(!before.isEmpty());
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 16384);
        WindowFixture::settle();
        QVERIFY(!view.hoverText().isEmpty());
        QVERIFY(view.hoverText() != before);
    }

    void axesHoldStillUnderTheHandAndFitWhenItLetsGo()
    {
        WindowFixture fixture;
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 32768);
        WindowFixture::settle();
        LogSlider* slider = rowWidget(fixture, "sequence_length").slider();
        const ChartView& view = chart(fixture, "step_time");
        const double top = view.spec().y.maximum;
        const QPoint from = slider->handleRect().center();
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        QTest::mouseMove(slider, slider->pointOf(256));
        WindowFixture::settle();
        QCOMPARE(value(fixture, "sequence_length"), 256.0);
        QCOMPARE(view.spec().y.maximum, top);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, slider->pointOf(256));
        WindowFixture::settle();
        QVERIFY2(view.spec().y.maximum < top, "the range fits the figures again");
    }

    void aStepOfADragPaintsEveryChartOnce()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::New]->trigger();
        fixture.part<Actions>()[ActionId::Explanation]->trigger(); // beside it eight charts are not all in sight
        QStringList ids;
        for (const ChartRow& row : chartRegistry())
            if (row.training && ids.size() < 8)
                ids << toQString(row.id);
        fixture.part<DashboardPage>().choice().setChartIds(Task::Training, ids);
        for (const double batch : {2.0, 8.0, 16.0}) {
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), batch);
            fixture.session.store.pinCurrent();
        }
        // What does not fit is said a moment later: the message's own picture may not come between.
        QTRY_VERIFY(!fixture.part<MessageBar>().text().isEmpty());
        WindowFixture::settle();
        std::vector<std::unique_ptr<QSignalSpy>> paints;
        for (ChartView* view : fixture.part<DashboardPage>().charts()) {
            QVERIFY(!view->visibleRegion().isEmpty());
            paints.push_back(std::make_unique<QSignalSpy>(view, &ChartView::painted));
        }
        QCOMPARE(paints.size(), std::size_t(8));
        LogSlider* slider = rowWidget(fixture, "micro_batch").slider();
        Paintings paintings;
        fixture.window->installEventFilter(&paintings);
        emit slider->gestureStarted();
        for (const double batch : {3.0, 5.0, 9.0, 20.0}) {
            for (const auto& each : paints)
                each->clear();
            paintings.count = 0;
            emit slider->valueMoved(batch);
            QCoreApplication::sendPostedEvents(); // no timer: the slider and the charts in one picture
            QCOMPARE(paintings.count, 1);
            QVERIFY(std::ranges::any_of(paints, [](const auto& each) { return each->count() > 0; }));
            WindowFixture::settle();
            qsizetype painted = 0;
            for (const auto& each : paints) {
                QVERIFY2(each->count() <= 1, qPrintable(QString::number(each->count())));
                painted += each->count();
            }
            QVERIFY2(painted >= 6, qPrintable(QString::number(painted))); // a picture that stays need not be painted
        }
        emit slider->gestureFinished();
    }

    void keptAxesStayUntilTheyAreFreed()
    {
        WindowFixture fixture;
        DashboardPage& page = fixture.part<DashboardPage>();
        const ChartView& view = chart(fixture, "step_time");
        const Axis before = view.spec().y;
        page.setAxesKept(QStringLiteral("step_time"), true);
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 131072);
        WindowFixture::settle();
        QCOMPARE(view.spec().y.maximum, before.maximum);
        page.setAxesKept(QStringLiteral("step_time"), false);
        WindowFixture::settle();
        QVERIFY(view.spec().y.maximum > before.maximum);
    }

    void theEndsOfASliderAreTypedAndRemembered()
    {
        WindowFixture fixture;
        ParameterRowWidget& row = rowWidget(fixture, "micro_batch");
        QMenu menu;
        row.fillMenu(menu);
        for (QAction* action : menu.actions())
            if (action->text().startsWith(QStringLiteral("Slider from")))
                action->trigger();
        auto* editor = row.findChild<BoundsEditor*>();
        QVERIFY(editor);
        editor->from()->setText(QStringLiteral("64"));
        editor->to()->setText(QStringLiteral("8"));
        editor->accept();
        QVERIFY2(editor->refusal().contains(QStringLiteral("below")), qPrintable(editor->refusal()));
        editor->from()->setText(QStringLiteral("x"));
        editor->accept();
        QVERIFY2(editor->refusal().contains(QStringLiteral("not a number")), qPrintable(editor->refusal()));
        editor->from()->setText(QStringLiteral("0"));
        editor->to()->setText(QStringLiteral("1k"));
        editor->accept();
        QVERIFY2(editor->refusal().contains(QStringLiteral("Possible from")), qPrintable(editor->refusal()));
        editor->from()->setText(QStringLiteral("2"));
        editor->to()->setText(QStringLiteral("32"));
        editor->accept();
        fixture.session.store.setParameter(0, row.row(), 8);
        QCOMPARE(row.slider()->scale().minimum(), 2.0);
        QCOMPARE(row.slider()->scale().maximum(), 32.0);
        QTest::mouseClick(row.slider(), Qt::LeftButton, {}, QPoint(row.slider()->width() - 2, 10));
        QCOMPARE(value(fixture, "micro_batch"), 32.0);

        // Typed values beyond them still count, and another window begins with the same ends.
        fixture.session.store.setParameter(0, row.row(), 64);
        QCOMPARE(row.slider()->scale().maximum(), 64.0);
        Session session(fixture.settings, fixture.dialogs, fixture.appearance);
        const MainWindow second(session);
        auto* panel = second.findChild<ParameterPanel*>();
        const SliderScale& scale = panel->rowWidget(QStringLiteral("micro_batch"))->slider()->scale();
        QVERIFY(scale.maximum() <= 64.0 && scale.minimum() <= 2.0);
        row.setBounds(std::nullopt);
        QCOMPARE(row.slider()->scale().maximum(), row.row().sliderMaximum);
    }

    void playMovesInOneUndoStepUntilAnyInput()
    {
        WindowFixture fixture;
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 1);
        const int steps = fixture.session.store.undoStack().count();
        fixture.part<ParameterPanel>().play(QStringLiteral("micro_batch"));
        const Player& player = fixture.part<ParameterPanel>().player();
        QVERIFY(player.playing());
        QVERIFY(fixture.session.store.isHeld());
        QTRY_VERIFY(value(fixture, "micro_batch") > 3);
        QVERIFY(player.intervalMs() >= 100);
        QTest::mouseClick(fixture.window->centralWidget(), Qt::LeftButton, {}, QPoint(2, 2));
        QVERIFY(!player.playing());
        QVERIFY(!fixture.session.store.isHeld());
        QCOMPARE(fixture.session.store.undoStack().count(), steps + 1);
        fixture.session.store.undoStack().undo();
        QCOMPARE(value(fixture, "micro_batch"), 1.0);

        fixture.part<ParameterPanel>().play(QStringLiteral("micro_batch"));
        QTest::keyClick(fixture.window.get(), Qt::Key_Shift);
        QVERIFY(!player.playing());
    }

    void playLeavesLockedParametersAlone()
    {
        WindowFixture fixture;
        fixture.session.store.setLocked("micro_batch", true);
        fixture.part<ParameterPanel>().play(QStringLiteral("micro_batch"));
        QVERIFY(!fixture.part<ParameterPanel>().player().playing());
        fixture.part<ParameterPanel>().play(QStringLiteral("no such parameter"));
        QVERIFY(!fixture.part<ParameterPanel>().player().playing());
    }

    void aCalmDesktopSeesSnapPointsOnceASecond()
    {
        ScenarioStore store;
        Player player(store);
        const ParameterRow& row = *parameterRow("micro_batch");
        player.play(row, SliderScale(row), true);
        QCOMPARE(player.intervalMs(), 1000);
        player.stop();
        QVERIFY(!store.isHeld());
    }

    void theChartsAreDrawnOverTheParameterInHand()
    {
        WindowFixture fixture;
        rowWidget(fixture, "sequence_length").slider()->setFocus();
        fixture.part<Actions>()[ActionId::SweepRow]->trigger();
        WindowFixture::settle();
        QCOMPARE(chart(fixture, "utilization").spec().x.label, std::string(parameterRow("sequence_length")->label));
    }

    /// Over every control of every page: nothing that is not in hand takes the wheel.
    void theWheelChangesNothingByAccident()
    {
        WindowFixture fixture;
        for (const PageRow& page : pageRegistry()) {
            fixture.window->pages().show(QLatin1String(page.id));
            fixture.window->setFocus();
            WindowFixture::settle();
            const Scenario before = fixture.session.store.scenario();
            int turned = 0;
            for (QWidget* widget : fixture.window->findChildren<QWidget*>()) {
                if (!widget->isVisible() || widget->visibleRegion().isEmpty() || widget->hasFocus())
                    continue;
                const QPointF at = widget->rect().center();
                for (const int delta : {120, -120}) {
                    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                                      Qt::NoScrollPhase, false);
                    QCoreApplication::sendEvent(widget, &event);
                    ++turned;
                }
            }
            QVERIFY(turned > 20);
            QVERIFY2(fixture.session.store.scenario() == before, page.id);
            QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String(page.id));
        }
    }
};
HEADROOM_TEST_WITH(QApplication, TestFeel)

} // namespace headroom::ui::test_feel
#include "test_feel.moc"
