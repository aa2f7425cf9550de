// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/card.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

namespace headroom::ui
{

Card::Card(QWidget* parent) : QFrame(parent)
{
    setFrameShape(QFrame::NoFrame);
}

void Card::paintEvent(QPaintEvent*)
{
    paintCard(*this, themeOf(palette()).border);
}

void paintCard(QWidget& widget, const QColor& border, double width)
{
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(border, width));
    painter.setBrush(themeOf(widget.palette()).surface);
    const double inset = width / 2;
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(inset, inset, -inset, -inset), Card::radius, Card::radius);
}

} // namespace headroom::ui
