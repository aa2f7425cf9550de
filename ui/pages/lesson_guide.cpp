// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/lesson_guide.hpp"

#include "ui/commands/actions.hpp"
#include "ui/learn/lesson_card.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/lesson_highlights.hpp"
#include "ui/pages/navigator.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/session/session.hpp"

namespace headroom::ui
{

LessonGuide::LessonGuide(Session& session, const Actions& actions, const LessonPlaces& places, QObject* parent)
    : QObject(parent), m_session(session), m_actions(actions), m_at(places)
{
    setLessonRuns(false);
    connectPlayer();
    connectCommands();
}

void LessonGuide::setLessonRuns(bool runs)
{
    for (const ActionId id : {ActionId::LessonCard, ActionId::LessonNext, ActionId::LessonBack, ActionId::LessonLeave})
        m_actions[id]->setEnabled(runs);
    m_at.workspace.setRightHeld(runs);
    m_at.side.setLesson(runs);
}

void LessonGuide::connectPlayer()
{
    LessonPlayer& player = m_session.lessons;
    auto* highlights = new LessonHighlights(m_at.parameters, m_at.tiles, m_at.pages.page<DashboardPage>(), this);
    connect(&player, &LessonPlayer::started, this, [this, &player, highlights] {
        m_at.pages.show<DashboardPage>();
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
        const bool held = m_at.side.isAncestorOf(m_at.side.window()->focusWidget());
        highlights->clear();
        setLessonRuns(false);
        if (held) // Qt would go on to whatever comes next, a button of the status line
            m_at.pages.tabs()->setFocus(Qt::OtherFocusReason);
    });
    connect(&m_at.card, &LessonCard::controlRequested, highlights, &LessonHighlights::bringToHand);
}

void LessonGuide::connectCommands()
{
    LessonPlayer& player = m_session.lessons;
    SidePanel& side = m_at.side;
    QAction* explanation = m_actions[ActionId::Explanation];
    connect(m_actions[ActionId::LessonCard], &QAction::triggered, this, [this] {
        m_at.pages.show<DashboardPage>();
        m_at.side.setLessonInFront(true);
        m_at.card.setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_actions[ActionId::LessonNext], &QAction::triggered, &m_at.card, &LessonCard::goOn);
    connect(m_actions[ActionId::LessonBack], &QAction::triggered, &player,
            [&player] { player.send(lesson_event::Back{}); });
    connect(m_actions[ActionId::LessonLeave], &QAction::triggered, &player, &LessonPlayer::leave);
    // While a lesson runs, the explanation shares the panel with it.
    connect(&m_at.tiles, &MetricTiles::activated, &side, [&side] { side.setLessonInFront(false); });
    connect(explanation, &QAction::triggered, &side, [&side](bool on) { side.setLessonInFront(!on); });
    connect(&side, &SidePanel::frontChanged, explanation, [this, explanation](bool lesson) {
        explanation->setChecked(m_session.lessons.isPlaying() ? !lesson : m_at.workspace.isRightShown());
    });
}

} // namespace headroom::ui
