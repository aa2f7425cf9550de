// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help_actions.hpp"

#include "ui/main_window.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/preferences.hpp"

namespace headroom::ui
{

void connectHelp(MainWindow& window)
{
    const Actions& a = window.actions();
    const Services& services = window.services();
    QObject::connect(a[ActionId::Preferences], &QAction::triggered, &window, [&window, services] {
        auto* dialog = new PreferencesDialog(services.appearance, services.settings, &window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    // Every text with an amount of memory in it is made anew; so do the tables of the catalogue.
    QObject::connect(&services.appearance, &Appearance::unitChanged, &window,
                     [&window] { window.recalculator().setCatalog(window.recalculator().catalog()); });
}

} // namespace headroom::ui
