// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <algorithm>

namespace headroom::ui
{

namespace
{

bool isLine(const Series& s)
{
    return s.kind == SeriesKind::Line || s.kind == SeriesKind::StepLine || s.kind == SeriesKind::Area;
}

/// The live line decides where it hatches; an ideal or a pinned one may differ.
const Series* hatchingSeries(const ChartSpec& spec)
{
    const auto infeasible = [](const Series& s) {
        return isLine(s) && s.role == SeriesRole::Current &&
               std::any_of(s.points.begin(), s.points.end(), [](const Point& p) { return p.infeasible; });
    };
    const auto found = std::find_if(spec.series.begin(), spec.series.end(), infeasible);
    return found == spec.series.end() ? nullptr : &*found;
}

} // namespace

void BackdropMark::draw(QCPPainter* painter)
{
    const QRectF area = m_scene.plotArea();
    for (const Guide& guide : m_scene.spec.guides) {
        if (guide.kind != GuideKind::HorizontalBand)
            continue;
        const QRectF all = m_scene.horizontal
                               ? QRectF(QPointF(m_scene.valueAxis->coordToPixel(guide.y), area.top()),
                                        QPointF(m_scene.valueAxis->coordToPixel(guide.y2), area.bottom()))
                               : QRectF(QPointF(area.left(), m_scene.valueAxis->coordToPixel(guide.y)),
                                        QPointF(area.right(), m_scene.valueAxis->coordToPixel(guide.y2)));
        painter->fillRect(all.normalized().intersected(area),
                          mixed(m_scene.theme.surface, guideColour(guide, m_scene.spec, m_scene.theme), 0.09));
    }

    const Series* series = hatchingSeries(m_scene.spec);
    if (series == nullptr)
        return;
    const auto& points = series->points;
    const auto edge = [&](std::size_t before, std::size_t after) {
        return (m_scene.keyAxis->coordToPixel(points[before].x) + m_scene.keyAxis->coordToPixel(points[after].x)) / 2;
    };
    painter->setFont(styled(m_scene.font, TextStyle::Caption));
    for (std::size_t i = 0; i < points.size();) {
        if (!points[i].infeasible) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < points.size() && points[end].infeasible)
            ++end;
        const double left = i == 0 ? area.left() : edge(i - 1, i);
        const double right = end == points.size() ? area.right() : edge(end - 1, end);
        const QRectF zone = QRectF(QPointF(left, area.top()), QPointF(right, area.bottom())).intersected(area);
        drawHatch(*painter, zone, mixed(m_scene.theme.surface, m_scene.theme.muted, 0.28));
        const QString text = QStringLiteral("does not fit");
        const QSizeF size(painter->fontMetrics().horizontalAdvance(text) + 8, painter->fontMetrics().height() + 2);
        if (zone.width() > size.width() + 4) {
            const QRectF label(QPointF(zone.center().x() - size.width() / 2, zone.bottom() - size.height() - 6), size);
            painter->fillRect(label, m_scene.theme.surface);
            painter->setPen(QPen(m_scene.theme.muted));
            painter->drawText(label, Qt::AlignCenter, text);
        }
        i = end;
    }
}

} // namespace headroom::ui
