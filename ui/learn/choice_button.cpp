// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/choice_button.hpp"

#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

namespace headroom::ui
{
namespace
{

constexpr int padding = 8, usualWidth = 260, narrowest = 120;

} // namespace

ChoiceButton::ChoiceButton(int number, const QString& words, QWidget* parent)
    : QAbstractButton(parent), m_number(number), m_words(words)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setMark(ChoiceMark::Open);
}

void ChoiceButton::setMark(ChoiceMark mark)
{
    m_mark = mark;
    const QString name = tr("Answer %1: %2").arg(m_number).arg(m_words);
    setAccessibleName(mark == ChoiceMark::Chosen  ? tr("%1, your answer").arg(name)
                      : mark == ChoiceMark::Right ? tr("%1, right").arg(name)
                      : mark == ChoiceMark::Wrong ? tr("%1, your answer, not so").arg(name)
                                                  : name);
    setEnabled(mark == ChoiceMark::Open);
    update();
}

int ChoiceButton::badgeWidth() const
{
    return fontMetrics().horizontalAdvance(QStringLiteral("0")) + 14;
}

int ChoiceButton::heightForWidth(int width) const
{
    const QRect room(0, 0, width - 2 * padding - badgeWidth(), 10'000);
    return fontMetrics().boundingRect(room, Qt::TextWordWrap, m_words).height() + 2 * padding;
}

QSize ChoiceButton::sizeHint() const
{
    return {usualWidth, heightForWidth(usualWidth)};
}

QSize ChoiceButton::minimumSizeHint() const
{
    return {narrowest, fontMetrics().height() + 2 * padding};
}

void ChoiceButton::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click(); // Qt knows Space alone
    else
        QAbstractButton::keyPressEvent(event);
}

void ChoiceButton::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    const bool open = m_mark == ChoiceMark::Open;
    const QColor frame = m_mark == ChoiceMark::Right        ? colours.good
                         : m_mark == ChoiceMark::Wrong      ? colours.danger
                         : m_mark == ChoiceMark::Chosen     ? colours.accent
                         : open && (hasFocus() || isDown()) ? colours.accent
                         : open && underMouse()             ? colours.muted
                                                            : colours.border;
    paintCard(*this, frame, (open && hasFocus()) || m_mark == ChoiceMark::Right ? 2 : 1);
    QPainter painter(this);
    const QString badge = m_mark == ChoiceMark::Right   ? QStringLiteral("✓")
                          : m_mark == ChoiceMark::Wrong ? QStringLiteral("✗")
                                                        : QString::number(m_number);
    const QRect left(padding, padding, badgeWidth(), fontMetrics().height());
    painter.setPen(frame == colours.border ? colours.muted : frame);
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), left), Qt::AlignLeading | Qt::AlignTop, badge);
    painter.setPen(m_mark == ChoiceMark::Other ? colours.muted : colours.text);
    const QRect words(padding + badgeWidth(), padding, width() - 2 * padding - badgeWidth(), height() - 2 * padding);
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), words), Qt::TextWordWrap | Qt::AlignLeading,
                     m_words);
}

} // namespace headroom::ui
