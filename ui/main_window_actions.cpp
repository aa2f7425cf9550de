// SPDX-License-Identifier: GPL-3.0-or-later
// What each command of the window does: most go straight to whoever does the work.
#include "core/scenario/command_line.hpp"
#include "ui/base/text.hpp"
#include "ui/commands/actions.hpp"
#include "ui/commands/connect_commands.hpp"
#include "ui/document/report.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/chart_commands.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/help_controller.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/palette_entries.hpp"
#include "ui/panels/measure_guide.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>

namespace headroom::ui
{
namespace
{

constexpr int sentenceMs = 4000; // to read one in

} // namespace

void MainWindow::connectCommands()
{
    const Actions& a = *m_actions;
    connectDocumentCommands(a, m_session.documents, m_session.store);
    connectRunCommands(a, m_session.runs, m_session.profiles, m_session.store, m_session.settings);
    connectAppearanceCommands(a, m_session.appearance);
    auto* charts = new ChartCommands(a, *m_dashboard, m_session, *this);
    connect(charts, &ChartCommands::said, this, [this](const QString& words) { tell(words, sentenceMs); });
    connectParameterCommands(a, *m_parameters, m_session.store, m_session.recalculator, this);
    connectViewCommands();
    connectHelpCommands();
    connect(a[ActionId::ExportReport], &QAction::triggered, this, [this] {
        exportReport(m_session.recalculator, m_dashboard->choice().chartIds(m_session.store.scenario().task),
                     m_session.settings, m_session.dialogs, this);
    });
    connect(a[ActionId::CopyCommandLine], &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(toQString(commandLine(m_session.store.scenario())));
        tell(tr("The command line is in the clipboard."), sentenceMs);
    });
    CatalogEditor& editor = m_session.catalogEditor;
    connect(a[ActionId::Import], &QAction::triggered, &editor, &CatalogEditor::askAndImport);
    connect(a[ActionId::DuplicateAccelerator], &QAction::triggered, &editor,
            &CatalogEditor::duplicateChosenAccelerator);
    connect(a[ActionId::DuplicateModel], &QAction::triggered, &editor, &CatalogEditor::duplicateChosenModel);
    connect(a[ActionId::MeasureGpu], &QAction::triggered, this, &MainWindow::showMeasureGuide);
    connect(m_parameters, &ParameterPanel::measurementEdited, &m_session.runs, &RunController::followMeasurement);
    connect(a[ActionId::Preferences], &QAction::triggered, this, &MainWindow::showPreferences);
    connect(a[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
}

void MainWindow::showPreferences()
{
    auto* dialog = new PreferencesDialog(m_session.appearance, m_session.settings, this);
    makeQuiet(*dialog->findChild<QScrollArea*>());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this] {
        if (!m_session.settings.flush())
            m_session.dialogs.showError(this, tr("The preferences cannot be kept. They last until Headroom ends."),
                                        m_session.settings.fileName());
    });
    dialog->open();
}

void MainWindow::showMeasureGuide()
{
    auto* guide = findChild<MeasureGuide*>();
    if (!guide)
        guide = new MeasureGuide(m_session.runs, m_session.runLibrary, m_session.store, m_session.dialogs,
                                 m_session.settings, this);
    guide->show();
    guide->raise();
    guide->activateWindow();
}

void MainWindow::connectViewCommands()
{
    const Actions& a = *m_actions;
    auto* palette = new CommandPalette(this);
    connect(a[ActionId::Palette], &QAction::triggered, palette, [this, palette] {
        QList<QAction*> others = actions();
        others.removeOne((*m_actions)[ActionId::Palette]);
        palette->open(paletteEntries({others, m_session, *m_pages, *m_parameters, *m_explainer}));
    });
    auto* panes =
        new Panes({m_parameters, m_tiles, m_messageBar, m_pages->stack(), m_side, m_status, m_pages->tabs()}, this);
    connect(a[ActionId::NextPane], &QAction::triggered, panes, [this, panes] {
        const bool away = m_session.lessons.isPlaying() && !m_side->isAncestorOf(QApplication::focusWidget());
        away ? (*m_actions)[ActionId::LessonCard]->trigger() : panes->step(1); // a lesson is come back to
    });
    connect(a[ActionId::PreviousPane], &QAction::triggered, panes, [panes] { panes->step(-1); });
    connect(a[ActionId::Explanation], &QAction::triggered, m_workspace, &Workspace::setRightShown);
    connect(m_workspace, &Workspace::rightShownChanged, a[ActionId::Explanation], &QAction::setChecked);
    a[ActionId::Explanation]->setChecked(true);
    connect(a[ActionId::Present], &QAction::triggered, &m_views->presenter(), &Presenter::presentViews);
    connect(a[ActionId::PresentThis], &QAction::triggered, &m_views->presenter(), &Presenter::presentCurrent);
    connect(a[ActionId::Views], &QAction::triggered, m_views, &ViewsController::show);
    connect(a[ActionId::ExportViews], &QAction::triggered, m_views, &ViewsController::exportPdf);
    connect(a[ActionId::Compare], &QAction::triggered, m_pages, [this] { m_pages->show<ComparePage>(); });
}

void MainWindow::connectHelpCommands()
{
    const Actions& a = *m_actions;
    connect(a[ActionId::Help], &QAction::triggered, m_help, &HelpController::toggle);
    connect(a[ActionId::WhatIsThis], &QAction::triggered, m_help, &HelpController::ask);
    connect(m_help, &HelpController::said, this, [this](const QString& words) { tell(words); });
    connect(a[ActionId::Welcome], &QAction::triggered, this, &MainWindow::showWelcome);
    connect(a[ActionId::About], &QAction::triggered, this, [this] {
        m_session.dialogs.showAbout(this, tr("About Headroom"),
                                    tr("<b>Headroom %1</b><br>What-if explorer for the efficiency of large models."
                                       "<br><br>Charts by QCustomPlot, window by Qt.<br>Licence: GPL-3.0-or-later.")
                                        .arg(QLatin1String(HEADROOM_VERSION)));
    });
}

} // namespace headroom::ui
