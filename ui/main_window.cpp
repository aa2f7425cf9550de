// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.hpp"

#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/document/dropped_file.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/menus.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/help_controller.hpp"
#include "ui/pages/lesson_guide.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/welcome.hpp"
#include "ui/panels/explainer.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/message_bar.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/scenario_messages.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/plan/layout_advisor.hpp"
#include "ui/platform/fit_screen.hpp"
#include "ui/present/views_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"

#include <QCloseEvent>
#include <QMimeData>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr QSize firstSize(1600, 900);

} // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent), m_session(session), m_actions(new Actions(this))
{
    setAcceptDrops(true);
    resize(firstSize);
    m_session.setWindow(this);
    buildCentre();
    m_views = new ViewsController(m_session, *m_dashboard, (*m_actions)[ActionId::Present], this);
    m_help = new HelpController(*m_pages, this);
    m_status = new StatusLine;
    setStatusBar(m_status);
    buildMenus(*this, *m_actions, m_session, *m_pages);
    buildToolBar(*this, *m_actions);
    connectDocument();
    connectPanels();
    connectPages();
    connectCommands();
    new LessonGuide(m_session, *m_actions, {*m_pages, *m_workspace, *m_side, *m_lessonCard, *m_parameters, *m_tiles},
                    this);
    m_session.documents.loadFirst();
    updateTitle();
}

MainWindow::~MainWindow()
{
    delete takeCentralWidget(); // what the panels still say as they go finds the window whole
}

void MainWindow::buildCentre()
{
    m_parameters = new ParameterPanel(m_session.store, m_session.recalculator, m_session.settings);
    m_tiles = new MetricTiles;
    m_pages = new Navigator(m_session, this);
    m_dashboard = &m_pages->page<DashboardPage>();
    m_explanation = new ExplanationPanel;
    m_explainer = new Explainer(*m_explanation, *m_tiles, m_session.store, m_session.recalculator, this);
    new LayoutAdvisor(*m_explanation, m_session.recalculator, this);
    m_lessonCard = new LessonCard(m_session.lessons);
    m_side = new SidePanel(m_explanation, m_lessonCard);
    auto* centre = new QWidget;
    m_messageBar = new MessageBar(centre);
    m_messages = new ScenarioMessages(*m_messageBar, m_session.store, m_session.recalculator, this);
    m_dashboard->setMessages(m_messageBar);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto* head = new QVBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_pages->tabs());
    head->addWidget(m_tiles);
    column->addLayout(head);
    column->addWidget(m_pages->stack(), 1);
    // What stands above the charts ends where they do.
    connect(m_dashboard, &DashboardPage::scrollBarShown, head,
            [head](int width) { head->setContentsMargins(0, 0, width, 0); });
    m_workspace = new Workspace(m_parameters, centre, m_side, m_pages->stack());
    connect(m_workspace, &Workspace::chartsCovered, m_dashboard, &DashboardPage::setCovered);
    setCentralWidget(m_workspace);
    m_welcome = new Welcome(m_session, *m_pages, *m_parameters, *m_workspace);
}

void MainWindow::connectDocument()
{
    connect(&m_session.store, &ScenarioStore::documentChanged, this, &MainWindow::updateTitle);
    connect(&m_session.store, &ScenarioStore::scenarioChanged, this, &MainWindow::updateTitle);
    constexpr int listMs = 15000, sentenceMs = 8000; // to read them in
    connect(&m_session.documents, &DocumentController::opened, this, [this](const Diagnostics& warnings) {
        if (!warnings.empty())
            tell(diagnosticsText(warnings), listMs);
    });
    const auto tellSkipped = [this] {
        const Diagnostics& skipped = m_session.library.skipped();
        if (!skipped.empty())
            tell(tr("Your catalogue: %1").arg(toQString(toText(skipped.front()))), listMs);
    };
    connect(&m_session.library, &CatalogLibrary::changed, this, tellSkipped);
    tellSkipped();
    const auto tellSentence = [this](const QString& words) { tell(words, sentenceMs); };
    connect(&m_session.runs, &RunController::said, this, tellSentence);
    connect(&m_session.catalogEditor, &CatalogEditor::said, this, tellSentence);
    connect(&m_views->presenter().library(), &ViewLibrary::failed, this,
            [this](const QString& reason) { tell(reason, sentenceMs); });
}

void MainWindow::connectPanels()
{
    Recalculator& results = m_session.recalculator;
    connect(&results, &Recalculator::evaluated, this, &MainWindow::showResult);
    connect(&results, &Recalculator::updateFinished, m_status, &StatusLine::showUpdate);
    connect(m_status, &StatusLine::builtInRequested, &m_session.runs, &RunController::uncalibrate);
    connect(m_status, &StatusLine::parameterRequested, this, [this](const QString& id) {
        if (!m_pages->current().parameters)
            m_pages->show<DashboardPage>();
        m_parameters->focusRow(id);
    });
    connect(m_messageBar, &MessageBar::keyboardLeaves, m_pages->tabs(),
            [this] { m_pages->tabs()->setFocus(Qt::OtherFocusReason); }); // the page, whose result has changed
    connect(m_explainer, &Explainer::asked, m_workspace, [this] { m_workspace->setRightShown(true); });
    // A symbol and the slider behind it point at each other.
    connect(m_explanation, &ExplanationPanel::symbolPointedAt, m_parameters, &ParameterPanel::highlight);
    connect(m_explanation, &ExplanationPanel::symbolActivated, m_parameters, &ParameterPanel::focusRow);
    connect(m_parameters, &ParameterPanel::pointedAt, m_explanation,
            [this](const QString& id, bool here) { m_explanation->markParameter(here ? id : QString()); });
    connect(m_dashboard, &DashboardPage::pointActivated, m_explainer,
            [this](const ChartView* chart, const QString& series, int index) {
                m_explainer->explainPoint(*chart, series, index);
            });
    // Charts come after the rest of the window; the keyboard meets them where the eye does.
    connect(m_dashboard, &DashboardPage::chartsChanged, this,
            [this] { setTabOrder(m_dashboard->charts().back(), m_explanation->findChild<QTextBrowser*>()); });
    const Player& player = m_parameters->player();
    connect(&player, &Player::playingChanged, this, [this, &player] {
        const ParameterRow* row = player.playing();
        tell(row ? tr("%1 moves by itself; any key or click stops it.").arg(toQString(say(row->label))) : QString());
    });
}

void MainWindow::connectPages()
{
    connect(m_pages, &Navigator::currentChanged, this, &MainWindow::showPage);
    connect(m_pages, &Navigator::created, this, [this](QWidget* page) {
        const auto* glossary = qobject_cast<GlossaryPage*>(page);
        if (!glossary)
            return;
        connect(glossary, &GlossaryPage::metricRequested, m_explainer, [this](const QString& metric) {
            m_pages->show<DashboardPage>();
            m_explainer->explain(metric);
        });
        connect(glossary, &GlossaryPage::chartRequested, m_dashboard,
                [this](const QString& chart) { m_pages->show<DashboardPage>().showLarge(chart); });
        connect(glossary, &GlossaryPage::parameterRequested, m_parameters, &ParameterPanel::focusRow);
    });
    connect(m_explanation, &ExplanationPanel::glossaryRequested, m_pages,
            [this](const QString& metric) { m_pages->show<GlossaryPage>().showMetric(metric); });
    connect(m_parameters, &ParameterPanel::glossaryRequested, m_pages,
            [this](const QString& parameter) { m_pages->show<GlossaryPage>().showParameter(parameter); });
    connect(m_lessonCard, &LessonCard::glossaryRequested, m_pages,
            [this](const QString& term) { m_pages->show<GlossaryPage>().showTerm(term); });
}

void MainWindow::showPage()
{
    const PageRow& page = m_pages->current();
    m_tiles->setVisible(page.tiles);
    m_workspace->setSidesWanted(page.parameters, page.explanation);
    QAction* explanation = (*m_actions)[ActionId::Explanation];
    explanation->setEnabled(page.explanation);
    explanation->setChecked(m_workspace->isRightShown());
    m_messages->setWanted(page.tiles);
}

void MainWindow::showResult()
{
    const ChartContext* context = m_session.recalculator.context();
    const bool refused = m_session.recalculator.isRefused();
    m_tiles->setEnabled(!refused);
    m_explanation->setOutdated(refused);
    if (refused)
        m_status->showRefused(context != nullptr);
    if (!context || refused)
        return;
    m_tiles->show(*context);
    m_status->showEvaluation(context->evaluation, m_session.recalculator.notes());
    m_explainer->refresh();
}

void MainWindow::updateTitle()
{
    const ScenarioStore& store = m_session.store;
    setWindowTitle(tr("%1[*] — Headroom").arg(store.title()));
    setWindowModified(store.isModified());
    m_status->showSaved(store.isModified(), !store.path().isEmpty());
}

void MainWindow::tell(const QString& words, int milliseconds)
{
    statusBar()->showMessage(words, milliseconds);
}

void MainWindow::showWelcome()
{
    m_welcome->show();
}

void MainWindow::restoreLayout()
{
    const Settings& settings = m_session.settings;
    restoreGeometry(settings.value(SettingKey::Geometry).toByteArray());
    fitScreen(*this); // the screen may be a smaller one today
    m_workspace->restoreState(settings.value(SettingKey::SplitterSizes).toByteArray());
    m_workspace->setRightWanted(settings.value(SettingKey::ShowExplanation).toBool());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_session.documents.maybeSave()) {
        event->ignore();
        return;
    }
    Settings& settings = m_session.settings;
    settings.setValue(SettingKey::Geometry, saveGeometry());
    if (!m_workspace->isFolded()) {
        settings.setValue(SettingKey::SplitterSizes, m_workspace->saveState());
        settings.setValue(SettingKey::ShowExplanation, m_workspace->isRightWanted());
    }
    event->accept();
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
    const auto left = m_session.importDropped(event->mimeData());
    if (left.empty())
        return;
    const QString path = left.front().path;
    if (ViewsController::isViewsFile(path)) {
        if (m_views->open(path))
            m_views->show();
    } else if (RunController::isLog(path))
        m_session.runs.import(path);
    else if (m_session.documents.maybeSave())
        m_session.documents.openPath(path);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_status)
        return;
    m_actions->updateIcons();
    if (const ChartContext* context = m_session.recalculator.context())
        m_status->showEvaluation(context->evaluation, m_session.recalculator.notes());
}

} // namespace headroom::ui
