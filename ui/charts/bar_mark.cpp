// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <algorithm>

namespace headroom::ui
{

namespace
{

constexpr double gap = 5; // px between a bar and its value

struct BarLabel {
    QRectF rect;
    QString text;
    QColor colour;
};

/// Whether another bar of the category continues where this one ends, so that a value there would lie on it.
bool continues(const ChartSpec& spec, const Point& point)
{
    for (const Series& s : spec.series)
        if (s.kind == SeriesKind::Bar)
            for (const Point& p : s.points)
                if (&p != &point && p.x == point.x && p.base && *p.base == point.y && p.y != *p.base)
                    return true;
    return false;
}

QRectF labelRect(const ChartScene& scene, const Point& point, const QRectF& bar, QSizeF size)
{
    const bool down = point.y < point.base.value_or(0);
    if (scene.horizontal) {
        const double x = down && !point.base ? bar.left() - gap - size.width() : bar.right() + gap;
        return {QPointF(x, bar.center().y() - size.height() / 2), size};
    }
    const double y = down && !point.base ? bar.bottom() + 1 : bar.top() - 1 - size.height();
    return {QPointF(bar.center().x() - size.width() / 2, y), size};
}

} // namespace

void BarMark::draw(QCPPainter* painter)
{
    if (!m_scene.hasBars())
        return;
    painter->setFont(styled(m_scene.font, TextStyle::Caption));
    const QFontMetricsF metrics(painter->font());
    std::vector<BarLabel> labels;
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
            if (!solid || m_scene.theme.kind == ThemeKind::HighContrast) {
                painter->setBrush(Qt::NoBrush);
                painter->setPen(QPen(colour, 1));
                painter->drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
            }
            const QString text = m_scene.barLabel(s, i);
            const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
            if (!continues(m_scene.spec, point))
                labels.push_back({labelRect(m_scene, point, bar, size), text, m_scene.theme.text});
            else if (size.width() + 6 <= bar.width() && size.height() <= bar.height())
                labels.push_back({QRectF(bar.center() - QPointF(size.width(), size.height()) / 2, size), text,
                                  textOn(colour, m_scene.theme)});
        }
    }
    // Values come last and give way to each other: a hidden one is still told by hover and table.
    std::vector<QRectF> taken;
    for (const BarLabel& label : labels) {
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(label.rect); }))
            continue;
        taken.push_back(label.rect);
        painter->setPen(QPen(label.colour));
        painter->drawText(label.rect, Qt::AlignCenter | Qt::TextDontClip, label.text);
    }
}

} // namespace headroom::ui
