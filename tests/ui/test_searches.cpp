// SPDX-License-Identifier: GPL-3.0-or-later
// Every search of the window: where nothing is found it says so, names what was looked for, and tells a screen reader.
// HEADROOM_SCREENS=folder keeps a picture of each.
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/catalog_page.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/history_page.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plan/device_popup.hpp"
#include "ui/widgets/catalog_picker.hpp"
#include "ui/widgets/command_palette.hpp"
#include "ui/widgets/nothing_found.hpp"

#include <QLineEdit>

namespace headroom::ui::test_searches
{

using headroom::test::WindowFixture;

class TestSearches final : public QObject
{
    Q_OBJECT

    /// Looks for what nothing is called, then for what `found` is.
    static void missesInWords(QLineEdit& field, const QString& found)
    {
        const QString nonsense = QStringLiteral("xyzzy <b>77</b>");
        field.setText(nonsense);
        WindowFixture::settle();
        const auto notes = field.window()->findChildren<NothingFound*>();
        const auto seen = [&notes] {
            QStringList texts;
            for (const NothingFound* note : notes)
                if (note->isVisible())
                    texts << note->text();
            return texts;
        };
        QCOMPARE(seen(), QStringList{QStringLiteral("Nothing found for “%1”.").arg(nonsense)});
        QCOMPARE(field.accessibleDescription(), seen().constFirst());
        if (const QString folder = qEnvironmentVariable("HEADROOM_SCREENS"); !folder.isEmpty())
            QVERIFY(field.window()->grab().save(
                QStringLiteral("%1/%2.png").arg(folder, QLatin1String(QTest::currentTestFunction()))));
        field.setText(found);
        WindowFixture::settle();
        QCOMPARE(seen(), QStringList());
        QVERIFY(field.accessibleDescription().isEmpty());
    }

private slots:
    void thePalette()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::Palette]->trigger();
        missesInWords(*fixture.part<CommandPalette>().field(), QStringLiteral("glossary"));
    }

    /// "Ctrl+K finds anything", and did not find what the menu of examples has.
    void thePaletteOpensAnExample()
    {
        WindowFixture fixture;
        fixture.part<Actions>()[ActionId::Palette]->trigger();
        auto& palette = fixture.part<CommandPalette>();
        palette.field()->setText(QStringLiteral("mixtral serving"));
        QVERIFY(palette.rows() > 0);
        QTest::keyClick(palette.field(), Qt::Key_Return);
        WindowFixture::settle();
        QCOMPARE(fixture.session.store.scenario().model.id, std::string("mixtral-8x7b"));
        QCOMPARE(fixture.session.store.scenario().task, Task::Inference);
    }

    void models()
    {
        WindowFixture fixture;
        CatalogPicker& picker = *fixture.part<ParameterPanel>().modelPicker();
        picker.click();
        missesInWords(*picker.popup()->field(), QStringLiteral("llama"));
    }

    void theCatalogue()
    {
        WindowFixture fixture;
        fixture.window->pages().show(QStringLiteral("catalog"));
        auto& page = fixture.part<CatalogPage>();
        missesInWords(*page.searchField(), QStringLiteral("h100"));
    }

    void help()
    {
        WindowFixture fixture;
        HelpView help({}, fixture.window.get());
        help.show();
        missesInWords(*help.field(), QStringLiteral("mfu"));
    }

    void runs()
    {
        WindowFixture fixture;
        Scenario run = fixture.session.store.scenario();
        run.measured.stepTimeS = 60;
        QVERIFY(fixture.session.runLibrary.add({run}).empty());
        fixture.window->pages().show(QStringLiteral("history"));
        missesInWords(*fixture.part<HistoryPage>().filter(), QString());
    }

    void devicesToCompare()
    {
        DevicePopup popup(
            [](const QString& query) {
                return query.isEmpty() ? std::vector<DeviceEntry>{{QStringLiteral("a"), QStringLiteral("A")}}
                                       : std::vector<DeviceEntry>();
            },
            nullptr);
        popup.openBelow({0, 0, 10, 10});
        missesInWords(*popup.field(), QString());
    }
};
HEADROOM_TEST_WITH(QApplication, TestSearches)

} // namespace headroom::ui::test_searches
#include "test_searches.moc"
