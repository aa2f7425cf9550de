// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/popup_card.hpp"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainterPath>
#include <QRegion>

namespace headroom::ui
{

PopupCard::PopupCard(QWidget* parent) : Card(parent)
{
    setWindowFlags(Qt::Popup);
}

bool PopupCard::steer(QEvent* event, QWidget* list, const std::function<void()>& choose)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose();
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        QCoreApplication::sendEvent(list, event);
        return true;
    default:
        return false;
    }
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
