// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.hpp"

#include "ui/theme/theme.hpp"
#include "ui/widgets/accessible_role.hpp"

#include <QPainter>
#include <algorithm>

namespace headroom::ui
{

Card::Card(QWidget* parent) : QFrame(parent)
{
    setFrameShape(QFrame::NoFrame);
    setAccessibleRole(*this, QAccessible::Grouping); // a QFrame would be called a window
}

void Card::paintEvent(QPaintEvent*)
{
    paintCard(*this, themeOf(palette()).border);
}

void paintCard(QWidget& widget, const QColor& border, double width)
{
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    // Two fills: a stroked outline costs several times as much, and tiles are painted with every step of a slider.
    const QRectF all = widget.rect();
    painter.setBrush(border);
    painter.drawRoundedRect(all, Card::radius, Card::radius);
    painter.setBrush(themeOf(widget.palette()).surface);
    const double inner = std::max(Card::radius - width, 0.0);
    painter.drawRoundedRect(all.adjusted(width, width, -width, -width), inner, inner);
}

} // namespace headroom::ui
