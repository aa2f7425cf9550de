// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences: applied at once, remembered, taken back by Cancel; memory in GB or GiB everywhere on the screen.
#include "core/units/memory_unit.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/base/text.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/settings/preferences.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>

namespace headroom::ui::test_preferences
{

using headroom::test::press;
using headroom::test::WindowFixture;

namespace
{

PreferencesDialog* opened(const WindowFixture& fixture)
{
    press(fixture, Qt::Key_Comma, Qt::ControlModifier);
    return fixture.window->findChild<PreferencesDialog*>();
}

void choose(PreferencesDialog& dialog, SettingKey key, const QVariant& value)
{
    QComboBox* box = dialog.choice(key);
    const int at = box->findData(value);
    QVERIFY2(at >= 0, qPrintable(value.toString()));
    box->setCurrentIndex(at);
    WindowFixture::settle();
}

std::string memoryUnitOfTile(const WindowFixture& fixture)
{
    return fixture.part<MetricTiles>().tile(QStringLiteral("memory.used_bytes"))->content().unit;
}

} // namespace

class TestPreferences final : public QObject
{
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, ThemeKind::Light); } // what follows takes it for the desktop's

    void cleanup() { setMemoryUnit(MemoryUnit::Gigabyte); }

    void everyRowShowsWhatHoldsAndHasAnAccessibleName()
    {
        WindowFixture fixture;
        PreferencesDialog* dialog = opened(fixture);
        QVERIFY(dialog);
        for (const PreferenceRow& row : preferenceRegistry()) {
            const QComboBox* box = dialog->choice(row.key);
            QVERIFY(box);
            QVERIFY(!box->accessibleName().isEmpty() && !box->accessibleDescription().isEmpty());
            QCOMPARE(box->currentData().toString(), fixture.settings.value(row.key).toString());
        }
    }

    void aChoiceIsAppliedAtOnceAndKeptByOk()
    {
        WindowFixture fixture;
        PreferencesDialog* dialog = opened(fixture);
        QVERIFY(dialog);
        choose(*dialog, SettingKey::Theme, QStringLiteral("dark"));
        QCOMPARE(themeOf(fixture.window->palette()).kind, ThemeKind::Dark);
        choose(*dialog, SettingKey::MemoryUnit, QStringLiteral("GiB"));
        fixture.session.recalculator.flush();
        QCOMPARE(memoryUnitOfTile(fixture), std::string("GiB"));
        const auto bytes = fixture.session.recalculator.context()->evaluation.usedBytes;
        const double shown =
            std::stod(fixture.part<MetricTiles>().tile(QStringLiteral("memory.used_bytes"))->content().number);
        QVERIFY2(std::abs(shown * 0x1p30 / bytes - 1) < 0.01, qPrintable(QString::number(shown)));
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        WindowFixture::settle();
        QVERIFY(!fixture.window->findChild<PreferencesDialog*>());
        QCOMPARE(fixture.settings.value(SettingKey::Theme).toString(), QStringLiteral("dark"));
        QCOMPARE(fixture.settings.value(SettingKey::MemoryUnit).toString(), QStringLiteral("GiB"));
        QCOMPARE(memoryUnitOfTile(fixture), std::string("GiB"));
    }

    void everyChartAndTableFollowsTheUnit()
    {
        WindowFixture fixture;
        const Axis before = chartRow("memory")->build(*fixture.session.recalculator.context()).y;
        QCOMPARE(before.unit, std::string("GB"));
        fixture.appearance.setUnit(MemoryUnit::Gibibyte);
        fixture.session.recalculator.flush();
        const ChartSpec after = chartRow("memory")->build(*fixture.session.recalculator.context());
        QCOMPARE(after.y.unit, std::string("GiB"));
        QVERIFY2(after.summary.find("GiB") != std::string::npos && after.summary.find("GB") == std::string::npos,
                 after.summary.c_str());
    }

    void cancelRestoresEveryRow()
    {
        WindowFixture fixture;
        fixture.appearance.setTypeScale(1.21); // by keys: not one of the sizes of the list
        const QFont font = QApplication::font();
        PreferencesDialog* dialog = opened(fixture);
        QVERIFY(dialog);
        QHash<int, QVariant> before;
        for (const PreferenceRow& row : preferenceRegistry()) {
            before.insert(static_cast<int>(row.key), fixture.settings.value(row.key));
            for (const PreferenceChoice& each : row.choices)
                choose(*dialog, row.key, each.value);
        }
        QVERIFY(QApplication::font().pointSizeF() > font.pointSizeF());
        QTest::keyClick(dialog, Qt::Key_Escape);
        WindowFixture::settle();
        for (const PreferenceRow& row : preferenceRegistry())
            QCOMPARE(fixture.settings.value(row.key).toString(), before.value(static_cast<int>(row.key)).toString());
        QCOMPARE(QApplication::font().pointSizeF(), font.pointSizeF());
        QCOMPARE(memoryUnit(), MemoryUnit::Gigabyte);
    }

    /// `--theme`: the next start has the theme that was chosen.
    void aThemeForOneStartIsNotRemembered()
    {
        WindowFixture fixture;
        fixture.appearance.setTheme(ThemeKind::HighContrast);
        fixture.appearance.showTheme(ThemeKind::Dark);
        WindowFixture::settle();
        QCOMPARE(themeOf(fixture.window->palette()).kind, ThemeKind::Dark);
        fixture.appearance.setTypeScale(1);
        QCOMPARE(fixture.settings.value(SettingKey::Theme).toString(), QStringLiteral("high-contrast"));
        QCOMPARE(fixture.appearance.theme(), ThemeKind::Dark);
    }

    void defaultsAreTheSettingsTables()
    {
        WindowFixture fixture;
        fixture.appearance.setTheme(ThemeKind::HighContrast);
        PreferencesDialog* dialog = opened(fixture);
        QVERIFY(dialog);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
        WindowFixture::settle();
        QCOMPARE(fixture.settings.value(SettingKey::Theme).toString(), QStringLiteral("system"));
        QCOMPARE(themeOf(fixture.window->palette()).kind, ThemeKind::Light);
    }

    void aThemeDoesNotWaitForAHelpPageThatIsHidden()
    {
        WindowFixture fixture;
        const auto show = [&](const char* page) {
            fixture.window->pages().show(QLatin1String(page));
            WindowFixture::settle();
        };
        show("help");
        const auto& view = *static_cast<HelpView*>(fixture.window->pages().page(QStringLiteral("help")));
        const QSignalSpy changed(view.browser()->document(), &QTextDocument::contentsChanged);
        show("dashboard");
        fixture.appearance.setTheme(ThemeKind::Dark);
        WindowFixture::settle();
        QCOMPARE(changed.count(), 0);
        show("help");
        const auto shown = changed.count();
        QVERIFY(shown > 0);
        fixture.appearance.setTheme(ThemeKind::Light); // in front: at once
        QVERIFY(changed.count() > shown);
    }
};
HEADROOM_TEST_WITH(QApplication, TestPreferences)

} // namespace headroom::ui::test_preferences
#include "test_preferences.moc"
