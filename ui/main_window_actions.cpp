// SPDX-License-Identifier: GPL-3.0-or-later
// What each command of the window does: most go straight to whoever does the work.
#include "core/scenario/command_line.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/report.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/compare_page.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/help_controller.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/palette_entries.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/panels/measure_guide.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/row_list.hpp"
#include "ui/parameters/rows_dialog.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/catalog_picker.hpp"
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

constexpr double typeStep = 1.1;
constexpr int sentenceMs = 4000; // to read one in

} // namespace

void MainWindow::connectFileCommands()
{
    const Actions& a = *m_actions;
    DocumentController& documents = m_session.documents;
    connect(a[ActionId::New], &QAction::triggered, &documents, &DocumentController::newDocument);
    connect(a[ActionId::Open], &QAction::triggered, &documents, &DocumentController::open);
    connect(a[ActionId::Save], &QAction::triggered, &documents, &DocumentController::save);
    connect(a[ActionId::SaveAs], &QAction::triggered, &documents, &DocumentController::saveAs);
    connect(a[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
    connect(a[ActionId::Copy], &QAction::triggered, &documents, &DocumentController::copyScenario);
    connect(a[ActionId::Paste], &QAction::triggered, &documents, &DocumentController::pasteScenario);
    connect(a[ActionId::ExportReport], &QAction::triggered, this, [this] {
        exportReport(m_session.recalculator, m_dashboard->chartIds(m_session.store.scenario().task), m_session.settings,
                     m_session.dialogs, this);
    });
    connect(a[ActionId::CopyCommandLine], &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(toQString(commandLine(m_session.store.scenario())));
        tell(tr("The command line is in the clipboard."), sentenceMs);
    });
}

void MainWindow::connectEditCommands()
{
    const Actions& a = *m_actions;
    ScenarioStore& store = m_session.store;
    QUndoStack& stack = store.undoStack();
    connect(a[ActionId::Undo], &QAction::triggered, &stack, &QUndoStack::undo);
    connect(a[ActionId::Redo], &QAction::triggered, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &MainWindow::showSteps);
    showSteps();
    connect(a[ActionId::ResetRow], &QAction::triggered, m_parameters, &ParameterPanel::resetFocused);
    connect(a[ActionId::LockRow], &QAction::triggered, m_parameters, &ParameterPanel::lockFocused);
    connect(a[ActionId::SweepRow], &QAction::triggered, m_parameters, &ParameterPanel::sweepFocused);
    connect(a[ActionId::PlayRow], &QAction::triggered, m_parameters, &ParameterPanel::playFocused);
    connect(a[ActionId::ResetAll], &QAction::triggered, &store, &ScenarioStore::resetAll);
    connect(a[ActionId::Pin], &QAction::triggered, &store, &ScenarioStore::pinCurrent);
    connect(a[ActionId::ClearPins], &QAction::triggered, &store, &ScenarioStore::clearPins);
    connect(a[ActionId::Compare], &QAction::triggered, m_pages, [this] { m_pages->show<ComparePage>(); });
    connect(a[ActionId::Preferences], &QAction::triggered, this, &MainWindow::showPreferences);
}

void MainWindow::showSteps()
{
    const QUndoStack& stack = m_session.store.undoStack();
    QAction *undo = (*m_actions)[ActionId::Undo], *redo = (*m_actions)[ActionId::Redo];
    undo->setEnabled(stack.canUndo());
    redo->setEnabled(stack.canRedo());
    undo->setText(stack.canUndo() ? tr("&Undo “%1”").arg(stack.undoText()) : tr("&Undo"));
    redo->setText(stack.canRedo() ? tr("&Redo “%1”").arg(stack.redoText()) : tr("&Redo"));
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

void MainWindow::connectCatalogueCommands()
{
    const Actions& a = *m_actions;
    CatalogEditor& editor = m_session.catalogEditor;
    connect(a[ActionId::Import], &QAction::triggered, &editor, &CatalogEditor::askAndImport);
    connect(a[ActionId::DuplicateAccelerator], &QAction::triggered, &editor,
            &CatalogEditor::duplicateChosenAccelerator);
    connect(a[ActionId::DuplicateModel], &QAction::triggered, &editor, &CatalogEditor::duplicateChosenModel);
    connect(a[ActionId::PickModel], &QAction::triggered, m_parameters->modelPicker(), &CatalogPicker::openPopup);
    connect(a[ActionId::PickAccelerator], &QAction::triggered, m_parameters->acceleratorPicker(),
            &CatalogPicker::openPopup);
    QAction* phases = a[ActionId::Phases];
    connect(phases, &QAction::triggered, this, &MainWindow::showPhases);
    const auto offer = [this, phases] { // only a training has them
        const bool training = m_session.store.scenario().task == Task::Training;
        phases->setEnabled(training);
        if (auto* dialog = findChild<RowsDialog*>(); dialog && !training)
            dialog->close();
    };
    connect(&m_session.store, &ScenarioStore::scenarioChanged, this, offer);
    offer();
}

void MainWindow::showPhases()
{
    auto* dialog = findChild<RowsDialog*>();
    if (!dialog)
        dialog = new RowsDialog(phaseRows(), m_session.store, m_session.recalculator, this);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::connectRunCommands()
{
    const Actions& a = *m_actions;
    RunController& runs = m_session.runs;
    connect(a[ActionId::ImportRuns], &QAction::triggered, &runs,
            [this, &runs] { runs.askAndImport(m_session.settings.value(SettingKey::LastFolder).toString()); });
    connect(a[ActionId::ImportProfile], &QAction::triggered, &m_session.profiles, &ProfileController::askAndImport);
    connect(a[ActionId::MeasureGpu], &QAction::triggered, this, &MainWindow::showMeasureGuide);
    connect(m_parameters, &ParameterPanel::measurementEdited, &runs, &RunController::followMeasurement);
    QAction* calibrate = a[ActionId::Calibrate];
    const auto showCalibrated = [this, calibrate] { calibrate->setChecked(m_session.runs.isCalibrated()); };
    connect(calibrate, &QAction::triggered, this, [this, showCalibrated](bool on) {
        if (on)
            m_session.runs.calibrate();
        else
            m_session.runs.uncalibrate();
        showCalibrated(); // nothing to calibrate to: the tick goes again
    });
    connect(&m_session.store, &ScenarioStore::scenarioChanged, this, showCalibrated);
    showCalibrated();
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

ChartView* MainWindow::chartInHand() const
{
    if (ChartView* chart = m_dashboard->isVisible() ? m_dashboard->chartInHand() : nullptr)
        return chart;
    for (ChartView* chart : findChildren<ChartView*>()) // of another page
        if (chart->isVisible() && (chart->hasFocus() || chart->underMouse()))
            return chart;
    return nullptr;
}

void MainWindow::connectChartCommands()
{
    const auto onChart = [this](ActionId id, auto act) {
        connect((*m_actions)[id], &QAction::triggered, this, [this, act] {
            if (ChartView* chart = chartInHand())
                act(*chart);
            else
                tell(tr("Point at a chart first, or take the keyboard to it."), sentenceMs);
        });
    };
    onChart(ActionId::FullSize, [this](ChartView& chart) {
        if (m_dashboard->isAncestorOf(&chart))
            m_dashboard->toggleFullSize(&chart);
    });
    onChart(ActionId::ChartNumbers,
            [this](ChartView& chart) { showNumbers(chart, m_session.dialogs, m_session.settings, this); });
    onChart(ActionId::ExportChart,
            [this](ChartView& chart) { exportChart(chart, m_session.dialogs, m_session.settings, this); });
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

    Appearance& appearance = m_session.appearance;
    connect(a[ActionId::ToggleTheme], &QAction::triggered, &appearance,
            [&appearance](bool dark) { appearance.setTheme(dark ? ThemeKind::Dark : ThemeKind::Light); });
    a[ActionId::ToggleTheme]->setChecked(appearance.theme() == ThemeKind::Dark);
    connect(a[ActionId::LargerType], &QAction::triggered, &appearance,
            [&appearance] { appearance.setTypeScale(appearance.typeScale() * typeStep); });
    connect(a[ActionId::SmallerType], &QAction::triggered, &appearance,
            [&appearance] { appearance.setTypeScale(appearance.typeScale() / typeStep); });
    connect(a[ActionId::NormalType], &QAction::triggered, &appearance, [&appearance] { appearance.setTypeScale(1); });
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
