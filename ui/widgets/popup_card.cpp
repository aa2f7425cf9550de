// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/popup_card.hpp"

#include <QPainterPath>
#include <QRegion>

namespace headroom::ui
{

PopupCard::PopupCard(QWidget* parent) : Card(parent)
{
    setWindowFlags(Qt::Popup);
}

void PopupCard::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    // A mask and not a translucent window: that is black at the corners where no compositor runs.
    QPainterPath outline;
    outline.addRoundedRect(rect(), radius, radius);
    setMask(QRegion(outline.toFillPolygon().toPolygon()));
}

} // namespace headroom::ui
