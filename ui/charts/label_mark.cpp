// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui
{

namespace
{

struct EndLabel {
    QString text;
    QColor colour;
    QPointF anchor;      ///< where the line ends
    bool inside = false; ///< the line ends within the plot
    double y = 0;        ///< centre, after nudging
};

/// Where a line is last seen: its last point, or where it leaves the plot through the top or bottom.
std::optional<EndLabel> lineEnd(const ChartScene& scene, int s)
{
    const Series& series = scene.spec.series[std::size_t(s)];
    const QRectF area = QRectF(scene.plotArea()).adjusted(-0.5, -1.5, 1.5, 1.5);
    for (int i = int(series.points.size()) - 1; i >= 0; --i) {
        const QPointF at = scene.pointPixel({s, i});
        if (at.x() > area.right() || at.y() < area.top() || at.y() > area.bottom())
            continue;
        EndLabel label{endLabel(series), seriesColour(series, scene.theme), at, false, at.y()};
        if (i + 1 < int(series.points.size())) {
            const QPointF next = scene.pointPixel({s, i + 1});
            if (next.y() < area.top() || next.y() > area.bottom()) {
                const double border = next.y() < area.top() ? area.top() : area.bottom();
                const double share = (border - at.y()) / (next.y() - at.y());
                label.anchor = at + (next - at) * std::clamp(share, 0.0, 1.0);
            }
        }
        label.inside = label.anchor.x() < area.right() - 12;
        return label;
    }
    return std::nullopt;
}

std::vector<EndLabel> collect(const ChartScene& scene)
{
    std::vector<EndLabel> labels;
    const QRectF area = scene.plotArea();
    for (int s = 0; s < int(scene.spec.series.size()); ++s) {
        const Series& series = scene.spec.series[std::size_t(s)];
        if (series.kind == SeriesKind::Bar || series.kind == SeriesKind::Points || series.points.empty() ||
            endLabel(series).isEmpty())
            continue;
        if (series.kind == SeriesKind::Area) {
            // A layer is named at its middle, a line at its end.
            const int last = int(series.points.size()) - 1;
            const QPointF top = scene.pointPixel({s, last});
            const double under = scene.stackedY(s, last) - series.points.back().y;
            const double bottom = scene.valueAxis->coordToPixel(std::max(under, scene.spec.y.minimum));
            const double middle = (std::max(top.y(), area.top()) + std::min(bottom, area.bottom())) / 2;
            if (series.points.back().y > 0)
                labels.push_back(
                    {endLabel(series), seriesColour(series, scene.theme), {area.right(), middle}, false, middle});
        } else if (const auto end = lineEnd(scene, s)) {
            labels.push_back(*end);
        }
    }
    if (scene.horizontal)
        return labels;
    for (const Guide& guide : scene.spec.guides) {
        const bool band = guide.kind == GuideKind::HorizontalBand;
        if ((guide.kind != GuideKind::Horizontal && !band) || guide.label.empty())
            continue;
        const double y = scene.valueAxis->coordToPixel(guide.y);
        const double middle = band ? (y + scene.valueAxis->coordToPixel(guide.y2)) / 2 : y;
        if (middle > area.top() - 2 && middle < area.bottom() + 2)
            labels.push_back({QString::fromStdString(guide.label),
                              guideColour(guide.role, scene.theme),
                              {area.right(), middle},
                              false,
                              middle});
    }
    return labels;
}

/// Moves labels of one column apart by at least `height`, staying within top…bottom, order kept.
void nudgeApart(std::vector<EndLabel*>& column, double height, double top, double bottom)
{
    std::stable_sort(column.begin(), column.end(), [](auto* a, auto* b) { return a->y < b->y; });
    double limit = top + height / 2;
    for (EndLabel* label : column) {
        label->y = std::max(label->y, limit);
        limit = label->y + height;
    }
    limit = bottom - height / 2;
    for (auto it = column.rbegin(); it != column.rend(); ++it) {
        (*it)->y = std::min((*it)->y, limit);
        limit = (*it)->y - height;
    }
}

void drawEndLabels(QCPPainter& painter, const ChartScene& scene, std::vector<QRectF>& taken)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF area = scene.plotArea();
    std::vector<EndLabel> labels = collect(scene);
    std::vector<EndLabel*> margin;
    for (EndLabel& label : labels)
        if (!label.inside)
            margin.push_back(&label);
    nudgeApart(margin, metrics.height(), area.top() - metrics.height() / 2, area.bottom() + metrics.height() / 2);
    const double room = scene.keyAxis->parentPlot()->viewport().right() - area.right() - cardPadding - 4;
    for (const EndLabel& label : labels) {
        painter.setPen(QPen(readable(label.colour, scene.theme)));
        if (!label.inside) {
            const QString text = metrics.elidedText(label.text, Qt::ElideRight, std::max(room, 24.0));
            painter.drawText(QPointF(area.right() + 7, label.y + (metrics.ascent() - metrics.descent()) / 2), text);
            if (std::abs(label.y - label.anchor.y()) > 4) { // shows which line a moved label names
                painter.setPen(QPen(mixed(scene.theme.surface, label.colour, 0.6), 1));
                painter.drawLine(QPointF(area.right() + 1, label.anchor.y()), QPointF(area.right() + 5, label.y));
            }
            continue;
        }
        QRectF rect(QPointF(label.anchor.x() + 5, label.anchor.y() - metrics.height() / 2),
                    QSizeF(metrics.horizontalAdvance(label.text) + 2, metrics.height()));
        if (rect.right() > scene.keyAxis->parentPlot()->viewport().right() - 4)
            rect.moveRight(label.anchor.x() - 5);
        rect.moveTop(std::clamp(rect.top(), area.top(), area.bottom() - rect.height()));
        while (std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(rect); }))
            rect.translate(0, metrics.height());
        taken.push_back(rect);
        painter.fillRect(rect, scene.theme.surface);
        painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, label.text);
    }
}

/// Names of points where few enough stand that naming them helps; published runs tell theirs on hover.
void drawPointLabels(QCPPainter& painter, const ChartScene& scene, std::vector<QRectF>& taken)
{
    constexpr std::size_t mostNamed = 12;
    const QFontMetricsF metrics(painter.font());
    const QRectF room = QRectF(scene.keyAxis->parentPlot()->viewport()).adjusted(4, 4, -4, -4);
    const QRectF area = scene.plotArea();
    for (int s = 0; s < int(scene.spec.series.size()); ++s)
        if (scene.spec.series[std::size_t(s)].kind == SeriesKind::Points)
            for (int i = 0; i < int(scene.spec.series[std::size_t(s)].points.size()); ++i) {
                const double r = scene.pointDiameter(s, i) / 2;
                taken.push_back(QRectF(scene.pointPixel({s, i}) - QPointF(r, r), QSizeF(2 * r, 2 * r)));
            }
    for (int s = 0; s < int(scene.spec.series.size()); ++s) {
        const Series& series = scene.spec.series[std::size_t(s)];
        if (series.kind != SeriesKind::Points || series.role == SeriesRole::Published ||
            series.points.size() > mostNamed)
            continue;
        for (int i = 0; i < int(series.points.size()); ++i) {
            QString text = QString::fromStdString(series.points[std::size_t(i)].label);
            if (text.isEmpty() && series.points.size() == 1)
                text = QString::fromStdString(series.label);
            const QPointF at = scene.pointPixel({s, i});
            if (text.isEmpty() || !area.contains(at))
                continue;
            const double r = scene.pointDiameter(s, i) / 2 + 4;
            const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
            const std::array<QPointF, 4> places{
                at + QPointF(r, -size.height() / 2), at + QPointF(-r - size.width(), -size.height() / 2),
                at + QPointF(-size.width() / 2, -r - size.height()), at + QPointF(-size.width() / 2, r)};
            for (const QPointF& place : places) {
                const QRectF rect(place, size);
                if (!room.contains(rect) ||
                    std::any_of(taken.begin(), taken.end(), [&](const QRectF& q) { return q.intersects(rect); }))
                    continue;
                taken.push_back(rect);
                painter.setPen(QPen(readable(seriesColour(series, scene.theme), scene.theme)));
                painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
                break;
            }
        }
    }
}

} // namespace

void LabelMark::draw(QCPPainter* painter)
{
    painter->setFont(styled(m_scene.font, TextStyle::Caption));
    std::vector<QRectF> taken;
    drawEndLabels(*painter, m_scene, taken);
    drawPointLabels(*painter, m_scene, taken);
}

} // namespace headroom::ui
