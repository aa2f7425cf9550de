// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present_actions.hpp"

#include "ui/base/text.hpp"
#include "ui/main_window.hpp"
#include "ui/present/presenter.hpp"
#include "ui/present/views_dialog.hpp"
#include "ui/present/views_pdf.hpp"
#include "ui/settings/settings.hpp"

#include <QDir>
#include <QFileInfo>
#include <QStatusBar>

namespace headroom::ui
{
namespace
{

constexpr auto suffix = ".headroom-views";
constexpr int readingMs = 8000;

QString tr(const char* text)
{
    return Presenter::tr(text);
}

QString askWhere(MainWindow& window, const QString& name, const QString& title, const QString& filters)
{
    const QString folder = window.services().settings.value(SettingKey::LastFolder).toString();
    return window.services().dialogs.exportFile(&window, QDir(folder).filePath(name), title, filters);
}

void tell(MainWindow& window, const QString& path, const QString& error, const QString& failure)
{
    if (!error.isEmpty())
        window.services().dialogs.showError(&window, failure, error);
    else
        window.services().settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
}

void saveViews(MainWindow& window)
{
    QString path = askWhere(window, QStringLiteral("talk") + QLatin1String(suffix), tr("Save views"),
                            tr("Views (*.headroom-views);;All files (*)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1String(suffix);
    tell(window, path, presenterOf(window).library().saveCopy(path), tr("The views were not saved."));
}

void exportViews(MainWindow& window)
{
    Presenter& presenter = presenterOf(window);
    presenter.library().read();
    const std::vector<StageView> views =
        presenter.library().views().empty() ? std::vector{presenter.present()} : presenter.library().views();
    const QString path =
        askWhere(window, QStringLiteral("talk.pdf"), tr("Export views"), tr("PDF (*.pdf);;All files (*)"));
    if (!path.isEmpty())
        tell(window, path, writeViewsPdf(views, window.recalculator().catalog(), window.runLibrary().shelf(), path),
             tr("The views were not written."));
}

} // namespace

void connectPresent(MainWindow& window)
{
    const Actions& a = window.actions();
    auto* presenter = new Presenter(PresenterServices{.window = window,
                                                      .store = window.store(),
                                                      .recalculator = window.recalculator(),
                                                      .runs = window.runLibrary(),
                                                      .dashboard = window.dashboard(),
                                                      .settings = window.services().settings,
                                                      .appearance = window.services().appearance});
    QObject::connect(a[ActionId::Present], &QAction::triggered, presenter, &Presenter::presentViews);
    QObject::connect(a[ActionId::PresentThis], &QAction::triggered, presenter,
                     [presenter] { presenter->begin({presenter->present()}); });
    QObject::connect(a[ActionId::Views], &QAction::triggered, presenter, [&window] { showViews(window); });
    QObject::connect(a[ActionId::ExportViews], &QAction::triggered, presenter, [&window] { exportViews(window); });
    QObject::connect(&presenter->library(), &ViewLibrary::failed, &window,
                     [&window](const QString& reason) { window.statusBar()->showMessage(reason, readingMs); });
}

Presenter& presenterOf(MainWindow& window)
{
    return *window.findChild<Presenter*>(QStringLiteral("presenter"), Qt::FindDirectChildrenOnly);
}

bool isViewsFile(const QString& path)
{
    return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
}

bool openViews(MainWindow& window, const QString& path)
{
    Presenter& presenter = presenterOf(window);
    presenter.library().read(); // they are what undo comes back to
    Diagnostics wrong = presenter.library().open(path);
    if (wrong.empty())
        return true;
    for (Diagnostic& diagnostic : wrong)
        diagnostic.file = toUtf8(QFileInfo(path).fileName());
    window.services().dialogs.showError(
        &window,
        tr("“%1” does not hold views that Headroom can open. The saved views are unchanged.")
            .arg(QFileInfo(path).fileName()),
        diagnosticsText(wrong));
    return false;
}

void showViews(MainWindow& window)
{
    Presenter& presenter = presenterOf(window);
    presenter.library().read();
    auto* dialog = window.findChild<ViewsDialog*>();
    if (!dialog) {
        dialog = new ViewsDialog(presenter.library(), presenter, &window);
        QObject::connect(dialog, &ViewsDialog::presentRequested, &presenter, &Presenter::presentViews);
        QObject::connect(dialog, &ViewsDialog::saveRequested, &window, [&window] { saveViews(window); });
        QObject::connect(dialog, &ViewsDialog::exportRequested, &window, [&window] { exportViews(window); });
        QObject::connect(dialog, &ViewsDialog::openRequested, &window, [&window] {
            const QString folder = window.services().settings.value(SettingKey::LastFolder).toString();
            const QString path = window.services().dialogs.openViews(&window, folder);
            if (!path.isEmpty())
                openViews(window, path);
        });
        dialog->addAction(window.actions()[ActionId::Present]);
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

} // namespace headroom::ui
