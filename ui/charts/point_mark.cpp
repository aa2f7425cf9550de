// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/pin_marks.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"

namespace headroom::ui
{

namespace
{

QPolygonF diamond(QPointF centre, double radius)
{
    return {{centre - QPointF(0, radius), centre + QPointF(radius, 0), centre + QPointF(0, radius),
             centre - QPointF(radius, 0)}};
}

} // namespace

void PointMark::draw(QCPPainter* painter)
{
    const QRectF area = QRectF(m_scene.plotArea()).adjusted(-1, -1, 1, 1);
    for (int s = 0; s < int(m_scene.spec.series.size()); ++s) {
        const Series& series = m_scene.spec.series[std::size_t(s)];
        if (series.kind != SeriesKind::Points)
            continue;
        const bool run = isRun(series.role);
        const bool onBars = run && m_scene.hasBars(); // which have the lines' colours
        const QColor colour = onBars ? m_scene.theme.text : seriesColour(series, m_scene.theme);
        for (const int i : bySize(series)) { // small ones last, so that they stay visible
            const QPointF at = m_scene.pointPixel({s, i});
            if (!area.contains(at))
                continue;
            const bool open = run || series.points[std::size_t(i)].infeasible;
            const double radius = m_scene.pointDiameter(s, i) / 2;
            const bool large = pinLetter(series.role) == 0 && radius > 5 * m_scene.lineScale;
            const QColor fill = open    ? m_scene.theme.surface
                                : large ? mixed(m_scene.theme.surface, colour, 0.35)
                                        : colour;
            const double line = 1.5 * m_scene.lineScale;
            if (series.role == SeriesRole::Own) { // a shape of its own: not the scenario's measurement, not published
                painter->setPen(QPen(colour, line));
                painter->setBrush(fill);
                painter->drawPolygon(diamond(at, 1.2 * radius));
            } else if (fill == colour) {
                drawDisc(*painter, at, radius + line / 2, fill, 0, colour);
            } else {
                drawDisc(*painter, at, radius - line / 2, fill, line, colour);
            }
            if (const char letter = pinLetter(series.role); letter != 0 && !open)
                drawPinLetter(*painter, at, letter, colour, m_scene.theme, m_scene.font);
        }
    }
}

} // namespace headroom::ui
