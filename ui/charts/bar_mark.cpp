// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/pin_marks.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"

namespace headroom::ui
{

void BarMark::draw(QCPPainter* painter)
{
    if (!m_scene.hasBars())
        return;
    for (int s = 0; s < int(m_scene.spec.series.size()); ++s) {
        const Series& series = m_scene.spec.series[std::size_t(s)];
        if (series.kind != SeriesKind::Bar)
            continue;
        const QColor colour = seriesColour(series, m_scene.theme);
        for (int i = 0; i < int(series.points.size()); ++i) {
            const Point& point = series.points[std::size_t(i)];
            const QRectF bar = m_scene.barRect(s, i);
            // A pinned or infeasible bar is an outline: tinted, hatched.
            const bool solid = pinLetter(series.role) == 0 && !point.infeasible;
            painter->fillRect(bar, solid ? colour : m_scene.theme.tint(colour));
            if (point.infeasible)
                drawHatch(*painter, bar, colour);
            if (!solid || m_scene.theme.isHighContrast()) {
                painter->setBrush(Qt::NoBrush);
                painter->setPen(QPen(colour, 1));
                painter->drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
    }
}

} // namespace headroom::ui
