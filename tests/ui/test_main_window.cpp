// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program.hpp"
#include "tests/support/window_fixture.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/catalog_picker.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/steady_scroll.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>

namespace headroom::ui::test_main_window
{

using headroom::test::WindowFixture;

class TestMainWindow : public QObject
{
    Q_OBJECT

    static std::string tile(WindowFixture& fixture, const char* id)
    {
        WindowFixture::settle();
        const MetricTile* found = fixture.part<MetricTiles>().tile(QLatin1String(id));
        return found ? found->content().number + found->content().unit : std::string("no tile");
    }

    static void pick(CatalogPicker* picker, const QString& query)
    {
        picker->openPopup();
        QLineEdit* field = picker->popup()->field();
        QTest::keyClicks(field, query);
        QTest::keyClick(field, Qt::Key_Return);
    }

    static void dragTo(WindowFixture& fixture, const char* id, double value)
    {
        ParameterRowWidget* row = fixture.part<ParameterPanel>().rowWidget(QLatin1String(id));
        fixture.part<ParameterPanel>().scrollArea()->ensureWidgetVisible(row);
        LogSlider* slider = row->slider();
        QTest::mousePress(slider, Qt::LeftButton, {}, slider->handleRect().center());
        QTest::mouseMove(slider, slider->pointOf(value));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, slider->pointOf(value));
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aWhatIfFromEndToEnd()
    {
        WindowFixture fixture;
        ParameterPanel& panel = fixture.part<ParameterPanel>();
        const ScenarioStore& store = fixture.session.store;
        fixture.part<Actions>()[ActionId::New]->trigger();
        pick(panel.modelPicker(), QStringLiteral("llama 3.1 405b"));
        pick(panel.acceleratorPicker(), QStringLiteral("mi300x"));
        QCOMPARE(store.scenario().model.id, std::string("llama-3.1-405b"));
        QCOMPARE(store.scenario().accelerator.id, std::string("mi300x"));
        dragTo(fixture, "count", 8);
        QCOMPARE(store.scenario().hardware.count, 8);

        std::string mfu = tile(fixture, "mfu");
        const std::string memory = tile(fixture, "memory.used_bytes");
        dragTo(fixture, "micro_batch", 16);
        QCOMPARE(store.scenario().training.microBatch, 16);
        QVERIFY(tile(fixture, "mfu") != mfu);
        QVERIFY(tile(fixture, "memory.used_bytes") != memory);

        mfu = tile(fixture, "mfu");
        dragTo(fixture, "sequence_length", 64);
        QVERIFY(tile(fixture, "mfu") != mfu);

        const std::string full = tile(fixture, "memory.used_bytes");
        const auto segments = panel.taskControl()->findChildren<QAbstractButton*>();
        QTest::mouseClick(segments.at(1), Qt::LeftButton);
        QVERIFY(store.scenario().training.method == Method::Lora);
        QVERIFY(tile(fixture, "memory.used_bytes") != full);

        const std::string hfu = tile(fixture, "hfu");
        const ParameterRow& checkpointing = *parameterRow("checkpointing");
        dragTo(fixture, "checkpointing", 3);
        QCOMPARE(checkpointing.get(store.scenario()), 3.0);
        QVERIFY(tile(fixture, "hfu") != hfu);

        mfu = tile(fixture, "mfu");
        dragTo(fixture, "precision", 4);
        QVERIFY(store.scenario().training.precision == DataType::Fp8);
        QVERIFY(tile(fixture, "mfu") != mfu);

        QTest::mouseClick(segments.at(2), Qt::LeftButton);
        QVERIFY(store.scenario().task == Task::Inference);
        QVERIFY(tile(fixture, "tpot_s") != "no tile");
        // Every gesture was one step: all of it can be taken back.
        const int steps = fixture.session.store.undoStack().count();
        QCOMPARE(steps, 9);
    }

    void fiveChangesBuildEachVisibleChartOnce()
    {
        WindowFixture fixture({1920, 1080});
        QTRY_COMPARE(fixture.part<DashboardPage>().charts().size(), std::size_t(ChartChoice::chartsShown));
        WindowFixture::settle();
        QSignalSpy evaluated(&fixture.session.recalculator, &Recalculator::evaluated);
        const int before = fixture.part<DashboardPage>().built();
        for (const double value : {1.0, 4.0, 8.0, 16.0, 32.0})
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), value);
        WindowFixture::settle();
        QCOMPARE(evaluated.count(), 1);
        QCOMPARE(fixture.part<DashboardPage>().built() - before, ChartChoice::chartsShown);
    }

    void chartsOutOfSightWaitUntilTheyAreScrolledTo()
    {
        WindowFixture fixture({1142, 640});
        fixture.part<Actions>()[ActionId::New]->trigger(); // without a measurement no message comes and moves charts
        WindowFixture::settle();
        DashboardPage& page = fixture.part<DashboardPage>();
        const int before = page.built();
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 4);
        WindowFixture::settle();
        const int inSight = page.built() - before;
        QVERIFY(inSight > 0);
        QVERIFY(inSight < ChartChoice::chartsShown);
        page.verticalScrollBar()->setValue(page.verticalScrollBar()->maximum());
        WindowFixture::settle();
        QVERIFY(page.built() - before > inSight);
        QVERIFY(page.built() - before <= ChartChoice::chartsShown);
    }

    void aRefusalSaysWhyAndOneClickMendsIt()
    {
        WindowFixture fixture;
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3);
        WindowFixture::settle();
        QVERIFY(fixture.session.recalculator.isRefused());
        MessageBar& bar = fixture.part<MessageBar>();
        QTRY_VERIFY(!bar.text().isEmpty());
        QVERIFY(!bar.remedies().empty());
        QTest::mouseClick(bar.findChild<QAbstractButton*>(), Qt::LeftButton);
        WindowFixture::settle();
        QVERIFY(!fixture.session.recalculator.isRefused());
        QTRY_VERIFY(!bar.text().contains(QStringLiteral("Cannot")));
    }

    /// The bar pushes the charts down; what is on the screen is what the window would paint anew.
    void nothingOldStaysOnTheScreen()
    {
        WindowFixture fixture({1366, 768});
        if (fixture.window->devicePixelRatioF() != 1)
            QSKIP("the platform without a screen shows its pictures at one pixel a point only");
        const auto onScreen = [&fixture] {
            WindowFixture::settle();
            QGuiApplication::sync();
            return fixture.window->screen()
                ->grabWindow(fixture.window->winId())
                .toImage()
                .convertToFormat(QImage::Format_RGB32);
        };
        // Seen equal once is enough, and one look must do: between two of them a text cursor may blink.
        const auto isUpToDate = [&] {
            return QTest::qWaitFor(
                [&] { return onScreen() == fixture.window->grab().toImage().convertToFormat(QImage::Format_RGB32); });
        };
        QVERIFY(isUpToDate());
        fixture.session.store.setParameter(0, *parameterRow("tensor"), 3);
        QTRY_VERIFY(!fixture.part<MessageBar>().text().isEmpty());
        QVERIFY(isUpToDate());
        const QImage seen = onScreen();
        fixture.session.store.undoStack().undo();
        QTRY_VERIFY(fixture.part<MessageBar>().text().isEmpty());
        QVERIFY(isUpToDate());
        QVERIFY(onScreen() != seen);
    }

    void aMeasurementOfOtherSettingsIsNamed()
    {
        WindowFixture fixture; // opens on a run that was measured
        ScenarioStore& store = fixture.session.store;
        MessageBar& bar = fixture.part<MessageBar>();
        QVERIFY(store.scenario().measured.any() && !store.scenario().measuredWith);
        store.edit(0, QStringLiteral("count otherwise"), [](Scenario& s) { s.accounting = Convention::Exact; });
        QVERIFY(!store.scenario().measuredWith);
        const Scenario run = store.scenario();
        store.setParameter(0, *parameterRow("sequence_length"), 256);
        QTRY_VERIFY2(bar.text().startsWith(QStringLiteral("Measured with sequence length 64: MFU 0.")),
                     qPrintable(bar.text()));
        QVERIFY(!fixture.session.recalculator.context()->evaluation.observed);
        store.undoStack().undo();
        QTRY_VERIFY(bar.text().isEmpty());
        store.setParameter(0, *parameterRow("sequence_length"), 256);
        QTRY_COMPARE(bar.remedies().size(), std::size_t(2));
        QTest::mouseClick(bar.findChildren<QAbstractButton*>().constFirst(), Qt::LeftButton); // back to those settings
        QTRY_VERIFY(store.scenario() == run);
        QTRY_VERIFY(bar.text().isEmpty());
        QVERIFY(fixture.session.recalculator.context()->evaluation.observed);
        store.setParameter(0, *parameterRow("sequence_length"), 256);
        QTRY_COMPARE(bar.remedies().size(), std::size_t(2));
        QTest::mouseClick(bar.findChildren<QAbstractButton*>().constLast(), Qt::LeftButton);
        QTRY_VERIFY(!store.scenario().measured.any());
        QTRY_VERIFY(bar.text().isEmpty());
        QVERIFY(store.scenario().source.empty()); // whose run it is not
        // What does not fit is said first, and does not hide it.
        store.undoStack().undo();
        store.setParameter(0, *parameterRow("micro_batch"), 1024);
        QTRY_VERIFY(bar.text().contains(QStringLiteral("Does not fit")));
        QVERIFY2(bar.text().contains(QStringLiteral("Measured with")), qPrintable(bar.text()));
        store.undoStack().undo();
        store.edit(0, QStringLiteral("not measured"), [](Scenario& s) { s.measured = {}; });
        // A measurement that is stated now is of these settings.
        store.setParameter(0, *parameterRow("measured_step_time_s"), 6);
        QVERIFY(store.scenario().measured.any() && !store.scenario().measuredWith);
    }

    void aMeasurementThatCannotBeIsNamed()
    {
        WindowFixture fixture;
        ScenarioStore& store = fixture.session.store;
        MessageBar& bar = fixture.part<MessageBar>();
        store.setParameter(0, *parameterRow("measured_step_time_s"), 0.1);
        QVERIFY(!store.scenario().measuredWith);
        QTRY_VERIFY2(bar.text().contains(QStringLiteral("speed of light")), qPrintable(bar.text()));
        QTest::mouseClick(bar.findChild<QAbstractButton*>(), Qt::LeftButton);
        QTRY_VERIFY(bar.text().isEmpty());
        QVERIFY(!store.scenario().measured.any());
    }

    void whatDoesNotFitSaysSoInWords()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::New]->trigger();
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 512);
        WindowFixture::settle();
        QVERIFY(!fixture.session.recalculator.context()->evaluation.fits);
        MessageBar& bar = fixture.part<MessageBar>();
        QTRY_VERIFY(bar.text().contains(QStringLiteral("needs")));
        QVERIFY(!bar.remedies().empty());
        QTest::mouseClick(bar.findChild<QAbstractButton*>(), Qt::LeftButton);
        WindowFixture::settle();
        QVERIFY(fixture.session.recalculator.context()->evaluation.fits);
        QTRY_VERIFY(bar.text().isEmpty());
    }

    /// Many words beside wide buttons would be a narrow column: the buttons stand below them.
    void aMessageTakesFewLines()
    {
        for (const int width : {1366, 3200}) { // with large type too, beside a wider explanation
            WindowFixture fixture({width, 900});
            MessageBar& bar = fixture.part<MessageBar>();
            fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 512);
            QTRY_VERIFY(bar.text().contains(QStringLiteral("Does not fit")));
            WindowFixture::settle();
            const auto* words = bar.findChild<QLabel*>();
            const int lines = words->heightForWidth(words->width()) / words->fontMetrics().lineSpacing();
            QVERIFY2(lines <= 3, qPrintable(QString::number(lines)));
            const bool below = bar.findChild<QAbstractButton*>()->y() >= words->geometry().bottom();
            QCOMPARE(below, width == 1366);
        }
    }

    void aTileExplainsItself()
    {
        WindowFixture fixture;
        const QString mfu = fixture.part<ExplanationPanel>().text();
        QVERIFY(mfu.contains(QStringLiteral("MFU")));
        QTest::mouseClick(fixture.part<MetricTiles>().tile(QStringLiteral("memory.used_bytes")), Qt::LeftButton);
        WindowFixture::settle();
        QVERIFY(fixture.part<ExplanationPanel>().text() != mfu);
    }

    void theRightPanelFoldsInANarrowWindow()
    {
        WindowFixture fixture({1142, 724});
        auto* workspace = fixture.window->findChild<Workspace*>();
        QVERIFY(workspace->isFolded());
        QVERIFY(!workspace->isRightShown());
        fixture.part<Actions>()[ActionId::Explanation]->trigger();
        QVERIFY(workspace->isRightShown());
        fixture.window->resize(1600, 900);
        WindowFixture::settle();
        QVERIFY(!workspace->isFolded());
        QVERIFY(workspace->isRightShown());
    }

    void undoWorksWhileAValueBoxHasTheKeyboard()
    {
        WindowFixture fixture;
        ParameterRowWidget* row = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"));
        const double before = row->row().get(fixture.session.store.scenario());
        row->box()->setFocus();
        row->box()->selectAll();
        QTest::keyClicks(row->box(), QStringLiteral("33"));
        QTest::keyClick(row->box(), Qt::Key_Return);
        QCOMPARE(row->row().get(fixture.session.store.scenario()), 33.0);
        QTest::keyClick(row->box(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(row->row().get(fixture.session.store.scenario()), before);
    }

    void pinsAppearInTheTiles()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::New]->trigger();
        WindowFixture::settle();
        fixture.part<Actions>()[ActionId::Pin]->trigger();
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), 8);
        WindowFixture::settle();
        const TileText& text = fixture.part<MetricTiles>().tile(QStringLiteral("step_time_s"))->content();
        QVERIFY2(text.pins.front().find("than A") != std::string::npos, text.pins.front().c_str());
    }

    void shortcutsAreUniqueAndEveryActionHasWords()
    {
        WindowFixture fixture;
        QHash<QKeySequence, QString> taken;
        for (int i = 0; i < static_cast<int>(ActionId::Count); ++i) {
            const QAction* action = fixture.part<Actions>()[static_cast<ActionId>(i)];
            QVERIFY(action);
            QVERIFY(!action->text().isEmpty());
            QVERIFY2(!action->toolTip().isEmpty() && action->toolTip() != action->text(), qPrintable(action->text()));
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!taken.contains(key), qPrintable(key.toString() + taken.value(key)));
                taken.insert(key, action->text());
            }
        }
    }

    void everyFocusableWidgetHasAName()
    {
        WindowFixture fixture;
        for (const QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible())
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty(),
                     qPrintable(QStringLiteral("%1 in %2")
                                    .arg(QLatin1String(widget->metaObject()->className()),
                                         widget->parentWidget()->objectName())));
        }
    }

    void darkAndBackAgain()
    {
        WindowFixture fixture;
        const bool dark = fixture.appearance.theme() == ThemeKind::Dark;
        fixture.part<Actions>()[ActionId::ToggleTheme]->trigger();
        QCOMPARE(fixture.appearance.theme() == ThemeKind::Dark, !dark);
        WindowFixture::settle();
        const QImage picture = fixture.window->grab().toImage();
        const Theme& now = theme(dark ? ThemeKind::Light : ThemeKind::Dark);
        QCOMPARE(picture.pixelColor(4, picture.height() / 2), now.window);
        // The status line's dot too, without a new result.
        const QString fits = fixture.window->findChild<StatusLine*>()->findChild<QLabel*>()->text();
        QVERIFY2(fits.contains(now.good.name()) || fits.contains(now.danger.name()), qPrintable(fits));
        fixture.part<Actions>()[ActionId::ToggleTheme]->trigger();
    }

    /// Style sheets cut widgets and all they hold off from a new palette.
    void everyWidgetTakesTheTheme()
    {
        WindowFixture fixture;
        for (const PageRow& page : pageRegistry()) {
            fixture.window->pages().show(QLatin1String(page.id));
            WindowFixture::settle();
        }
        for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light}) {
            const Theme& before = theme(fixture.appearance.theme());
            fixture.appearance.setTheme(kind);
            WindowFixture::settle();
            if (before.kind == kind)
                continue;
            // A sheet may give a widget another of the theme's colours, but none of the theme before.
            for (const QWidget* widget : fixture.window->findChildren<QWidget*>())
                QVERIFY2(widget->palette().color(QPalette::Base) != before.surface &&
                             widget->palette().color(QPalette::Window) != before.window,
                         qPrintable(QStringLiteral("%1 %2 in %3")
                                        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                                             widget->parentWidget()->objectName())));
        }
    }
};
HEADROOM_TEST_WITH(QApplication, TestMainWindow)

} // namespace headroom::ui::test_main_window
#include "test_main_window.moc"
