// SPDX-License-Identifier: GPL-3.0-or-later
// The window program: puts settings, dialogs, appearance and the window together, or renders it to a picture.
#include "app/gui/options.hpp"
#include "ui/document/autosave.hpp"
#include "ui/document/recovery.hpp"
#include "ui/learn_actions.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/platform/dialogs.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/views_pdf.hpp"
#include "ui/present_actions.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/language.hpp"
#include "ui/settings/settings.hpp"

#include <QApplication>
#include <QEventLoop>
#include <QIcon>
#include <QPixmap>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>

namespace
{

using namespace headroom;

constexpr int done = 0, refused = 1, wrongUsage = 2;

/// Messages to standard error: nobody can answer a dialog in a picture.
class PrintedDialogs final : public ui::Dialogs
{
public:
    QString openFile(QWidget*, const QString&) override { return {}; }
    QString saveFile(QWidget*, const QString&) override { return {}; }
    ui::SaveAnswer askSave(QWidget*, const QString&) override { return ui::SaveAnswer::Discard; }
    void showError(QWidget*, const QString& message, const QString& details) override
    {
        std::fprintf(stderr, "headroom: %s\n%s\n", qUtf8Printable(message), qUtf8Printable(details));
    }
    void showAbout(QWidget*, const QString&, const QString&) override {}
};

bool savePicture(QWidget& widget, const Options& options)
{
    QPixmap picture = widget.grab();
    if (options.fit > 0)
        picture = picture.scaled(options.fit, options.fit, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    if (picture.save(options.renderTo, "PNG"))
        return true;
    std::fprintf(stderr, "headroom: %s cannot be written\n", qUtf8Printable(options.renderTo));
    return false;
}

/// Lets queued evaluations, layouts and replots happen, and what waits until the hand rests.
void settle()
{
    constexpr int quietMs = 300;
    QEventLoop loop;
    QTimer::singleShot(quietMs, &loop, &QEventLoop::quit);
    loop.exec();
}

/// A scenario, or the views of a talk.
bool openFile(ui::MainWindow& window, const QString& path)
{
    return ui::isViewsFile(path) ? ui::openViews(window, path) : window.documents().openPath(path);
}

int render(const Options& options, QApplication& application)
{
    const QTemporaryDir folder; // a picture neither reads nor changes the user's settings
    ui::Settings settings(folder.filePath(QStringLiteral("headroom.ini")));
    PrintedDialogs dialogs;
    const ui::Language language(options.language.isEmpty() ? QStringLiteral("en") : options.language);
    ui::Appearance appearance(application, settings);
    appearance.setTheme(options.theme.value_or(ui::ThemeKind::Light));
    ui::MainWindow window({settings, dialogs, appearance});
    if (!options.file.isEmpty() && !openFile(window, options.file))
        return refused;
    const bool stage = options.page == QLatin1String(stagePage);
    if (!options.page.isEmpty() && !stage)
        window.pages().show(options.page);
    window.resize(options.size);
    window.show();
    settle();
    constexpr int mostPauses = 100; // a page that searches may take its time, not for ever
    const auto busy = [&window] {
        return window.pages().stack()->currentWidget()->property("busy").toBool() ||
               !window.runLibrary().shelf()->published; // read beside the window's own work
    };
    if (busy()) {
        for (int i = 0; i < mostPauses && busy(); ++i)
            settle();
        settle(); // what came last reaches the picture
    }
    if (!stage)
        return savePicture(window, options) ? done : refused;
    ui::Presenter& presenter = ui::presenterOf(window);
    const auto views =
        presenter.library().views().empty() ? std::vector{presenter.present()} : presenter.library().views();
    if (options.renderTo.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        const QString error =
            ui::writeViewsPdf(views, window.recalculator().catalog(), window.runLibrary().shelf(), options.renderTo);
        if (!error.isEmpty())
            std::fprintf(stderr, "headroom: %s\n", qUtf8Printable(error));
        return error.isEmpty() ? done : refused;
    }
    const auto presented = presenter.makeStage(views, &window);
    presented->resize(options.size);
    presented->show();
    settle();
    return savePicture(*presented, options) ? done : refused;
}

int openWindow(const Options& options, QApplication& application)
{
    ui::Settings settings;
    ui::NativeDialogs dialogs;
    const ui::Language language(options.language.isEmpty() ? settings.value(ui::SettingKey::Language).toString()
                                                           : options.language);
    ui::Appearance appearance(application, settings);
    if (options.theme)
        appearance.setTheme(*options.theme);
    ui::MainWindow window({settings, dialogs, appearance, ui::userCatalogFolder()});
    window.restoreLayout();
    window.show();
    if (!options.page.isEmpty())
        window.pages().show(options.page);
    if (!options.file.isEmpty() && openFile(window, options.file) && ui::isViewsFile(options.file) &&
        options.page.isEmpty())
        ui::showViews(window);
    if (options.page == QLatin1String(stagePage))
        window.actions()[ui::ActionId::Present]->trigger();
    // With a file to open one knows the way.
    if (options.file.isEmpty() && options.page.isEmpty() && !settings.value(ui::SettingKey::WelcomeSeen).toBool())
        ui::showWelcome(window);
    ui::Autosave autosave(window.store(), ui::autosaveFolder());
    QObject::connect(&autosave, &ui::Autosave::failed, &window, [&window](const QString& reason) {
        window.statusBar()->showMessage(ui::MainWindow::tr("Unsaved changes cannot be kept: %1").arg(reason));
    });
    // With a file to open, what is unsaved waits: one question less, and nothing is lost.
    if (options.file.isEmpty()) {
        QTimer::singleShot(0, &window, [&] {
            ui::offerUnsaved(autosave, window.store(), window.recalculator().catalog(), dialogs, &window);
        });
    }
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    prepareEnvironment(argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headroom"));
    QApplication::setApplicationDisplayName(QStringLiteral("Headroom"));
    QApplication::setDesktopFileName(QStringLiteral("org.headroom.Headroom"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/org.headroom.Headroom.svg")));
    QApplication::setApplicationVersion(QStringLiteral(HEADROOM_VERSION));
    const Options options = readOptions(QApplication::arguments());
    if (!options.error.isEmpty()) {
        std::fprintf(stderr, "headroom: %s\n", qUtf8Printable(options.error));
        return wrongUsage;
    }
    return options.renderTo.isEmpty() ? openWindow(options, application) : render(options, application);
}
