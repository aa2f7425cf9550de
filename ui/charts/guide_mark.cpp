// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <algorithm>

namespace headroom::ui
{

namespace
{

/// Text beside a guide on the surface's colour, so that it reads over lines; moved down past what is taken.
void drawLabel(QCPPainter& painter, const ChartScene& scene, QPointF at, const QString& text, const QColor& colour,
               std::vector<QRectF>& taken)
{
    if (text.isEmpty())
        return;
    const QFontMetricsF metrics(painter.font());
    const QRectF area = scene.plotArea();
    QRectF rect(at, QSizeF(metrics.horizontalAdvance(text) + 6, metrics.height()));
    if (rect.right() > scene.keyAxis->parentPlot()->viewport().right() - 4)
        rect.moveRight(at.x() - 6);
    rect.moveLeft(std::max(rect.left(), area.left() - 2));
    while (std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(rect); }))
        rect.translate(0, metrics.height());
    taken.push_back(rect);
    painter.fillRect(rect, scene.theme.surface);
    painter.setPen(QPen(readable(colour, scene.theme)));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
}

} // namespace

void GuideMark::draw(QCPPainter* painter)
{
    const QRectF area = m_scene.plotArea();
    const auto line = [&](bool alongKey, double at) {
        // Guides of a lying chart lie with it.
        if (alongKey != m_scene.horizontal) {
            if (at >= area.left() - 1 && at <= area.right() + 2)
                painter->drawLine(QPointF(at, area.top()), QPointF(at, area.bottom() + 1));
        } else if (at >= area.top() - 1 && at <= area.bottom() + 2) {
            painter->drawLine(QPointF(area.left(), at), QPointF(area.right() + 1, at));
        }
    };
    painter->setFont(styled(m_scene.font, TextStyle::Caption));
    const Theme& theme = m_scene.theme;
    std::vector<QRectF> taken;
    for (const Guide& guide : m_scene.spec.guides) {
        const QColor colour = guideColour(guide.role, theme);
        const QString label = QString::fromStdString(guide.label);
        if (guide.kind == GuideKind::Vertical) {
            const double at = m_scene.keyAxis->coordToPixel(guide.x);
            painter->setPen(guidePen(guide, theme, m_scene.lineScale));
            line(true, at);
            if (!m_scene.horizontal && at >= area.left() - 1 && at <= area.right() + 2)
                drawLabel(*painter, m_scene, {at + 3, area.top() - 1}, label, colour, taken);
        } else if (guide.kind == GuideKind::Horizontal) {
            const double at = m_scene.valueAxis->coordToPixel(guide.y);
            painter->setPen(guidePen(guide, theme, m_scene.lineScale));
            line(false, at);
            if (m_scene.horizontal)
                drawLabel(*painter, m_scene, {at + 3, area.top() - 1}, label, colour, taken);
        }
    }
    if (m_scene.spec.heatMap)
        return; // marks the cell itself
    for (const Guide& guide : m_scene.spec.guides) {
        if (guide.kind != GuideKind::OperatingPoint)
            continue;
        const QPointF at = m_scene.toPixel(guide.x, guide.y);
        if (!area.adjusted(-2, -2, 2, 2).contains(at))
            continue;
        const QColor colour = guide.role == SeriesRole::Current ? theme.slot(0) : guideColour(guide.role, theme);
        painter->setPen(QPen(theme.accent, 1, Qt::SolidLine));
        painter->drawLine(at, QPointF(at.x(), area.bottom()));
        painter->setBrush(colour);
        painter->setPen(QPen(theme.surface, 2 * m_scene.lineScale));
        const double radius = (4.5 + 1) * m_scene.lineScale; // 9 px and half the ring
        painter->drawEllipse(at, radius, radius);
        drawLabel(*painter, m_scene, at + QPointF(9, -painter->fontMetrics().height() - 4.0),
                  QString::fromStdString(guide.label), theme.text, taken);
    }
}

} // namespace headroom::ui
