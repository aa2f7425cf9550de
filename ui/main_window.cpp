// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.hpp"

#include "core/predict/utilization.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/explore_actions.hpp"
#include "ui/help_actions.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/learn/lesson_player.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/learn_actions.hpp"
#include "ui/menus.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/present_actions.hpp"
#include "ui/settings/appearance.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QCloseEvent>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr double typeStep = 1.1;
constexpr QSize firstSize(1600, 900);

} // namespace

MainWindow::MainWindow(const Services& services, QWidget* parent)
    : QMainWindow(parent), m_services(services), m_library(services.catalogFolder),
      m_recalculator(m_store, m_library.catalog(), Calibration::builtIn()),
      m_runLibrary(m_recalculator.catalog(), services.settings.fileBeside(QStringLiteral("runs.jsonl"))),
      m_runs(m_store, m_recalculator.catalog(), m_runLibrary, services.dialogs),
      m_documents(m_store, m_recalculator.catalog(), services.settings, services.dialogs),
      m_editor(m_store, m_library, services.dialogs), m_actions(new Actions(this)),
      m_lessons(new LessonPlayer(m_store, m_recalculator.catalog(), this))
{
    setAcceptDrops(true);
    resize(firstSize);
    m_documents.setWindow(this);
    m_runs.setWindow(this);
    m_editor.setWindow(this);
    buildCentre();
    buildMenus(*this);
    buildToolBar(*this);
    m_status = new StatusLine;
    setStatusBar(m_status);
    connectDocument();
    connectPanels();
    connectView();
    connectCatalog();
    connectExplore(*this);
    connectLearn(*this);
    connectHelp(*this);
    connectPresent(*this);
    connectRuns();
    m_documents.loadFirst();
    updateTitle();
}

MainWindow::~MainWindow()
{
    // Views outlive the members they listen to: children are deleted after them.
    m_store.disconnect();
    m_recalculator.disconnect();
    m_lessons->disconnect();
    m_runLibrary.disconnect();
    m_library.disconnect();
    m_editor.disconnect();
    delete takeCentralWidget();
}

void MainWindow::buildCentre()
{
    m_parameters = new ParameterPanel(m_store, m_recalculator, m_services.settings);
    m_tiles = new MetricTiles;
    m_messages = new MessageBar;
    m_pages = new PageStack({m_store,
                             m_recalculator,
                             m_documents,
                             m_services.settings,
                             m_services.dialogs,
                             m_services.appearance,
                             m_library,
                             m_editor,
                             *m_lessons,
                             {}},
                            this);
    m_dashboard = static_cast<DashboardPage*>(m_pages->page(QStringLiteral("dashboard")));
    m_explanation = new ExplanationPanel;
    m_lessonCard = new LessonCard(*m_lessons);
    m_side = new SidePanel(m_explanation, m_lessonCard);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto* head = new QVBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_pages->tabs());
    head->addWidget(m_tiles);
    head->addWidget(m_messages);
    column->addLayout(head);
    column->addWidget(m_pages->stack(), 1);
    // What stands above the charts ends where they do.
    connect(m_dashboard, &DashboardPage::scrollBarShown, head,
            [head](int width) { head->setContentsMargins(0, 0, width, 0); });
    m_workspace = new Workspace(m_parameters, centre, m_side);
    setCentralWidget(m_workspace);
}

void MainWindow::connectDocument()
{
    const Actions& a = *m_actions;
    connect(a[ActionId::New], &QAction::triggered, &m_documents, &DocumentController::newDocument);
    connect(a[ActionId::Open], &QAction::triggered, &m_documents, &DocumentController::open);
    connect(a[ActionId::Save], &QAction::triggered, &m_documents, &DocumentController::save);
    connect(a[ActionId::SaveAs], &QAction::triggered, &m_documents, &DocumentController::saveAs);
    connect(a[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
    connect(a[ActionId::Copy], &QAction::triggered, &m_documents, &DocumentController::copyScenario);
    connect(a[ActionId::Paste], &QAction::triggered, &m_documents, &DocumentController::pasteScenario);
    connect(a[ActionId::About], &QAction::triggered, this, [this] {
        m_services.dialogs.showAbout(this, tr("About Headroom"),
                                     tr("<b>Headroom %1</b><br>What-if explorer for the efficiency of large models."
                                        "<br><br>Charts by QCustomPlot, window by Qt.<br>Licence: GPL-3.0-or-later.")
                                         .arg(QLatin1String(HEADROOM_VERSION)));
    });

    QUndoStack& stack = m_store.undoStack();
    connect(a[ActionId::Undo], &QAction::triggered, &stack, &QUndoStack::undo);
    connect(a[ActionId::Redo], &QAction::triggered, &stack, &QUndoStack::redo);
    const auto showSteps = [this, &stack] {
        QAction* undo = (*m_actions)[ActionId::Undo];
        QAction* redo = (*m_actions)[ActionId::Redo];
        undo->setEnabled(stack.canUndo());
        redo->setEnabled(stack.canRedo());
        undo->setText(stack.canUndo() ? tr("&Undo “%1”").arg(stack.undoText()) : tr("&Undo"));
        redo->setText(stack.canRedo() ? tr("&Redo “%1”").arg(stack.redoText()) : tr("&Redo"));
    };
    connect(&stack, &QUndoStack::indexChanged, this, showSteps);
    showSteps();
    connect(a[ActionId::ResetRow], &QAction::triggered, this, [this] {
        if (const ParameterRow* row = m_parameters->focusedParameter())
            m_store.resetParameter(*row);
    });
    connect(a[ActionId::ResetAll], &QAction::triggered, this, [this] {
        std::vector<const ParameterRow*> rows;
        for (const ParameterRow& row : parameterRegistry())
            rows.push_back(&row);
        m_store.resetParameters(tr("Reset all"), rows);
    });
    connect(a[ActionId::Pin], &QAction::triggered, this, [this] { m_store.pinCurrent(); });
    connect(a[ActionId::ClearPins], &QAction::triggered, this, [this] { m_store.clearPins(); });
    connect(&m_store, &ScenarioStore::documentChanged, this, &MainWindow::updateTitle);
    connect(&m_store, &ScenarioStore::scenarioChanged, this, &MainWindow::updateTitle);
    connect(&m_documents, &DocumentController::opened, this, [this](const Diagnostics& warnings) {
        if (!warnings.empty())
            statusBar()->showMessage(diagnosticsText(warnings), 15000);
    });
}

void MainWindow::connectPanels()
{
    connect(&m_recalculator, &Recalculator::evaluated, this, &MainWindow::showResult);
    constexpr int restMs = 120; // longer than between two steps of a drag, too short to wait for
    m_messageTimer.setSingleShot(true);
    m_messageTimer.setInterval(restMs);
    connect(&m_messageTimer, &QTimer::timeout, this, &MainWindow::showMessage);
    connect(&m_recalculator, &Recalculator::updateFinished, m_status, &StatusLine::showUpdate);
    connect(m_tiles, &MetricTiles::selectedChanged, this, [this] {
        m_explained.clear();
        m_workspace->setRightShown(true);
        showExplanation();
    });
    // A symbol and the slider behind it point at each other.
    connect(m_explanation, &ExplanationPanel::symbolPointedAt, m_parameters, &ParameterPanel::highlight);
    connect(m_explanation, &ExplanationPanel::symbolActivated, m_parameters, &ParameterPanel::focusRow);
    connect(m_parameters, &ParameterPanel::pointedAt, this,
            [this](const QString& id, bool here) { m_explanation->markParameter(here ? id : QString()); });
    connect(m_explanation, &ExplanationPanel::conventionChosen, this, [this](const QString& id) {
        for (const ConventionRow& row : conventionTable())
            if (toQString(row.id) == id)
                m_store.edit(0, tr("Convention %1").arg(toQString(say(row.label))),
                             [&row](Scenario& scenario) { scenario.accounting = row.convention; });
    });
}

void MainWindow::connectView()
{
    connect(m_pages, &PageStack::currentChanged, this, &MainWindow::showPage);
    const Actions& a = *m_actions;
    connect(a[ActionId::PickModel], &QAction::triggered, m_parameters->modelPicker(), &CatalogPicker::openPopup);
    connect(a[ActionId::PickAccelerator], &QAction::triggered, m_parameters->acceleratorPicker(),
            &CatalogPicker::openPopup);
    // Charts come after the rest of the window; the keyboard meets them where the eye does.
    connect(m_dashboard, &DashboardPage::chartsChanged, this,
            [this] { setTabOrder(m_dashboard->charts().back(), m_explanation->findChild<QTextBrowser*>()); });
    connect(a[ActionId::Explanation], &QAction::triggered, m_workspace, &Workspace::setRightShown);
    connect(m_workspace, &Workspace::rightShownChanged, a[ActionId::Explanation], &QAction::setChecked);
    a[ActionId::Explanation]->setChecked(true);

    Appearance& appearance = m_services.appearance;
    connect(a[ActionId::ToggleTheme], &QAction::triggered, this,
            [&appearance](bool dark) { appearance.setTheme(dark ? ThemeKind::Dark : ThemeKind::Light); });
    a[ActionId::ToggleTheme]->setChecked(appearance.theme() == ThemeKind::Dark);
    connect(a[ActionId::LargerType], &QAction::triggered, this,
            [&appearance] { appearance.setTypeScale(appearance.typeScale() * typeStep); });
    connect(a[ActionId::SmallerType], &QAction::triggered, this,
            [&appearance] { appearance.setTypeScale(appearance.typeScale() / typeStep); });
    connect(a[ActionId::NormalType], &QAction::triggered, this, [&appearance] { appearance.setTypeScale(1); });
}

void MainWindow::showPage()
{
    const PageRow& page = m_pages->current();
    m_tiles->setVisible(page.tiles);
    m_workspace->setSidesWanted(page.parameters, page.explanation);
    QAction* explanation = (*m_actions)[ActionId::Explanation];
    explanation->setEnabled(page.explanation);
    explanation->setChecked(m_workspace->isRightShown());
    showMessage();
}

void MainWindow::showResult()
{
    // The bar takes room from the charts: it waits until the hand rests, so that nothing jumps under a drag.
    m_messageTimer.start();
    const ChartContext* context = m_recalculator.context();
    m_tiles->setEnabled(!m_recalculator.isRefused());
    if (m_recalculator.isRefused())
        m_status->showRefused();
    if (!context || m_recalculator.isRefused())
        return;
    m_tiles->show(*context);
    m_status->showEvaluation(context->evaluation);
    showExplanation();
}

void MainWindow::showExplanation()
{
    if (const ChartContext* context = m_recalculator.context())
        m_explanation->explain(m_explained.isEmpty() ? m_tiles->explained() : m_explained, *context);
}

void MainWindow::explainMetric(const QString& metricId)
{
    if (m_tiles->tile(metricId))
        m_tiles->select(metricId);
    else if (!metricId.isEmpty())
        m_explained = metricId;
    m_workspace->setRightShown(true);
    showExplanation();
}

void MainWindow::updateTitle()
{
    setWindowTitle(tr("%1[*] — Headroom").arg(m_store.title()));
    setWindowModified(m_store.isModified());
    m_status->showSaved(m_store.isModified(), !m_store.path().isEmpty());
}

void MainWindow::restoreLayout()
{
    if (!restoreGeometry(m_services.settings.value(SettingKey::Geometry).toByteArray()))
        fitScreen();
    m_workspace->restoreState(m_services.settings.value(SettingKey::SplitterSizes).toByteArray());
    m_workspace->setRightShown(m_services.settings.value(SettingKey::ShowExplanation).toBool());
}

void MainWindow::fitScreen()
{
    const QSize room = screen()->availableSize();
    if (width() <= room.width() && height() <= room.height())
        return;
    resize(room * 9 / 10); // where it is no longer maximised
    setWindowState(windowState() | Qt::WindowMaximized);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_documents.maybeSave()) {
        event->ignore();
        return;
    }
    m_services.settings.setValue(SettingKey::Geometry, saveGeometry());
    if (!m_workspace->isFolded()) {
        m_services.settings.setValue(SettingKey::SplitterSizes, m_workspace->saveState());
        m_services.settings.setValue(SettingKey::ShowExplanation, m_workspace->isRightWanted());
    }
    event->accept();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_status)
        return;
    m_actions->updateIcons();
    (*m_actions)[ActionId::ToggleTheme]->setChecked(m_services.appearance.theme() == ThemeKind::Dark);
    if (const ChartContext* context = m_recalculator.context())
        m_status->showEvaluation(context->evaluation);
}

} // namespace headroom::ui
