// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of the window does what the keyboard map says, pressed on the real window; letters in a field are text.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "tests/support/support.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/data_table.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/catalog_picker.hpp"
#include "ui/widgets/command_palette.hpp"
#include "ui/widgets/log_slider.hpp"
#include "ui/widgets/value_box.hpp"

#include <QFileInfo>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>

namespace headroom::ui::test_keyboard_map
{

using headroom::test::press;
using headroom::test::WindowFixture;

class TestKeyboardMap final : public QObject
{
    Q_OBJECT

    static constexpr Qt::KeyboardModifiers control = Qt::ControlModifier, shift = Qt::ShiftModifier;

    static int batch(WindowFixture& fixture) { return fixture.session.store.scenario().training.microBatch; }
    static void setBatch(WindowFixture& fixture, double value)
    {
        fixture.session.store.setParameter(0, *parameterRow("micro_batch"), value);
        WindowFixture::settle();
    }
    static ChartView& chart(WindowFixture& fixture)
    {
        ChartView& view = *fixture.part<DashboardPage>().charts().front();
        view.setFocus();
        return view;
    }
    static LogSlider& slider(WindowFixture& fixture)
    {
        LogSlider& slider = *fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"))->slider();
        slider.setFocus();
        return slider;
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// No field of text has the keyboard there: not in a window that has just opened, and not after a choice, where P
    /// searched and a second Return took another model.
    void lettersOnAPickerAreTheWindows()
    {
        WindowFixture fixture;
        CatalogPicker& picker = *fixture.part<ParameterPanel>().modelPicker();
        std::size_t pins = 0;
        for (const Qt::FocusReason reason : {Qt::ActiveWindowFocusReason, Qt::TabFocusReason}) {
            picker.clearFocus();
            picker.setFocus(reason);
            press(fixture, Qt::Key_P);
            QCOMPARE(fixture.session.store.pins().size(), ++pins);
            setBatch(fixture, 1 + double(pins)); // the same twice would be one pin
        }
        press(fixture, Qt::Key_Space);
        headroom::test::type(fixture, QStringLiteral("llama 3.3"));
        press(fixture, Qt::Key_Return);
        QCOMPARE(fixture.session.store.scenario().model.id, std::string("llama-3.3-70b"));
        press(fixture, Qt::Key_P);
        QCOMPARE(fixture.session.store.pins().size(), ++pins);
        QVERIFY(!picker.popup()->isVisible());
    }

    /// The button goes with what it mended; the keyboard went on to the model's picker.
    void lettersAfterARemedyAreTheWindows()
    {
        WindowFixture fixture;
        press(fixture, Qt::Key_N, control);
        setBatch(fixture, 512);
        const auto& bar = fixture.part<MessageBar>();
        QTRY_VERIFY(!bar.remedies().empty());
        WindowFixture::settle();
        auto* remedy = bar.findChild<QPushButton*>();
        remedy->setFocus(Qt::TabFocusReason);
        QVERIFY(remedy->hasFocus());
        press(fixture, Qt::Key_Space);
        QTRY_VERIFY2(bar.text().isEmpty(), qPrintable(bar.text()));
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(fixture.window->pages().tabs()));
        press(fixture, Qt::Key_P);
        QCOMPARE(fixture.session.store.pins().size(), std::size_t(1));
    }

    void files()
    {
        WindowFixture fixture;
        press(fixture, Qt::Key_N, control);
        setBatch(fixture, 8);
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("a.headroom"));
        press(fixture, Qt::Key_S, control);
        QVERIFY(QFileInfo::exists(fixture.dialogs.path));
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("b.headroom"));
        press(fixture, Qt::Key_S, control | shift);
        QVERIFY(QFileInfo::exists(fixture.dialogs.path));
        setBatch(fixture, 2);
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("a.headroom"));
        press(fixture, Qt::Key_O, control);
        QCOMPARE(batch(fixture), 8);
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("report.pdf"));
        press(fixture, Qt::Key_E, control);
        QVERIFY(test::readFile(fixture.dialogs.path.toStdString()).starts_with("%PDF"));
        QVERIFY(fixture.dialogs.errors.isEmpty());
    }

    void undoAndRedo()
    {
        WindowFixture fixture;
        press(fixture, Qt::Key_N, control);
        setBatch(fixture, 8);
        press(fixture, Qt::Key_Z, control);
        QCOMPARE(batch(fixture), 1);
        press(fixture, Qt::Key_Z, control | shift);
        QCOMPARE(batch(fixture), 8);
    }

    void paletteAndPickers()
    {
        WindowFixture fixture;
        const auto* palette = fixture.window->findChild<CommandPalette*>();
        for (const auto& [key, with] :
             {std::pair(Qt::Key_K, control), std::pair(Qt::Key_P, Qt::KeyboardModifiers(control | shift))}) {
            press(fixture, key, with);
            QVERIFY(palette->isVisible());
            press(fixture, Qt::Key_Escape);
            QVERIFY(!palette->isVisible());
        }
        for (const auto& [key, picker] : {std::pair(Qt::Key_M, fixture.part<ParameterPanel>().modelPicker()),
                                          std::pair(Qt::Key_G, fixture.part<ParameterPanel>().acceleratorPicker())}) {
            press(fixture, key, Qt::AltModifier);
            QVERIFY(picker->popup()->isVisible());
            press(fixture, Qt::Key_Escape);
            QVERIFY(!picker->popup()->isVisible());
        }
    }

    void pages()
    {
        WindowFixture fixture;
        int number = 0;
        for (const PageRow& row : pageRegistry()) {
            press(fixture, static_cast<Qt::Key>(Qt::Key_1 + number++), control);
            QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String(row.id));
        }
        QVERIFY(number >= 5);
        press(fixture, Qt::Key_C);
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("compare"));
    }

    void themeAndType()
    {
        WindowFixture fixture;
        const ThemeKind before = fixture.appearance.theme();
        press(fixture, Qt::Key_D, control);
        QVERIFY(fixture.appearance.theme() != before);
        press(fixture, Qt::Key_D, control);
        QVERIFY(fixture.appearance.theme() == before);
        press(fixture, Qt::Key_0, control);
        const double scale = fixture.appearance.typeScale();
        press(fixture, Qt::Key_Plus, control);
        QVERIFY(fixture.appearance.typeScale() > scale);
        press(fixture, Qt::Key_0, control);
        QCOMPARE(fixture.appearance.typeScale(), scale);
        press(fixture, Qt::Key_Minus, control);
        QVERIFY(fixture.appearance.typeScale() < scale);
    }

    void pins()
    {
        WindowFixture fixture;
        slider(fixture);
        press(fixture, Qt::Key_P);
        press(fixture, Qt::Key_P);
        QCOMPARE(fixture.session.store.pins().size(), std::size_t(2));
        press(fixture, Qt::Key_P, shift);
        QVERIFY(fixture.session.store.pins().empty());
    }

    void charts()
    {
        WindowFixture fixture;
        DashboardPage& page = fixture.part<DashboardPage>();
        ChartView& view = chart(fixture);
        press(fixture, Qt::Key_F);
        QVERIFY(page.isFullSize() && !page.charts().back()->isVisible());
        press(fixture, Qt::Key_Escape);
        QVERIFY(!page.isFullSize() && page.charts().back()->isVisible());
        view.setFocus();
        press(fixture, Qt::Key_T);
        auto* table = fixture.window->findChild<DataTable*>();
        QVERIFY(table && table->isVisible());
        table->close();
        WindowFixture::settle();
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        view.setFocus();
        fixture.dialogs.path = fixture.folder.filePath(QStringLiteral("chart.svg"));
        press(fixture, Qt::Key_E);
        QVERIFY(QFileInfo::exists(fixture.dialogs.path));
    }

    void withoutAChartInHandTheKeySaysWhatItNeeds()
    {
        WindowFixture fixture;
        slider(fixture);
        press(fixture, Qt::Key_F);
        if (!fixture.part<DashboardPage>().isFullSize()) // unless the desktop's pointer rests on a chart
            QVERIFY(fixture.window->statusBar()->currentMessage().contains(QStringLiteral("chart")));
    }

    void rows()
    {
        WindowFixture fixture;
        press(fixture, Qt::Key_N, control);
        setBatch(fixture, 8);
        slider(fixture);
        press(fixture, Qt::Key_L);
        QVERIFY(fixture.session.store.isLocked("micro_batch"));
        press(fixture, Qt::Key_Right); // nothing moves it
        QCOMPARE(batch(fixture), 8);
        press(fixture, Qt::Key_R);
        QCOMPARE(batch(fixture), 8);
        press(fixture, Qt::Key_L);
        QVERIFY(!fixture.session.store.isLocked("micro_batch"));
        press(fixture, Qt::Key_R);
        QCOMPARE(batch(fixture), 1);
        setBatch(fixture, 16);
        fixture.session.store.setParameter(0, *parameterRow("sequence_length"), 512);
        press(fixture, Qt::Key_R, shift);
        QCOMPARE(batch(fixture), 1);
        QVERIFY(!parameterRow("sequence_length")->isSet(fixture.session.store.scenario()));
    }

    void lettersInAFieldAreText()
    {
        WindowFixture fixture;
        ValueBox* box = fixture.part<ParameterPanel>().rowWidget(QStringLiteral("micro_batch"))->box();
        const Scenario before = fixture.session.store.scenario();
        for (const Qt::Key key : {Qt::Key_P, Qt::Key_C, Qt::Key_F, Qt::Key_T, Qt::Key_E, Qt::Key_R, Qt::Key_L}) {
            box->setFocus();
            box->selectAll();
            press(fixture, key);
            QVERIFY2(box->text().contains(QChar(static_cast<char16_t>(key)), Qt::CaseInsensitive),
                     qPrintable(box->text()));
        }
        QVERIFY(fixture.session.store.pins().empty());
        QVERIFY(!fixture.session.store.isLocked("micro_batch"));
        QVERIFY(!fixture.part<DashboardPage>().isFullSize());
        QCOMPARE(QLatin1String(fixture.window->pages().current().id), QLatin1String("dashboard"));
        QVERIFY(fixture.session.store.scenario() == before);
    }
};
HEADROOM_TEST_WITH(QApplication, TestKeyboardMap)

} // namespace headroom::ui::test_keyboard_map
#include "test_keyboard_map.moc"
