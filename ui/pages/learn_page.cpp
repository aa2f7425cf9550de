// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/learn_page.hpp"

#include "core/lessons/lesson_length.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/learn/lesson_markup.hpp"
#include "ui/learn/lesson_player.hpp"
#include "ui/pages/class_results.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/settings.hpp"
#include "ui/widgets/card.hpp"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

constexpr int mostLines = 75; ///< heights of a line that a row is wide: what it starts lies beside its words

} // namespace

LearnPage::LearnPage(Session& session, QWidget* parent)
    : ScrolledPage(parent), m_session(session), m_summary(lessonLabel()), m_results(new ClassResults(session))
{
    column()->setContentsMargins(0, 0, 4, 0);
    column()->setSpacing(8);
    column()->addWidget(m_summary);
    for (std::size_t i = 0; i < m_session.lessons.lessons().size(); ++i)
        column()->addWidget(buildRow(i));
    column()->addWidget(m_results);
    column()->addStretch(1);
    connect(&m_session.lessons, &LessonPlayer::finished, this, &LearnPage::refresh);
    connect(&m_session.lessons, &LessonPlayer::left, this, &LearnPage::refresh);
    refresh();
}

QWidget* LearnPage::buildRow(std::size_t index)
{
    LessonPlayer& player = m_session.lessons;
    const Lesson& lesson = player.lessons()[index];
    const LessonRunner runner(lesson, player.world());
    Row row{toQString(lesson.id), toQString(lesson.title), new QLabel, new QPushButton,
            new QPushButton(tr("From the start"))};
    auto* card = new Card;
    auto* line = new QHBoxLayout(card);
    line->setContentsMargins(14, 10, 14, 10);
    line->setSpacing(14);
    row.mark->setMinimumWidth(row.mark->fontMetrics().horizontalAdvance(QStringLiteral("000")));
    row.mark->setAlignment(Qt::AlignCenter);
    line->addWidget(row.mark);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* title = lessonLabel(TextStyle::Strong);
    title->setText(toRichText(lesson.title));
    auto* goal = lessonLabel();
    const std::string text = runner.textAtEntry(runner.begin(), lesson.goal);
    goal->setText(lessonHtml(text, palette().color(QPalette::Link)));
    for (QLabel* label : {title, goal})
        label->setProperty("fromCore", true);
    words->addWidget(title);
    words->addWidget(goal);
    line->addLayout(words, 1);
    auto* length = new QLabel(tr("%1 min").arg(lessonMinutes(lesson)));
    length->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(length);
    line->addWidget(row.anew);
    line->addWidget(row.start);
    for (QPushButton* button : {row.anew, row.start})
        button->setAutoDefault(true); // Enter presses it, too
    row.anew->setAccessibleName(tr("From the start: %1").arg(row.title));
    connect(row.anew, &QPushButton::clicked, this, [this, id = row.id] { m_session.lessons.startAnew(id); });
    row.start->setAccessibleDescription(lessonPlain(text));
    connect(row.start, &QPushButton::clicked, this, [this, id = row.id] { m_session.lessons.start(id); });
    m_rows.push_back(row);
    return card;
}

bool LearnPage::isMarkedDone(std::size_t lesson) const
{
    return m_session.settings.value(SettingKey::LessonsDone).toStringList().contains(m_rows.at(lesson).id);
}

void LearnPage::refresh()
{
    m_results->refresh();
    widget()->setMaximumWidth(mostLines * fontMetrics().height());
    int done = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool marked = isMarkedDone(i);
        done += marked ? 1 : 0;
        row.mark->setText(marked ? QStringLiteral("✓") : QString::number(i + 1));
        row.mark->setAccessibleName(marked ? tr("Lesson %1, done").arg(i + 1) : tr("Lesson %1").arg(i + 1));
        const auto left = m_session.lessons.leftAt(row.id);
        row.anew->setVisible(left.has_value());
        row.start->setText(left ? tr("Go on at step %1").arg(*left + 1) : marked ? tr("Again") : tr("Start"));
        row.start->setAccessibleName(left     ? tr("Go on at step %1: %2").arg(*left + 1).arg(row.title)
                                     : marked ? tr("Play again: %1, done").arg(row.title)
                                              : tr("Start: %1").arg(row.title));
    }
    m_summary->setText(tr("Each lesson runs on the live window: you say what you expect, move a slider, and see. "
                          "Your own scenario waits and comes back. Done: %1 of %2.")
                           .arg(done)
                           .arg(m_rows.size()));
}

void LearnPage::showEvent(QShowEvent* event)
{
    ScrolledPage::showEvent(event);
    refresh();
}

} // namespace headroom::ui
