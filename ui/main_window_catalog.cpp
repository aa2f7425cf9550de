// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in the user's catalogue: import, duplicates, files that change, files that are dropped.
#include "core/scenario/scenario_json.hpp"
#include "ui/base/text.hpp"
#include "ui/document/dropped_file.hpp"
#include "ui/main_window.hpp"
#include "ui/present_actions.hpp"

#include <QDropEvent>
#include <QMimeData>
#include <QStatusBar>

namespace headroom::ui
{

void MainWindow::connectCatalog()
{
    const Actions& a = *m_actions;
    connect(a[ActionId::Import], &QAction::triggered, &m_editor, &CatalogEditor::askAndImport);
    connect(a[ActionId::DuplicateAccelerator], &QAction::triggered, this, [this] {
        if (const auto chosen = resolveAccelerator(m_store.scenario().accelerator, m_library.catalog()))
            m_editor.duplicate(*chosen);
    });
    connect(a[ActionId::DuplicateModel], &QAction::triggered, this, [this] {
        if (const auto chosen = resolveModel(m_store.scenario().model, m_library.catalog()))
            m_editor.duplicate(*chosen);
    });
    const auto said = [this] {
        const Diagnostics& skipped = m_library.skipped();
        if (!skipped.empty())
            statusBar()->showMessage(tr("Your catalogue: %1").arg(toQString(toText(skipped.front()))), 15000);
    };
    connect(&m_library, &CatalogLibrary::changed, this, [this, said] {
        m_recalculator.setCatalog(m_library.catalog());
        said();
    });
    said();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (mayBeDropped(event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    // What is neither a model nor a log is opened as a scenario, whose reader says what is wrong with it.
    const auto left = m_editor.importFiles(droppedFiles(event->mimeData()));
    if (left.empty())
        return;
    const QString path = left.front().path;
    if (isViewsFile(path)) {
        if (openViews(*this, path))
            showViews(*this);
    } else if (RunController::isLog(path))
        m_runs.import(path);
    else if (m_documents.maybeSave())
        m_documents.openPath(path);
}

} // namespace headroom::ui
