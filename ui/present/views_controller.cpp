// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/views_controller.hpp"

#include "ui/base/text.hpp"
#include "ui/present/views_dialog.hpp"
#include "ui/present/views_pdf.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"

#include <QDir>
#include <QFileInfo>

namespace headroom::ui
{
namespace
{

constexpr auto suffix = ".headroom-views";

} // namespace

ViewsController::ViewsController(Session& session, const DashboardPage& dashboard, QAction* present, QWidget* window)
    : QObject(window), m_session(session), m_window(window), m_present(present),
      m_presenter(*new Presenter(session, dashboard, window))
{
}

bool ViewsController::isViewsFile(const QString& path)
{
    return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
}

void ViewsController::show()
{
    m_presenter.library().read();
    if (!m_dialog) {
        m_dialog = new ViewsDialog(m_presenter.library(), m_presenter, m_window);
        connect(m_dialog, &ViewsDialog::presentRequested, &m_presenter, &Presenter::presentViews);
        connect(m_dialog, &ViewsDialog::saveRequested, this, &ViewsController::save);
        connect(m_dialog, &ViewsDialog::exportRequested, this, &ViewsController::exportPdf);
        connect(m_dialog, &ViewsDialog::openRequested, this, &ViewsController::askAndOpen);
        m_dialog->addAction(m_present);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

bool ViewsController::open(const QString& path)
{
    m_presenter.library().read(); // they are what undo comes back to
    Diagnostics wrong = m_presenter.library().open(path);
    if (wrong.empty())
        return true;
    const QString name = QFileInfo(path).fileName();
    for (Diagnostic& diagnostic : wrong)
        diagnostic.file = toUtf8(name);
    m_session.dialogs.showError(
        m_window, tr("“%1” does not hold views that Headroom can open. The saved views are unchanged.").arg(name),
        diagnosticsText(wrong));
    return false;
}

void ViewsController::askAndOpen()
{
    const QString path =
        m_session.dialogs.openViews(m_window, m_session.settings.value(SettingKey::LastFolder).toString());
    if (!path.isEmpty())
        open(path);
}

void ViewsController::save()
{
    QString path = askWhere(QStringLiteral("talk") + QLatin1String(suffix), tr("Save views"),
                            tr("Views (*.headroom-views);;All files (*)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QLatin1String(suffix);
    tell(path, m_presenter.library().saveCopy(path), tr("The views were not saved."));
}

void ViewsController::exportPdf()
{
    m_presenter.library().read();
    const std::vector<StageView> views =
        m_presenter.library().views().empty() ? std::vector{m_presenter.present()} : m_presenter.library().views();
    const QString path = askWhere(QStringLiteral("talk.pdf"), tr("Export views"), tr("PDF (*.pdf);;All files (*)"));
    if (!path.isEmpty())
        tell(path, writeViewsPdf(views, m_session.recalculator.catalog(), m_session.runLibrary.shelf(), path),
             tr("The views were not written."));
}

QString ViewsController::askWhere(const QString& name, const QString& title, const QString& filters)
{
    const QString folder = m_session.settings.value(SettingKey::LastFolder).toString();
    return m_session.dialogs.exportFile(m_window, QDir(folder).filePath(name), title, filters);
}

void ViewsController::tell(const QString& path, const QString& error, const QString& failure)
{
    if (!error.isEmpty())
        m_session.dialogs.showError(m_window, failure, error);
    else
        m_session.settings.setValue(SettingKey::LastFolder, QFileInfo(path).absolutePath());
}

} // namespace headroom::ui
