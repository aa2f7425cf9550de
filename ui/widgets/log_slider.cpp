// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/log_slider.hpp"

#include "ui/base/text.hpp"
#include "ui/theme/fonts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/slider_accessible.hpp"

#include <QAccessible>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>
#include <utility>

namespace headroom::ui
{
namespace
{

constexpr int handleDiameter = 14, hitTarget = 24, endRoom = 8, grooveHeight = 3, tickGap = 3, tickLength = 4;
constexpr double magnetPx = 6; // a snap point pulls from this far
constexpr int labelGap = 6;

} // namespace

LogSlider::LogSlider(const ParameterRow& row, QWidget* parent) : QSlider(Qt::Horizontal, parent), m_scale(row)
{
    installSliderAccessibility();
    setRange(0, SliderScale::steps);
    setLayoutDirection(Qt::LeftToRight); // as the charts' axes, in every language
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    // Assistive technology moves the position itself.
    connect(this, &QSlider::valueChanged, this, [this](int position) {
        if (!m_showing)
            emit valueMoved(m_scale.toValue(position));
    });
}

void LogSlider::showValue(double value)
{
    const bool changed = value != m_value;
    const std::pair ends(m_scale.minimum(), m_scale.maximum());
    m_value = value;
    if (!m_dragging)
        m_scale.include(value);
    m_showing = true;
    const int before = QSlider::value();
    setValue(m_scale.toPosition(value));
    m_showing = false;
    if (changed && QSlider::value() == before) { // a step finer than the groove
        QAccessibleValueChangeEvent event(this, value);
        QAccessible::updateAccessibility(&event);
    }
    // All sliders in sight are told their values at each step of one.
    if (changed || ends != std::pair(m_scale.minimum(), m_scale.maximum()))
        update();
}

void LogSlider::setBounds(const std::optional<SliderBounds>& bounds)
{
    m_scale.setBounds(bounds);
    showValue(m_value);
    update();
}

void LogSlider::setTicks(const std::vector<double>& ticks)
{
    if (ticks == m_ticks)
        return;
    m_ticks = ticks;
    m_scale.setSnaps(ticks);
    update();
}

void LogSlider::setAutomatic(bool automatic)
{
    if (m_automatic == automatic)
        return;
    m_automatic = automatic;
    update();
}

double LogSlider::grooveY() const
{
    return hitTarget / 2.0 - 2;
}

double LogSlider::xOf(int position) const
{
    return endRoom + (width() - 2.0 * endRoom) * position / SliderScale::steps;
}

QPoint LogSlider::pointOf(double value) const
{
    return {static_cast<int>(std::lround(xOf(m_scale.toPosition(value)))), static_cast<int>(grooveY())};
}

QRect LogSlider::handleRect() const
{
    return {pointOf(m_value) - QPoint(handleDiameter / 2, handleDiameter / 2), QSize(handleDiameter, handleDiameter)};
}

QSize LogSlider::sizeHint() const
{
    const QFontMetrics caption(styled(font(), TextStyle::Caption));
    const int baseline = static_cast<int>(grooveY()) + handleDiameter / 2 + tickGap + tickLength + caption.ascent() - 2;
    // Names reach below the line, numbers do not.
    return {160, baseline + (m_scale.isStepped() ? caption.descent() + 1 : caption.descent() - 2)};
}

QSize LogSlider::minimumSizeHint() const
{
    return {96, sizeHint().height()};
}

double LogSlider::valueAt(int x, bool free) const
{
    const double span = std::max(1.0, width() - 2.0 * endRoom);
    if (!free) {
        double nearest = 0, distance = m_scale.isStepped() ? 1e9 : magnetPx;
        bool found = false;
        for (const double snap : m_scale.snaps()) {
            const double away = std::abs(xOf(m_scale.toPosition(snap)) - x);
            if (snap >= m_scale.minimum() && snap <= m_scale.maximum() && away <= distance) {
                distance = away;
                nearest = snap;
                found = true;
            }
        }
        if (found)
            return nearest;
    }
    return m_scale.toValue((x - endRoom) / span * SliderScale::steps);
}

void LogSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const int x = event->position().toPoint().x();
    const int centre = pointOf(m_value).x();
    const bool onHandle = std::abs(x - centre) <= hitTarget / 2;
    m_grip = onHandle ? x - centre : 0;
    m_dragging = true;
    setSliderDown(true);
    emit gestureStarted();
    if (!onHandle)
        emit valueMoved(valueAt(x, event->modifiers().testFlag(Qt::ShiftModifier)));
}

void LogSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging)
        emit valueMoved(
            valueAt(event->position().toPoint().x() - m_grip, event->modifiers().testFlag(Qt::ShiftModifier)));
}

void LogSlider::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_dragging)
        return;
    m_dragging = false;
    setSliderDown(false);
    emit gestureFinished();
    update();
}

void LogSlider::enterEvent(QEnterEvent* event)
{
    m_hovered = true;
    update();
    QSlider::enterEvent(event);
}

void LogSlider::leaveEvent(QEvent* event)
{
    m_hovered = false;
    update();
    QSlider::leaveEvent(event);
}

void LogSlider::paintTicks(QPainter& painter) const
{
    const Theme& colours = themeOf(palette());
    painter.setFont(styled(font(), TextStyle::Caption));
    const QFontMetrics metrics(painter.font());
    const double top = grooveY() + handleDiameter / 2.0 + tickGap - 2;
    const double baseline = top + tickLength + metrics.ascent();
    const auto& snaps = m_scale.snaps();
    const auto labelBox = [&](double snap) {
        const QString text = toQString(m_scale.tickLabel(snap));
        const double w = metrics.horizontalAdvance(text);
        const double x = std::clamp(xOf(m_scale.toPosition(snap)) - w / 2, 0.0, std::max(0.0, width() - w));
        return std::pair{QRectF(x, top, w, metrics.height()), text};
    };
    const std::vector<bool> labelled = labelledTicks([&](double snap) { return labelBox(snap).first; });
    for (std::size_t i = 0; i < snaps.size(); ++i) {
        if (snaps[i] < m_scale.minimum() || snaps[i] > m_scale.maximum())
            continue;
        const double x = std::round(xOf(m_scale.toPosition(snaps[i]))) + 0.5;
        painter.setPen(QPen(mixed(colours.surface, colours.muted, 0.55), 1));
        painter.drawLine(QPointF(x, top), QPointF(x, top + tickLength - 1));
        if (!labelled[i])
            continue;
        const auto [box, text] = labelBox(snaps[i]);
        painter.setPen(isEnabled() ? colours.muted : mixed(colours.surface, colours.muted, 0.6));
        painter.drawText(QPointF(box.left(), baseline), text);
    }
}

std::vector<bool> LogSlider::labelledTicks(const std::function<QRectF(double)>& boxOf) const
{
    const auto& snaps = m_scale.snaps();
    // Every n-th tick, the smallest n at which no two labels meet: 1, 4, 16 … rather than 1, 2, 8.
    for (std::size_t stride = 1; stride <= snaps.size(); ++stride) {
        std::vector<bool> labelled(snaps.size(), false);
        double freeFrom = -1e9;
        bool free = true;
        for (std::size_t i = 0; i < snaps.size(); i += stride) {
            const QRectF box = boxOf(snaps[i]);
            // Names are all different: leaving one out beats leaving out every other.
            const bool fits = box.left() >= freeFrom;
            if (!fits && !m_scale.isStepped()) {
                free = false;
                break;
            }
            labelled[i] = fits;
            freeFrom = fits ? box.right() + labelGap : freeFrom;
        }
        if (free)
            return labelled;
    }
    return std::vector<bool>(snaps.size(), false);
}

void LogSlider::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTicks(painter);

    const QColor active = !isEnabled() || m_automatic ? mixed(colours.surface, colours.muted, 0.6) : colours.accent;
    const double y = grooveY(), x = xOf(m_scale.toPosition(m_value));
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(colours.surface, colours.text, 0.13));
    painter.drawRoundedRect(QRectF(endRoom - 2, y - grooveHeight / 2.0, width() - 2 * endRoom + 4, grooveHeight), 1.5,
                            1.5);
    painter.setBrush(active);
    painter.drawRoundedRect(QRectF(endRoom - 2, y - grooveHeight / 2.0, x - endRoom + 2, grooveHeight), 1.5, 1.5);

    const QRectF handle(x - 6, y - 6, 12, 12);
    if (hasFocus()) {
        painter.setBrush(mixed(colours.surface, colours.accent, 0.28));
        painter.drawEllipse(handle.adjusted(-4, -4, 4, 4));
    }
    painter.setBrush(m_dragging || m_hovered ? mixed(colours.surface, active, 0.18) : colours.surface);
    painter.setPen(QPen(active, 2));
    painter.drawEllipse(handle.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace headroom::ui
