// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in lessons: where they stand, what they point at, their commands, and the first start.
#include "ui/base/text.hpp"
#include "ui/commands/actions.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/learn/own_run_card.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/learn/welcome_card.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/learn_page.hpp"
#include "ui/pages/lesson_highlights.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/pages/plan_page.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"

#include <QTabBar>

namespace headroom::ui
{

void MainWindow::setLessonRuns(bool runs)
{
    for (const ActionId id : {ActionId::LessonCard, ActionId::LessonNext, ActionId::LessonBack, ActionId::LessonLeave})
        (*m_actions)[id]->setEnabled(runs);
    m_workspace->setRightHeld(runs);
    m_side->setLesson(runs);
}

void MainWindow::connectLessons()
{
    const Actions& a = *m_actions;
    LessonPlayer& player = m_session.lessons;
    auto* highlights = new LessonHighlights(*m_parameters, *m_tiles, *m_dashboard, this);
    setLessonRuns(false);
    connect(&player, &LessonPlayer::started, this, [this, &player, highlights] {
        m_pages->show<DashboardPage>();
        setLessonRuns(true);
        highlights->prepare(player.runner().lesson());
    });
    connect(&player, &LessonPlayer::changed, highlights, [&player, highlights] {
        if (player.state().finished)
            highlights->show({});
        else
            highlights->show(player.runner().step(player.state()).highlights);
    });
    connect(&m_session.recalculator, &Recalculator::evaluated, highlights, &LessonHighlights::complete);
    connect(&player, &LessonPlayer::left, this, [this, highlights] {
        highlights->clear();
        setLessonRuns(false);
    });
    connect(m_lessonCard, &LessonCard::controlRequested, highlights, &LessonHighlights::bringToHand);

    connect(a[ActionId::LessonCard], &QAction::triggered, this, [this] {
        m_pages->show<DashboardPage>();
        m_side->setLessonInFront(true);
        m_lessonCard->setFocus(Qt::ShortcutFocusReason);
    });
    connect(a[ActionId::LessonNext], &QAction::triggered, m_lessonCard, &LessonCard::goOn);
    connect(a[ActionId::LessonBack], &QAction::triggered, &player,
            [this] { m_session.lessons.send(lesson_event::Back{}); });
    connect(a[ActionId::LessonLeave], &QAction::triggered, &player, &LessonPlayer::leave);
    // While a lesson runs, the explanation shares the panel with it.
    connect(m_tiles, &MetricTiles::activated, m_side, [this] { m_side->setLessonInFront(false); });
    connect(a[ActionId::Explanation], &QAction::triggered, m_side, [this](bool on) { m_side->setLessonInFront(!on); });
    connect(m_side, &SidePanel::frontChanged, a[ActionId::Explanation], [this](bool lesson) {
        (*m_actions)[ActionId::Explanation]->setChecked(m_session.lessons.isPlaying() ? !lesson
                                                                                      : m_workspace->isRightShown());
    });
}

void MainWindow::showWelcome()
{
    if (findChild<WelcomeCard*>())
        return;
    m_session.settings.setValue(SettingKey::WelcomeSeen, true);
    auto* card = new WelcomeCard(static_cast<int>(m_session.lessons.lessons().size()), centralWidget());
    connect(card, &WelcomeCard::chosen, this, [this](Door door) {
        if (door == Door::OwnRun)
            return askOwnRun();
        m_pages->show(QLatin1String(door == Door::Learn  ? LearnPage::pageId
                                    : door == Door::Plan ? PlanPage::pageId
                                                         : DashboardPage::pageId));
        m_pages->tabs()->setFocus(Qt::OtherFocusReason); // which page it is, is heard; Tab leads into it
    });
}

void MainWindow::askOwnRun()
{
    m_pages->show<DashboardPage>();
    const Scenario& here = m_session.store.scenario();
    auto* card = new OwnRunCard(m_session.recalculator.catalog(),
                                {toQString(here.model.id), toQString(here.accelerator.id), 8, 0}, centralWidget());
    connect(card, &OwnRunCard::entered, this, [this](const OwnRun& run) {
        if (!m_session.documents.newDocument())
            return;
        m_session.store.edit(0, tr("My own run"), [&run](Scenario& scenario) {
            scenario.model = {toUtf8(run.model), {}};
            scenario.accelerator = {toUtf8(run.accelerator), {}};
            scenario.hardware.count = static_cast<std::int64_t>(run.gpus);
            scenario.measured.stepTimeS = run.stepS;
        });
        m_session.runs.followFirstFigures();
        m_workspace->setRightShown(true); // why, and what to change next
        m_parameters->focusRow(QStringLiteral("micro_batch"));
    });
}

} // namespace headroom::ui
