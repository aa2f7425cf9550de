// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/label_space.hpp"

#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

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
    QStringList lines;   ///< in the margin: `text`, broken where it is wider than the margin
    double height = 0;   ///< of `lines`
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
        EndLabel label{endLabel(series), seriesColour(series, scene.theme), at, false, at.y(), {}};
        if (i + 1 < int(series.points.size())) {
            const QPointF next = scene.pointPixel({s, i + 1});
            if (next.y() < area.top() || next.y() > area.bottom()) {
                const double border = next.y() < area.top() ? area.top() : area.bottom();
                const double share = (border - at.y()) / (next.y() - at.y());
                label.anchor = at + (next - at) * std::clamp(share, 0.0, 1.0);
            }
        }
        label.inside = label.anchor.x() < area.right() - 12;
        label.y = label.anchor.y();
        return label;
    }
    return std::nullopt;
}

/// A layer is named at its middle where it reaches the right edge, else where its top leaves the plot.
std::optional<EndLabel> layerEnd(const ChartScene& scene, int s)
{
    const Series& series = scene.spec.series[std::size_t(s)];
    const QRectF area = scene.plotArea();
    const int last = int(series.points.size()) - 1;
    if (std::none_of(series.points.begin(), series.points.end(), [](const Point& p) { return p.y > 0; }))
        return std::nullopt;
    const double under = scene.stackedY(s, last) - series.points.back().y;
    const double top = std::max(scene.pointPixel({s, last}).y(), area.top());
    const double bottom = std::min(scene.valueAxis->coordToPixel(std::max(under, scene.spec.y.minimum)), area.bottom());
    if (bottom < area.top())
        return lineEnd(scene, s);
    const double middle = (top + bottom) / 2;
    return EndLabel{endLabel(series), seriesColour(series, scene.theme), {area.right(), middle}, false, middle, {}};
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
        if (const auto end = series.kind == SeriesKind::Area ? layerEnd(scene, s) : lineEnd(scene, s))
            labels.push_back(*end);
    }
    if (scene.layout.horizontal)
        return labels;
    for (const Guide& guide : scene.spec.guides) {
        const bool band = guide.kind == GuideKind::HorizontalBand;
        if ((guide.kind != GuideKind::Horizontal && !band) || guide.label.empty())
            continue;
        const double y = scene.valueAxis->coordToPixel(guide.y);
        const double middle = band ? (y + scene.valueAxis->coordToPixel(guide.y2)) / 2 : y;
        if (middle > area.top() - 2 && middle < area.bottom() + 2)
            labels.push_back({QString::fromStdString(guide.label),
                              guideColour(guide, scene.spec, scene.theme),
                              {area.right(), middle},
                              false,
                              middle,
                              {}});
    }
    return labels;
}

/// Moves labels of one column apart, staying within top…bottom, order kept.
void nudgeApart(std::vector<EndLabel*>& column, double top, double bottom)
{
    std::stable_sort(column.begin(), column.end(), [](auto* a, auto* b) { return a->y < b->y; });
    for (EndLabel* label : column) {
        label->y = std::max(label->y, top + label->height / 2);
        top = label->y + label->height / 2;
    }
    for (auto it = column.rbegin(); it != column.rend(); ++it) {
        (*it)->y = std::min((*it)->y, bottom - (*it)->height / 2);
        bottom = (*it)->y - (*it)->height / 2;
    }
}

/// A large point at the plot's edge reaches into the margin: the name moves beyond it where there is room.
QRectF clearOfPoints(const LabelSpace& space, const QRectF& rect)
{
    constexpr int farthest = 20; // px
    for (int moved = 0; moved < farthest; ++moved)
        if (const QRectF clear = rect.translated(moved, 0);
            space.isFree(clear.adjusted(0, 1, 0, -1))) // names may touch
            return clear;
    return rect;
}

void drawInside(QCPPainter& painter, const ChartScene& scene, LabelSpace& space, const EndLabel& label,
                const std::vector<QPointF>& otherEnds)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF area = scene.plotArea();
    const QSizeF size(metrics.horizontalAdvance(label.text) + 4, metrics.height());
    if (area.height() < size.height())
        return;
    const QPointF anchor(label.anchor.x(), std::clamp(label.anchor.y(), area.top() + size.height() / 2,
                                                      area.bottom() - size.height() / 2));
    QRectF rect(anchor + QPointF(8, -size.height() / 2), size);
    if (const auto free = space.beside(anchor, size, 8, LabelSpace::OverLines::IfNeedBe, otherEnds))
        rect = *free;
    for (int tries = 0; tries < 8 && !space.isFree(rect); ++tries)
        rect.translate(0, size.height());
    if (!space.isFree(rect))
        return;
    space.place(rect, label.text);
    painter.fillRect(rect, scene.theme.surface);
    painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, label.text);
}

} // namespace

void drawMarginLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF area = scene.plotArea();
    std::vector<EndLabel> labels = collect(scene);
    const double room =
        std::max(scene.keyAxis->parentPlot()->viewport().right() - area.right() - cardPadding - 2, 24.0);
    constexpr int mostLines = 2;
    std::vector<EndLabel*> margin;
    for (EndLabel& label : labels) {
        if (label.inside)
            continue;
        const bool fits = metrics.horizontalAdvance(label.text) <= room;
        label.lines = fits ? QStringList(label.text) : wrapped(label.text, painter.font(), room, mostLines);
        label.height = metrics.height() * double(label.lines.size());
        margin.push_back(&label);
    }
    nudgeApart(margin, area.top() - metrics.height() / 2, area.bottom() + metrics.height() / 2);
    for (const EndLabel* label : margin) {
        double width = 0;
        for (const QString& line : label->lines)
            width = std::max(width, metrics.horizontalAdvance(line));
        const QRectF beside(area.right() + 7, label->y - label->height / 2, width, label->height);
        const QRectF rect = clearOfPoints(space, beside);
        painter.setPen(QPen(readable(label->colour, scene.theme)));
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label->lines.join(u'\n'));
        space.place(rect, label->lines.join(u' '));
        if (std::abs(label->y - label->anchor.y()) > 4) { // shows which line a moved label names
            painter.setPen(QPen(mixed(scene.theme.surface, label->colour, 0.6), 1));
            painter.drawLine(QPointF(area.right() + 1, label->anchor.y()), QPointF(area.right() + 5, label->y));
        }
    }
}

void drawInsideLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space)
{
    const std::vector<EndLabel> labels = collect(scene);
    for (const EndLabel& label : labels) {
        if (!label.inside)
            continue;
        std::vector<QPointF> otherEnds;
        for (const EndLabel& other : labels)
            if (&other != &label)
                otherEnds.push_back(other.anchor);
        painter.setPen(QPen(readable(label.colour, scene.theme)));
        drawInside(painter, scene, space, label, otherEnds);
    }
}

} // namespace headroom::ui
