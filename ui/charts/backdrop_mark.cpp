// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/infeasible_zones.hpp"

namespace headroom::ui
{

void BackdropMark::draw(QCPPainter* painter)
{
    const QRectF area = m_scene.plotArea();
    for (const Guide& guide : m_scene.spec.guides) {
        if (guide.kind != GuideKind::HorizontalBand)
            continue;
        const QRectF all = m_scene.layout.horizontal
                               ? QRectF(QPointF(m_scene.valueAxis->coordToPixel(guide.y), area.top()),
                                        QPointF(m_scene.valueAxis->coordToPixel(guide.y2), area.bottom()))
                               : QRectF(QPointF(area.left(), m_scene.valueAxis->coordToPixel(guide.y)),
                                        QPointF(area.right(), m_scene.valueAxis->coordToPixel(guide.y2)));
        painter->fillRect(all.normalized().intersected(area),
                          mixed(m_scene.theme.surface, guideColour(guide, m_scene.spec, m_scene.theme), 0.09));
    }

    for (const QRectF& zone : infeasibleZones(m_scene))
        drawHatch(*painter, zone, mixed(m_scene.theme.surface, m_scene.theme.muted, 0.28));
}

} // namespace headroom::ui
