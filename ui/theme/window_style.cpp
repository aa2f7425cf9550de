// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>
#include <QStyleOption>
#include <algorithm>

namespace headroom::ui
{

namespace
{

/// Fusion's own outline is a light grey, whatever the palette: in high contrast it is as strong as that of a card.
void drawOutline(QPainter& painter, const QStyleOption& option)
{
    const Theme& colours = themeOf(option.palette);
    if (!colours.isHighContrast())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.state.testFlag(QStyle::State_Enabled) ? colours.border : colours.muted);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

/// Fusion's outline is darker than what it stands on: on a dark one a field has none to be seen.
void drawFieldFrame(QPainter& painter, const QStyleOption& option)
{
    const Theme& colours = themeOf(option.palette);
    if (!colours.isDark() || colours.isHighContrast() || option.state.testFlag(QStyle::State_HasFocus))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(mixed(colours.surface, colours.muted, 0.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

} // namespace

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    const int own = QProxyStyle::pixelMetric(metric, option, widget);
    if (metric != PM_IndicatorWidth && metric != PM_IndicatorHeight)
        return own;
    constexpr double ofALine = 0.9;
    const QFontMetrics type = option ? option->fontMetrics : widget ? widget->fontMetrics() : QFontMetrics(QFont());
    return std::max(own, qRound(ofALine * type.height()));
}

int WindowStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* data) const
{
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0; // the style's own pictures stand in no theme of ours
    return QProxyStyle::styleHint(hint, option, widget, data);
}

QSize WindowStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                    const QWidget* widget) const
{
    constexpr int beside = 4; // px more than Fusion leaves beside the words
    const bool isButton = type == CT_PushButton;
    return QProxyStyle::sizeFromContents(type, option, isButton ? contents + QSize(2 * beside, 0) : contents, widget);
}

void WindowStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox)
        drawOutline(*painter, *option);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const
{
    if (element == PE_PanelScrollAreaCorner)
        return; // a dark angle between two scroll bars that are no more than their handles
    if (element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element == PE_PanelButtonCommand || element == PE_FrameLineEdit)
            drawOutline(*painter, *option);
        if (element == PE_FrameLineEdit)
            drawFieldFrame(*painter, *option);
        return;
    }
    const Theme& colours = themeOf(QPalette());
    const bool enabled = option->state.testFlag(State_Enabled), on = option->state.testFlag(State_On);
    const int side = std::min(option->rect.width(), option->rect.height());
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
