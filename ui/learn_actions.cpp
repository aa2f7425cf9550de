// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn_actions.hpp"

#include "ui/learn/lesson_card.hpp"
#include "ui/learn/lesson_player.hpp"
#include "ui/learn/side_panel.hpp"
#include "ui/learn/welcome_card.hpp"
#include "ui/lesson_highlights.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/glossary_page.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/panels/explanation.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/panels/workspace.hpp"
#include "ui/settings/settings.hpp"

#include <QTabBar>

namespace headroom::ui
{
namespace
{

constexpr std::array lessonCommands{ActionId::LessonCard, ActionId::LessonNext, ActionId::LessonBack,
                                    ActionId::LessonLeave};

void markDone(Settings& settings, const QString& lessonId)
{
    QStringList done = settings.value(SettingKey::LessonsDone).toStringList();
    if (!done.contains(lessonId))
        settings.setValue(SettingKey::LessonsDone, done << lessonId);
}

void connectPlayer(MainWindow& window, LessonHighlights* highlights)
{
    LessonPlayer& player = window.lessons();
    SidePanel& side = window.side();
    auto* workspace = window.findChild<Workspace*>();
    const auto setRunning = [&window, &side, workspace](bool runs) {
        for (const ActionId id : lessonCommands)
            window.actions()[id]->setEnabled(runs);
        workspace->setRightHeld(runs);
        side.setLesson(runs);
    };
    setRunning(false);
    QObject::connect(&player, &LessonPlayer::started, &window, [&window, &player, highlights, setRunning] {
        window.pages().show(QStringLiteral("dashboard"));
        setRunning(true);
        highlights->prepare(player.runner().lesson());
    });
    QObject::connect(&player, &LessonPlayer::changed, &window, [&player, highlights] {
        if (player.state().finished)
            highlights->show({});
        else
            highlights->show(player.runner().step(player.state()).highlights);
    });
    QObject::connect(&window.recalculator(), &Recalculator::evaluated, highlights, &LessonHighlights::complete);
    QObject::connect(&player, &LessonPlayer::left, &window, [highlights, setRunning] {
        highlights->clear();
        setRunning(false);
    });
    QObject::connect(&player, &LessonPlayer::finished, &window,
                     [&window](const QString& id) { markDone(window.services().settings, id); });
}

} // namespace

void connectLearn(MainWindow& window)
{
    const Actions& a = window.actions();
    LessonPlayer& player = window.lessons();
    LessonCard& card = window.lessonCard();
    SidePanel& side = window.side();
    auto* highlights = new LessonHighlights(window.parameters(), window.tiles(), window.dashboard(), &window);
    connectPlayer(window, highlights);
    QObject::connect(&card, &LessonCard::controlRequested, highlights, &LessonHighlights::bringToHand);
    QObject::connect(&card, &LessonCard::glossaryRequested, &window, [&window](const QString& term) {
        window.pages().show(QStringLiteral("glossary"));
        static_cast<GlossaryPage*>(window.pages().page(QStringLiteral("glossary")))->showTerm(term);
    });
    QObject::connect(a[ActionId::LessonCard], &QAction::triggered, &window, [&window, &side, &card] {
        window.pages().show(QStringLiteral("dashboard"));
        side.setLessonInFront(true);
        card.setFocus(Qt::ShortcutFocusReason);
    });
    QObject::connect(a[ActionId::LessonNext], &QAction::triggered, &card, &LessonCard::goOn);
    QObject::connect(a[ActionId::LessonBack], &QAction::triggered, &player,
                     [&player] { player.send(lesson_event::Back{}); });
    QObject::connect(a[ActionId::LessonLeave], &QAction::triggered, &player, &LessonPlayer::leave);
    QObject::connect(a[ActionId::Welcome], &QAction::triggered, &window, [&window] { showWelcome(window); });
    // While a lesson runs, the explanation shares the panel with it.
    QObject::connect(&window.tiles(), &MetricTiles::activated, &side, [&side] { side.setLessonInFront(false); });
    QObject::connect(a[ActionId::Explanation], &QAction::triggered, &side,
                     [&side](bool on) { side.setLessonInFront(!on); });
    QObject::connect(&side, &SidePanel::frontChanged, &window, [&window, &player](bool lesson) {
        window.actions()[ActionId::Explanation]->setChecked(
            player.isPlaying() ? !lesson : window.findChild<Workspace*>()->isRightShown());
    });
}

void showWelcome(MainWindow& window)
{
    if (window.findChild<WelcomeCard*>())
        return;
    window.services().settings.setValue(SettingKey::WelcomeSeen, true);
    auto* card = new WelcomeCard(static_cast<int>(window.lessons().lessons().size()), window.centralWidget());
    QObject::connect(card, &WelcomeCard::chosen, &window, [&window](Door door) {
        window.pages().show(door == Door::Learn  ? QStringLiteral("learn")
                            : door == Door::Plan ? QStringLiteral("plan")
                                                 : QStringLiteral("dashboard"));
        window.pages().tabs()->setFocus(Qt::OtherFocusReason); // which page it is, is heard; Tab leads into it
    });
}

} // namespace headroom::ui
