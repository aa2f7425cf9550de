// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/welcome_card.hpp"

#include "ui/learn/door_button.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/accessible_role.hpp"
#include "ui/widgets/card.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

namespace headroom::ui
{

namespace
{

constexpr int margin = 24, betweenDoors = 12; // px

} // namespace

WelcomeCard::WelcomeCard(int lessons, QWidget* parent) : QWidget(parent), m_card(new Card)
{
    constexpr int widest = 860, typeLines = 54; // px, lines of type
    setAccessibleRole(*this, QAccessible::Dialog);
    setAccessibleName(tr("Welcome"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(margin, margin, margin, margin);
    outer->addStretch(1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_card, 100);
    row->addStretch(1);
    outer->addLayout(row);
    outer->addStretch(1);
    m_card->setMaximumWidth(std::max(widest, typeLines * fontMetrics().height()));

    auto* column = new QVBoxLayout(m_card);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(14);
    auto* title = lessonLabel(TextStyle::TileValue);
    title->setText(tr("How much of your GPUs do you use?"));
    column->addWidget(title);
    auto* words = lessonLabel();
    words->setText(tr("Headroom predicts how fast a large model trains or answers on given hardware, what share of the "
                      "hardware that is, and what would raise it. What you see behind this card is live."));
    column->addWidget(words);
    setAccessibleDescription(title->text() + u' ' + words->text());
    auto* doors = new QHBoxLayout;
    doors->setSpacing(betweenDoors);
    const auto add = [&](Door door, const QString& word, const QString& sentence) {
        auto* button = new DoorButton(word, sentence);
        connect(button, &DoorButton::clicked, this, [this, door] { choose(door); });
        doors->addWidget(button);
        m_doors << button;
    };
    add(Door::Explore, tr("Explore"), tr("Move any slider: every figure and chart follows. Ctrl+K finds anything."));
    add(Door::OwnRun, tr("My run"), tr("Enter model, GPUs and step time: what limits it, and what to change next."));
    add(Door::Learn, tr("Learn"), tr("%1 short lessons on this window, beginning with what MFU is.").arg(lessons));
    add(Door::Plan, tr("Plan"),
        tr("State what you need and get the smallest deployment that meets it, with the reason."));
    column->addLayout(doors);
    auto* note = lessonLabel(TextStyle::Caption);
    note->setText(tr("Escape closes this card. Help, Four ways to begin, brings it back."));
    note->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(note);

    parent->installEventFilter(this);
    setGeometry(parent->rect());
    raise();
    show();
    m_doors.at(2)->setFocus(Qt::OtherFocusReason); // Learn
}

void WelcomeCard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // All as high as the one with the most to say, in the width that each gets.
    const int card = std::min(m_card->maximumWidth(), width() - 2 * margin), count = static_cast<int>(m_doors.size());
    const int each = (card - 2 * margin - (count - 1) * betweenDoors) / std::max(1, count);
    int high = 0;
    for (const QWidget* door : m_doors)
        high = std::max(high, door->heightForWidth(each));
    for (QWidget* door : m_doors)
        door->setFixedHeight(high);
}

void WelcomeCard::choose(Door door)
{
    emit chosen(door); // first: the keyboard goes straight to what was chosen
    hide();
    deleteLater();
}

void WelcomeCard::paintEvent(QPaintEvent*)
{
    QColor veil = themeOf(palette()).isDark() ? Qt::black : themeOf(palette()).text;
    veil.setAlphaF(0.45F);
    QPainter(this).fillRect(rect(), veil);
}

void WelcomeCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        choose(Door::Explore);
    else if (auto* door = qobject_cast<QAbstractButton*>(focusWidget());
             door && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        door->click();
    else
        event->accept(); // what is behind waits
}

void WelcomeCard::mousePressEvent(QMouseEvent*)
{
    // What is behind waits.
}

bool WelcomeCard::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

bool WelcomeCard::focusNextPrevChild(bool next)
{
    const auto here = m_doors.indexOf(focusWidget());
    m_doors.at((here + (next ? 1 : m_doors.size() - 1)) % m_doors.size())->setFocus(Qt::TabFocusReason);
    return true;
}

} // namespace headroom::ui
