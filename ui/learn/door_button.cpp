// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/door_button.hpp"

#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"

#include <QPainter>

namespace headroom::ui
{
namespace
{

constexpr int inset = 16, doorWidth = 208;

QFont wordFont(const QFont& base)
{
    return styled(base, TextStyle::TileValue);
}

} // namespace

DoorButton::DoorButton(const QString& word, const QString& sentence, QWidget* parent)
    : QAbstractButton(parent), m_word(word), m_sentence(sentence)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setAccessibleName(word);
    setAccessibleDescription(sentence);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // who lays the doors out says how high all are
}

QRect DoorButton::sentenceRect(int width) const
{
    const int top = inset + QFontMetrics(wordFont(font())).height() + 8;
    const QRect room(inset, top, width - 2 * inset, 10'000);
    return {room.topLeft(),
            QSize(room.width(), fontMetrics().boundingRect(room, Qt::TextWordWrap, m_sentence).height())};
}

int DoorButton::heightForWidth(int width) const
{
    return sentenceRect(width).bottom() + 1 + inset;
}

QSize DoorButton::sizeHint() const
{
    return {doorWidth, heightForWidth(doorWidth)};
}

void DoorButton::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    const bool marked = hasFocus() || isDown();
    paintCard(*this, marked ? colours.accent : underMouse() ? colours.muted : colours.border, marked ? 2 : 1);
    QPainter painter(this);
    painter.setFont(wordFont(font()));
    painter.setPen(marked ? colours.accent : colours.text);
    painter.drawText(QRect(inset, inset, width() - 2 * inset, painter.fontMetrics().height()), Qt::AlignLeading,
                     m_word);
    painter.setFont(font());
    painter.setPen(colours.text);
    painter.drawText(sentenceRect(width()), Qt::TextWordWrap | Qt::AlignLeading, m_sentence);
}

} // namespace headroom::ui
