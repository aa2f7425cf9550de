// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help_actions.hpp"

#include "ui/help/help_pages.hpp"
#include "ui/help/what_is_this.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/help_dialog.hpp"
#include "ui/pages/help_view.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QPointer>
#include <QStackedWidget>
#include <QStatusBar>
#include <memory>

namespace headroom::ui
{
namespace
{

using namespace Qt::StringLiterals;

constexpr auto helpId = "help"_L1, glossaryId = "glossary"_L1;

/// Where one was before the help came to the front.
struct Place {
    QString page;
    QPointer<QWidget> focus;
};

void connectPreferences(MainWindow& window)
{
    const Services& services = window.services();
    QObject::connect(window.actions()[ActionId::Preferences], &QAction::triggered, &window, [&window, services] {
        auto* dialog = new PreferencesDialog(services.appearance, services.settings, &window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QDialog::accepted, &window, [&window, services] {
            if (!services.settings.flush())
                services.dialogs.showError(
                    &window, MainWindow::tr("The preferences cannot be kept. They last until Headroom ends."),
                    services.settings.fileName());
        });
        dialog->open();
    });
    // Every text with an amount of memory in it is made anew; so do the tables of the catalogue.
    QObject::connect(&services.appearance, &Appearance::unitChanged, &window,
                     [&window] { window.recalculator().setCatalog(window.recalculator().catalog()); });
}

QString pageInFront(MainWindow& window)
{
    return QLatin1String(window.pages().current().id);
}

void goBack(MainWindow& window, const Place& place)
{
    window.pages().show(place.page.isEmpty() ? QStringLiteral("dashboard") : place.page);
    if (place.focus && place.focus->isVisible())
        place.focus->setFocus(Qt::OtherFocusReason);
}

/// The help page, wired when it is first made.
HelpView& helpView(MainWindow& window, const std::shared_ptr<Place>& place)
{
    auto* view = static_cast<HelpView*>(window.pages().page(helpId));
    constexpr const char* wired = "wired";
    if (view->property(wired).toBool())
        return *view;
    view->setProperty(wired, true);
    QObject::connect(view, &HelpView::closeRequested, &window, [&window, place] { goBack(window, *place); });
    QObject::connect(view, &HelpView::termRequested, &window, [&window](const QString& term) {
        window.pages().show(glossaryId);
        static_cast<GlossaryPage*>(window.pages().page(glossaryId))->showTerm(term);
    });
    return *view;
}

void showHelp(MainWindow& window, const std::shared_ptr<Place>& place, const QString& page)
{
    if (pageInFront(window) != helpId)
        *place = {pageInFront(window), QApplication::focusWidget()};
    HelpView& view = helpView(window, place);
    view.open(page);
    window.pages().show(helpId);
    view.setFocus(Qt::OtherFocusReason);
}

} // namespace

void connectHelp(MainWindow& window)
{
    connectPreferences(window);
    const Actions& a = window.actions();
    const auto place = std::make_shared<Place>();
    QObject::connect(a[ActionId::Help], &QAction::triggered, &window, [&window, place] {
        if (pageInFront(window) == helpId)
            goBack(window, *place);
        else
            showHelp(window, place, helpPageOf(QApplication::focusWidget(), pageInFront(window)));
    });
    // By its tab or its keys it comes without the action.
    QObject::connect(&window.pages(), &PageStack::currentChanged, &window, [&window, place] {
        if (pageInFront(window) == helpId)
            helpView(window, place);
    });
    new DialogHelp(&window);
    auto* what = new WhatIsThis(&window, [&window] { return pageInFront(window); });
    QObject::connect(a[ActionId::WhatIsThis], &QAction::triggered, what, &WhatIsThis::ask);
    QObject::connect(what, &WhatIsThis::askingChanged, &window, [&window](bool asking) {
        if (asking)
            window.statusBar()->showMessage(
                MainWindow::tr("Click something, or press Enter for what has the keyboard; Escape leaves."));
        else
            window.statusBar()->clearMessage();
    });
    QObject::connect(what, &WhatIsThis::linkFollowed, &window, [&window, place](const QString& link) {
        const QString target = link.section(u':', 1);
        if (link.startsWith(helpId)) {
            showHelp(window, place, target);
            return;
        }
        window.pages().show(glossaryId);
        static_cast<GlossaryPage*>(window.pages().page(glossaryId))->showEntry(target);
    });
}

} // namespace headroom::ui
