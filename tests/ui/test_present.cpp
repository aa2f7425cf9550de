// SPDX-License-Identifier: GPL-3.0-or-later
// Presentation: what stands on the stage, its keys, sliders that work live, and a window that is found as it was left.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "tests/support/steady_picture.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/run_library.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/stage_chart.hpp"
#include "ui/present/stage_header.hpp"
#include "ui/present/stage_sliders.hpp"
#include "ui/present/stage_tiles.hpp"
#include "ui/theme/theme.hpp"

namespace headroom::ui::test_present
{

using headroom::test::WindowFixture;

namespace
{

Presenter& presenter(const WindowFixture& fixture)
{
    return fixture.part<Presenter>();
}

/// Three views of one model: a training with four charts, another batch, and a serving with one chart.
std::vector<StageView> talk(const WindowFixture& fixture)
{
    StageView first = presenter(fixture).present();
    first.name = "The beginning";
    first.note = "Look at the left half.";
    StageView second = first;
    second.name = "More at once";
    second.scenario.training.microBatch = 64;
    second.charts.resize(2);
    second.note.clear();
    Scenario serving;
    serving.task = Task::Inference;
    StageView third = usualView(serving, {"latency"}, {});
    third.name = "Serving";
    return {first, second, third};
}

Stage& begin(const WindowFixture& fixture, std::vector<StageView> views)
{
    presenter(fixture).begin(std::move(views));
    Stage& stage = *presenter(fixture).stage();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&stage);
    WindowFixture::settle();
    return stage;
}

void press(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers with = {})
{
    QTest::keyClick(&widget, key, with);
    WindowFixture::settle();
}

LogSlider& slider(Stage& stage, std::size_t index)
{
    return *stage.sliders().rows()[index]->slider();
}

double value(const Scenario& scenario, const char* id)
{
    return parameterRow(id)->get(scenario);
}

} // namespace

class TestPresent final : public QObject
{
    Q_OBJECT

private slots:
    void f5ShowsTheScenarioInHand()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::Present]->trigger();
        Stage* stage = presenter(fixture).stage();
        QVERIFY(stage);
        WindowFixture::settle();
        QVERIFY(stage->isFullScreen());
        QVERIFY(stage->scenario() == fixture.session.store.scenario());
        QVERIFY(stage->charts().size() <= StageView::mostCharts);
        QCOMPARE(stage->sliders().rows().size(), StageView::mostSliders);
        QCOMPARE(stage->charts().front()->view()->spec().id, fixture.part<DashboardPage>().charts().front()->spec().id);
        QVERIFY(stage->header().machine().contains(QStringLiteral("405B")));
        for (const StageChart* chart : stage->charts()) {
            QVERIFY2(!chart->reading().isEmpty(), chart->view()->spec().id.c_str());
            QVERIFY2(chart->view()->spec().reading.empty(), "the sentence stands under the chart, not twice");
        }
    }

    void itIsLargeAndOfHighContrast()
    {
        WindowFixture fixture;
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            fixture.appearance.setTheme(kind);
            Stage& stage = begin(fixture, talk(fixture));
            stage.resize(1920, 1080);
            WindowFixture::settle();
            const Theme& shown = themeOf(stage.palette());
            QVERIFY(shown.isHighContrast());
            QCOMPARE(shown.isDark(), kind == ThemeKind::Dark);
            const double usual = QApplication::font().pointSizeF();
            QCOMPARE(stage.charts().front()->view()->font().pointSizeF(), usual * Stage::typeScale);
            QVERIFY(stage.tiles().tiles().front()->font().pointSizeF() > usual * Stage::typeScale);
            QVERIFY(stage.tiles().tiles().size() >= 4);
            press(stage, Qt::Key_D);
            QCOMPARE(themeOf(stage.palette()).isDark(), kind != ThemeKind::Dark);
            QCOMPARE(themeOf(stage.charts().front()->view()->palette()).isDark(), kind != ThemeKind::Dark);
            presenter(fixture).leave();
        }
    }

    void whatIsDrawnBeforeItIsShownIsTheSame()
    {
        WindowFixture fixture;
        auto views = talk(fixture);
        views.front().charts.resize(2);
        const auto stage = presenter(fixture).makeStage(views, fixture.window.get());
        stage->resize(1366, 768); // as pictures of the program do: no resize after the first
        stage->show();
        WindowFixture::settle();
        QCOMPARE(stage->charts().front()->view()->font().pointSizeF(),
                 QApplication::font().pointSizeF() * Stage::typeScale);
        QVERIFY(stage->charts().front()->readingLinesNeeded() == 1);
    }

    void itFitsASmallScreen()
    {
        WindowFixture fixture;
        Stage& stage = begin(fixture, talk(fixture));
        stage.resize(1366, 768);
        WindowFixture::settle();
        QCOMPARE(stage.size(), QSize(1366, 768));
        for (const StageChart* chart : stage.charts()) {
            QVERIFY2(chart->view()->plotArea().height() > 60, chart->view()->spec().id.c_str());
            QVERIFY2(!chart->isReadingCut(), qPrintable(chart->reading()));
        }
        for (const ParameterRowWidget* row : stage.sliders().rows())
            QVERIFY(stage.rect().contains(row->mapTo(&stage, row->rect().bottomRight())));
    }

    void aLowScreenShowsTwoChartsAtATime()
    {
        WindowFixture fixture;
        auto views = talk(fixture);
        const std::vector<std::string> all{"roofline", "utilization", "loss_ladder"};
        views.front().charts = all;
        Stage& stage = begin(fixture, views);
        const auto shown = [&stage] {
            std::vector<std::string> ids;
            for (const StageChart* chart : stage.charts())
                ids.push_back(chart->view()->spec().id);
            return ids;
        };
        stage.resize(960, 540);
        WindowFixture::settle();
        QVERIFY((shown() == std::vector<std::string>{"roofline", "utilization"}));
        QVERIFY2(stage.header().verdict().contains(QStringLiteral("Charts 1 and 2 of 3")),
                 qPrintable(stage.header().verdict()));
        press(stage, Qt::Key_C);
        QVERIFY((shown() == std::vector<std::string>{"loss_ladder"}));
        QVERIFY2(stage.spoken().contains(QStringLiteral("Chart 3 of 3")), qPrintable(stage.spoken()));
        press(stage, Qt::Key_C);
        QVERIFY((shown() == std::vector<std::string>{"roofline", "utilization"}));
        stage.resize(1920, 1080);
        WindowFixture::settle();
        QVERIFY(shown() == all);
        QVERIFY(stage.header().verdict().isEmpty());
        press(stage, Qt::Key_C);
        QVERIFY(shown() == all);
    }

    void arrowsStepThroughTheViews()
    {
        WindowFixture fixture;
        Stage& stage = begin(fixture, talk(fixture));
        QCOMPARE(stage.index(), 0);
        QCOMPARE(stage.header().title(), QStringLiteral("The beginning"));
        QCOMPARE(stage.note(), QStringLiteral("Look at the left half."));
        press(stage, Qt::Key_Left);
        QCOMPARE(stage.index(), 0);
        press(stage, Qt::Key_Right);
        QCOMPARE(stage.header().title(), QStringLiteral("More at once"));
        QCOMPARE(stage.charts().size(), std::size_t(2));
        QVERIFY(stage.note().isEmpty());
        QCOMPARE(value(stage.scenario(), "micro_batch"), 64.0);
        press(stage, Qt::Key_PageDown);
        QCOMPARE(stage.index(), 2);
        QCOMPARE(stage.charts().size(), std::size_t(1));
        QVERIFY(stage.scenario().task == Task::Inference);
        press(stage, Qt::Key_Right);
        QCOMPARE(stage.index(), 2);
        press(stage, Qt::Key_Home);
        QCOMPARE(stage.index(), 0);
        press(stage, Qt::Key_End);
        press(stage, Qt::Key_PageUp);
        QCOMPARE(stage.index(), 1);
        QVERIFY2(stage.spoken().contains(QStringLiteral("view 2 of 3")) &&
                     stage.spoken().contains(QStringLiteral("More at once")),
                 qPrintable(stage.spoken()));
    }

    void inASliderArrowsMoveItAndPageKeysStep()
    {
        WindowFixture fixture;
        Stage& stage = begin(fixture, talk(fixture));
        press(stage, Qt::Key_Tab);
        QCOMPARE(stage.focusWidget(), static_cast<QWidget*>(&slider(stage, 0)));
        const double before = value(stage.scenario(), "micro_batch");
        press(slider(stage, 0), Qt::Key_Right);
        QVERIFY(value(stage.scenario(), "micro_batch") > before);
        QCOMPARE(stage.index(), 0);
        press(slider(stage, 0), Qt::Key_L); // elsewhere it locks
        QVERIFY(stage.hasLaser() && !stage.store().isLocked("micro_batch"));
        press(slider(stage, 0), Qt::Key_L);
        press(slider(stage, 0), Qt::Key_PageDown);
        QCOMPARE(stage.index(), 1);
        QVERIFY2(stage.hasFocus(), "arrows step again");
        QCOMPARE(value(stage.scenario(), "micro_batch"), 64.0);
    }

    void theKeyboardReachesEverySliderAndChart()
    {
        WindowFixture fixture;
        Stage& stage = begin(fixture, talk(fixture));
        QSet<QWidget*> reached;
        for (int i = 0; i < 30; ++i) {
            press(stage.focusWidget() ? *stage.focusWidget() : stage, Qt::Key_Tab);
            reached.insert(stage.focusWidget());
        }
        for (std::size_t i = 0; i < stage.sliders().rows().size(); ++i)
            QVERIFY(reached.contains(&slider(stage, i)));
        for (const StageChart* chart : stage.charts())
            QVERIFY(reached.contains(chart->view()));
        for (QWidget* widget : reached)
            QVERIFY2(widget && !widget->accessibleName().isEmpty(), widget ? widget->metaObject()->className() : "?");
    }

    void aSliderIsLiveAndOneUndoStep()
    {
        WindowFixture fixture;
        Stage& stage = begin(fixture, talk(fixture));
        const double before = value(stage.scenario(), "micro_batch");
        const ChartSpec drawn = stage.charts().front()->view()->spec();
        LogSlider& hand = slider(stage, 0);
        QTest::mousePress(&hand, Qt::LeftButton, {}, hand.handleRect().center());
        for (const double to : {4.0, 16.0, 32.0}) {
            QTest::mouseMove(&hand, hand.pointOf(to));
            WindowFixture::settle();
            QCOMPARE(value(stage.scenario(), "micro_batch"), to);
            QVERIFY(stage.charts().front()->view()->spec() != drawn);
        }
        QTest::mouseRelease(&hand, Qt::LeftButton, {}, hand.pointOf(32));
        press(stage, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(value(stage.scenario(), "micro_batch"), before);
        press(stage, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(value(stage.scenario(), "micro_batch"), 32.0);
        press(stage, Qt::Key_R);
        QCOMPARE(value(stage.scenario(), "micro_batch"), before);
    }

    void blackAndLaser()
    {
        WindowFixture fixture;
        Stage& stage = begin(fixture, talk(fixture));
        press(stage, Qt::Key_B);
        QVERIFY(stage.isBlack());
        QImage picture = stage.grab().toImage();
        QCOMPARE(picture.pixelColor(picture.width() / 2, picture.height() / 2), QColor(Qt::black));
        QCOMPARE(picture.pixelColor(10, 10), QColor(Qt::black));
        press(stage, Qt::Key_B);
        QVERIFY(!stage.isBlack());
        press(stage, Qt::Key_Period);
        press(stage, Qt::Key_Right);
        QVERIFY2(!stage.isBlack() && stage.index() == 1, "going on brings the light back");

        press(stage, Qt::Key_L);
        QVERIFY(stage.hasLaser());
        const QPoint at(300, 400);
        // QTest moves the pointer of the whole screen, on which another window may lie.
        QMouseEvent moved(QEvent::MouseMove, at, stage.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(&stage, &moved);
        WindowFixture::settle();
        const QColor dot = stage.grab().toImage().pixelColor(at * stage.devicePixelRatioF());
        QVERIFY2(dot.red() > 180 && dot.green() < 60, qPrintable(dot.name()));
        press(stage, Qt::Key_L);
        QVERIFY(!stage.hasLaser());
    }

    void escapeLeavesTheWindowAsItWas()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        store.pinCurrent();
        store.setParameter(0, *parameterRow("micro_batch"), 8);
        store.undoStack().undo();
        QWidget* inHand = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("sequence_length"))->slider();
        inHand->setFocus();
        const Scenario before = store.scenario();
        QTRY_VERIFY(fixture.session.runLibrary.shelf()->published); // comes by itself, and is part of the picture
        WindowFixture::settle();
        QVERIFY(!fixture.part<ExplanationPanel>().text().isEmpty());
        const QImage picture = test::steadyPicture(*fixture.window->centralWidget());

        Stage& stage = begin(fixture, talk(fixture));
        press(stage, Qt::Key_Tab);
        press(slider(stage, 0), Qt::Key_Right);
        press(slider(stage, 0), Qt::Key_PageDown);
        press(stage, Qt::Key_Escape);
        QVERIFY(!presenter(fixture).stage());
        QVERIFY(store.scenario() == before);
        QCOMPARE(store.pins().size(), std::size_t(1));
        QCOMPARE(store.undoStack().count(), 2);
        QVERIFY(store.undoStack().canRedo());
        QTRY_COMPARE(QApplication::focusWidget(), inHand);
        QTRY_VERIFY(fixture.window->centralWidget()->grab().toImage() == picture);
    }

    void keepingIsOneUndoStepOfTheWindow()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        const Scenario before = store.scenario();
        Stage& stage = begin(fixture, talk(fixture));
        press(stage, Qt::Key_Right);
        QVERIFY(store.scenario() == before);
        press(stage, Qt::Key_K);
        QVERIFY(store.scenario() == stage.scenario());
        QVERIFY(stage.spoken().contains(QStringLiteral("Kept")));
        press(stage, Qt::Key_Escape);
        store.undoStack().undo();
        QVERIFY(store.scenario() == before);
    }

    void aMeasurementOfOtherSettingsIsSaid()
    {
        WindowFixture fixture; // begins with a measured run
        Stage& stage = begin(fixture, talk(fixture));
        QVERIFY2(stage.header().verdict().isEmpty(), qPrintable(stage.header().verdict()));
        press(slider(stage, 0), Qt::Key_Right);
        QVERIFY2(stage.header().verdict().contains(QStringLiteral("Measured with micro-batch 2: MFU")),
                 qPrintable(stage.header().verdict()));
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 8);
        const Scenario shown = presenter(fixture).present().scenario;
        const auto prepared = prepare(shown, Catalog::builtIn(), Calibration::builtIn());
        QVERIFY2(!evaluate(*prepared).observed, "a view does not claim what nobody measured");
    }

    void keysMeanWhatTheKeyboardIsOn()
    {
        QVERIFY(stageCommand(Qt::Key_PageDown, StagePlace::Text) == StageCommand::Next);
        QVERIFY2(!stageCommand(Qt::Key_Period, StagePlace::Text), "it belongs to a number");
        QVERIFY(stageCommand(Qt::Key_Period, StagePlace::Control) == StageCommand::Black);
        QVERIFY2(!stageCommand(Qt::Key_Right, StagePlace::Control), "it moves the slider");
        QVERIFY(stageCommand(Qt::Key_Right, StagePlace::Stage) == StageCommand::Next);
    }

    void aLowScreenHasSmallerType()
    {
        const int line = QFontMetrics(QApplication::font()).height();
        QCOMPARE((StageRoom{60 * line, QApplication::font()}.typeScale()), Stage::typeScale);
        const StageRoom tight{26 * line, QApplication::font()};
        QVERIFY(tight.typeScale() == 1.0 && tight.isTight() && tight.isLow());
    }

    void whatCannotRunIsSaid()
    {
        WindowFixture fixture;
        StageView view = presenter(fixture).present();
        view.scenario.hardware.count = 1;
        Stage& stage = begin(fixture, {view});
        QVERIFY2(stage.header().verdict().contains(QStringLiteral("Does not fit")),
                 qPrintable(stage.header().verdict()));
        stage.store().edit(0, {}, [](Scenario& scenario) {
            scenario.hardware.count = 8;
            scenario.parallelism.tensor = 3;
        });
        WindowFixture::settle();
        QVERIFY2(stage.header().verdict().contains(QStringLiteral("Cannot be evaluated")),
                 qPrintable(stage.header().verdict()));
    }
};
HEADROOM_TEST_WITH(QApplication, TestPresent)

} // namespace headroom::ui::test_present
#include "test_present.moc"
