// SPDX-License-Identifier: GPL-3.0-or-later
// F1 in the window's dialogs: the help comes over them, about them, and leads back to what had the keyboard.
#include "core/catalog/catalog.hpp"
#include "tests/support/keyboard.hpp"
#include "tests/support/program.hpp"
#include "ui/catalog/catalog_editor.hpp"
#include "ui/catalog/entry_form.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/help_dialog.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/chart_output.hpp"

#include <QTextBrowser>

namespace headroom::ui::test_help_dialogs
{

using headroom::test::WindowFixture;

namespace
{

using Opener = std::function<void(WindowFixture&)>;

Opener command(ActionId id)
{
    return [id](WindowFixture& fixture) { fixture.part<Actions>()[id]->trigger(); };
}

} // namespace

class TestHelpDialogs final : public QObject
{
    Q_OBJECT

private slots:
    void everyDialogHasHelp_data()
    {
        QTest::addColumn<Opener>("open");
        QTest::addColumn<QString>("page");
        QTest::newRow("preferences") << command(ActionId::Preferences) << QStringLiteral("window");
        QTest::newRow("views") << command(ActionId::Views) << QStringLiteral("presentation");
        QTest::newRow("catalogue form") << Opener([](WindowFixture& fixture) {
            fixture.session.catalogEditor.duplicate(*Catalog::builtIn().accelerator("h100-sxm-80gb"));
        }) << QStringLiteral("catalogue");
        QTest::newRow("numbers of a chart") << Opener([](WindowFixture& fixture) {
            auto& page = fixture.part<DashboardPage>();
            showNumbers(*page.charts().front(), fixture.session.dialogs, fixture.session.settings, &page);
        }) << QStringLiteral("charts");
    }

    void everyDialogHasHelp()
    {
        QFETCH(const Opener, open);
        QFETCH(const QString, page);
        WindowFixture fixture;
        open(fixture);
        WindowFixture::settle();
        auto* dialog = fixture.window->findChild<QDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->activateWindow();
        WindowFixture::settle();
        QWidget* const focus = dialog->focusWidget();
        QVERIFY(focus);
        const auto over = [dialog] { return dialog->findChild<HelpDialog*>(); };
        QTest::keyClick(focus, Qt::Key_F1);
        QVERIFY(over() && over()->isVisible());
        QCOMPARE(over()->view().current(), page);
        // The window behind stays where it was, and no link leads into it.
        QCOMPARE(QString(QLatin1String(fixture.window->pages().current().id)), QStringLiteral("dashboard"));
        const QString html = over()->view().browser()->toHtml();
        QVERIFY(!html.contains(QStringLiteral("href=\"page:")) && !html.contains(QStringLiteral("href=\"term:")));
        for (const Qt::Key key : {Qt::Key_F1, Qt::Key_Escape}) {
            QVERIFY(over());
            QTest::keyClick(over()->view().browser(), key);
            QTRY_VERIFY(!over());
            QVERIFY(dialog->isVisible());
            QCOMPARE(dialog->focusWidget(), focus);
            QTest::keyClick(focus, Qt::Key_F1);
        }
        QTest::keyClick(over()->view().browser(), Qt::Key_Escape);
        QTRY_VERIFY(!over());
    }
};
HEADROOM_TEST_WITH(QApplication, TestHelpDialogs)

} // namespace headroom::ui::test_help_dialogs
#include "test_help_dialogs.moc"
