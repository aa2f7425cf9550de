// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/theme/fonts.hpp"

#include <cmath>

namespace headroom::ui
{

void HeaderMark::draw(QCPPainter* painter)
{
    const QRectF card = parentPlot()->viewport();
    const double left = card.left() + cardPadding;
    painter->setFont(styled(m_scene.font, TextStyle::ChartTitle));
    painter->setPen(QPen(m_scene.theme.text));
    const QFontMetricsF title(painter->font());
    double at = card.top() + 10 + title.ascent();
    for (const QString& part : m_scene.layout.title.split(u'\n')) {
        painter->drawText(QPointF(left, at), part);
        at += std::ceil(title.height());
    }

    painter->setFont(styled(m_scene.font, TextStyle::Caption));
    painter->setPen(QPen(m_scene.theme.muted));
    const QFontMetricsF caption(painter->font());
    double baseline = card.top() + m_scene.layout.readingTop + caption.ascent();
    for (const QString& line : m_scene.layout.reading) {
        painter->drawText(QPointF(left, baseline), line);
        baseline += std::ceil(caption.height());
    }
    painter->drawText(QPointF(left, card.top() + m_scene.layout.unitBaseline), m_scene.layout.unit);
    if (const auto& map = m_scene.spec.heatMap) { // what its colours mean, above their scale
        const double room =
            card.width() - 2 * cardPadding - caption.horizontalAdvance(m_scene.layout.unit) - cardPadding;
        const QString label = caption.elidedText(QString::fromStdString(map->label), Qt::ElideRight, room);
        painter->drawText(QPointF(card.right() - cardPadding - caption.horizontalAdvance(label),
                                  card.top() + m_scene.layout.unitBaseline),
                          label);
    }
    double below = card.bottom() - 7 - caption.descent();
    for (auto line = m_scene.layout.note.crbegin(); line != m_scene.layout.note.crend(); ++line) {
        painter->drawText(QPointF(left, below), *line);
        below -= caption.height();
    }
}

} // namespace headroom::ui
