// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>
#include <QStyleOption>
#include <algorithm>

namespace headroom::ui
{

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const
{
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    const Theme& colours = themeOf(QPalette());
    const bool enabled = option->state.testFlag(State_Enabled), on = option->state.testFlag(State_On);
    const int side = std::min({option->rect.width(), option->rect.height(), 16});
    QRectF box(0, 0, side - 1, side - 1);
    box.moveCenter(QRectF(option->rect).center());
    const QColor frame = enabled ? on ? colours.accent : colours.muted : colours.border;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(frame, 1.2));
    painter->setBrush(on ? frame : colours.surface);
    painter->drawRoundedRect(box, 3, 3);
    if (on) {
        const auto at = [&box](double x, double y) {
            return box.topLeft() + QPointF(x * box.width(), y * box.height());
        };
        painter->setPen(QPen(colours.onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPolyline(QPolygonF{at(0.24, 0.53), at(0.43, 0.72), at(0.77, 0.3)});
    } else if (option->state.testFlag(State_NoChange)) { // neither: something else decides
        painter->setPen(QPen(frame, 1.8, Qt::SolidLine, Qt::RoundCap));
        const QPointF centre = box.center();
        painter->drawLine(centre - QPointF(0.25 * box.width(), 0), centre + QPointF(0.25 * box.width(), 0));
    }
    painter->restore();
}

} // namespace headroom::ui
