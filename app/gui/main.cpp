// SPDX-License-Identifier: GPL-3.0-or-later
// The window program: puts settings, dialogs, appearance and the window together, or renders it to a picture.
#include "app/gui/guide.hpp"
#include "app/gui/render.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/recovery.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/settings.hpp"
#include "ui/theme/fonts.hpp"

#include <QApplication>
#include <QIcon>
#include <QStatusBar>
#include <QTimer>
#include <thread>

namespace
{

using namespace headroom;

int openWindow(const Options& options, QApplication& application)
{
    ui::Settings settings;
    ui::NativeDialogs dialogs;
    const ui::Language language(options.language.isEmpty() ? settings.value(ui::SettingKey::Language).toString()
                                                           : options.language);
    ui::Appearance appearance(application, settings);
    if (options.theme)
        appearance.showTheme(*options.theme);
    ui::Session session(settings, dialogs, appearance, ui::userCatalogFolder());
    ui::MainWindow window(session);
    window.restoreLayout();
    window.show();
    if (!options.page.isEmpty())
        window.pages().show(options.page);
    if (!options.file.isEmpty() && openFile(session, window, options.file) &&
        ui::ViewsController::isViewsFile(options.file) && options.page.isEmpty())
        window.views().show();
    if (options.page == QLatin1String(stagePage))
        window.views().presenter().presentViews();
    // With a file to open one knows the way.
    if (options.file.isEmpty() && options.page.isEmpty() && !settings.value(ui::SettingKey::WelcomeSeen).toBool())
        window.showWelcome();
    ui::Autosave autosave(session.store, ui::autosaveFolder());
    QObject::connect(&autosave, &ui::Autosave::failed, &window, [&window](const QString& reason) {
        window.statusBar()->showMessage(ui::MainWindow::tr("Unsaved changes cannot be kept: %1").arg(reason));
    });
    // With a file to open, what is unsaved waits: one question less, and nothing is lost.
    if (options.file.isEmpty()) {
        QTimer::singleShot(0, &window, [&] {
            ui::offerUnsaved(autosave, session.store, session.recalculator.catalog(), dialogs, &window);
        });
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    prepareEnvironment(argc, argv);
    const std::jthread reading = ui::Session::readAhead();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headroom"));
    QApplication::setApplicationDisplayName(QStringLiteral("Headroom"));
    QApplication::setDesktopFileName(QStringLiteral("org.headroom.Headroom"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/org.headroom.Headroom.svg")));
    ui::addFonts(QApplication::applicationDirPath() + QStringLiteral("/fonts")); // an installation for Windows has it
    QApplication::setApplicationVersion(QStringLiteral(HEADROOM_VERSION));
    const Options options = readOptions(QApplication::arguments());
    if (!options.error.isEmpty()) {
        complain(options.error);
        return wrongUsage;
    }
    if (!options.guide.isEmpty())
        return writeGuide(options.guide, application) ? done : refused;
    return options.renderTo.isEmpty() ? openWindow(options, application) : render(options, application);
}
