// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/pin_marks.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

namespace headroom::ui
{

namespace
{

void drawOperatingPoint(QCPPainter& painter, const ChartScene& scene, const Guide& guide)
{
    const Theme& theme = scene.theme;
    const QRectF area = scene.plotArea();
    const QPointF at = scene.toPixel(guide.x, guide.y);
    if (!area.adjusted(-2, -2, 2, 2).contains(at))
        return;
    const bool current = guide.role == SeriesRole::Current;
    if (current) {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawLine(at, QPointF(at.x(), area.bottom()));
    }
    const QColor colour = current ? theme.slot(0) : guideColour(guide, scene.spec, theme);
    const char letter = pinLetter(guide.role);
    const double radius = (letter != 0 ? pinMarkDiameter / 2 : 4.5) * scene.lineScale;
    drawDisc(painter, at, radius, colour, 2 * scene.lineScale, theme.surface);
    if (letter != 0)
        drawPinLetter(painter, at, letter, colour, theme, scene.font);
}

} // namespace

void GuideMark::draw(QCPPainter* painter)
{
    const QRectF area = m_scene.plotArea();
    const auto line = [&](bool alongKey, double at) {
        // Guides of a lying chart lie with it.
        if (alongKey != m_scene.layout.horizontal) {
            if (at >= area.left() - 1 && at <= area.right() + 2)
                painter->drawLine(QPointF(at, area.top()), QPointF(at, area.bottom() + 1));
        } else if (at >= area.top() - 1 && at <= area.bottom() + 2) {
            painter->drawLine(QPointF(area.left(), at), QPointF(area.right() + 1, at));
        }
    };
    for (const Guide& guide : m_scene.spec.guides) {
        if (guide.kind != GuideKind::Vertical && guide.kind != GuideKind::Horizontal)
            continue;
        const bool vertical = guide.kind == GuideKind::Vertical;
        painter->setPen(guidePen(guide, m_scene.spec, m_scene.theme, m_scene.lineScale));
        line(vertical, vertical ? m_scene.keyAxis->coordToPixel(guide.x) : m_scene.valueAxis->coordToPixel(guide.y));
    }
    if (m_scene.spec.heatMap)
        return; // marks the cell itself
    // The current one last, so that no pin covers it.
    for (const bool current : {false, true})
        for (const Guide& guide : m_scene.spec.guides)
            if (guide.kind == GuideKind::OperatingPoint && (guide.role == SeriesRole::Current) == current)
                drawOperatingPoint(*painter, m_scene, guide);
}

} // namespace headroom::ui
