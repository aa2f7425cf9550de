// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/units/format.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/fonts.hpp"

#include <algorithm>
#include <vector>

namespace headroom::ui
{

namespace
{

constexpr int wrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;
constexpr double widestDetail = 320; // px; longer lines are no easier to read

void drawHoverLabel(QPainter& painter, const ChartScene& scene, QPointF at)
{
    const PointText text = pointText(scene.spec, *scene.hit);
    const QFont strong = styled(styled(scene.font, TextStyle::Caption), TextStyle::Strong);
    const QFont caption = styled(scene.font, TextStyle::Caption);
    const QFontMetricsF strongMetrics(strong);
    const QFontMetricsF metrics(caption);
    const QRectF room = QRectF(scene.keyAxis->parentPlot()->viewport()).adjusted(4, 4, -4, -4);
    // A run's source and differences are long: they wrap.
    const QSizeF most(std::min(room.width() - 16, widestDetail), room.height());
    const QSizeF detail = metrics.boundingRect({{}, most}, wrapped, text.detail).size();
    const QSizeF size(std::max(strongMetrics.horizontalAdvance(text.headline), detail.width()) + 16,
                      strongMetrics.height() + detail.height() + 10);
    QRectF box(at + QPointF(12, -12 - size.height()), size);
    if (box.right() > room.right())
        box.moveRight(at.x() - 12);
    if (box.top() < room.top())
        box.moveTop(at.y() + 12);
    box.moveLeft(std::clamp(box.left(), room.left(), std::max(room.left(), room.right() - box.width())));
    box = box.toAlignedRect();
    painter.setPen(QPen(mixed(scene.theme.border, scene.theme.muted, 0.5), 1));
    painter.setBrush(scene.theme.surface);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setFont(strong);
    painter.setPen(QPen(scene.theme.text));
    painter.drawText(box.topLeft() + QPointF(8, 5 + strongMetrics.ascent()), text.headline);
    painter.setFont(caption);
    painter.setPen(QPen(scene.theme.muted));
    painter.drawText(box.adjusted(8, 5 + strongMetrics.height(), -8, 0), wrapped, text.detail);
}

struct LineValue {
    QPointF at; ///< on the line
    QColor colour;
    QString text;
    double y = 0; ///< centre of the text
};

/// The values beside the hairline, each at its line, moved apart where lines run close; on a ground of their own.
void drawValues(QPainter& painter, const ChartScene& scene, std::vector<LineValue>& values)
{
    const QRectF area = scene.plotArea();
    painter.setFont(styled(scene.font, TextStyle::Caption));
    const QFontMetricsF metrics(painter.font());
    const double height = metrics.height() - 2;
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.at.y() < b.at.y(); });
    double limit = area.top() + height / 2;
    for (LineValue& value : values) {
        value.y = std::max(value.at.y(), limit);
        limit = value.y + height;
    }
    limit = area.bottom() - height / 2;
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
        value->y = std::min(value->y, limit);
        limit = value->y - height;
    }
    for (const LineValue& value : values) {
        const double width = metrics.horizontalAdvance(value.text) + 6;
        const bool left = value.at.x() + 8 + width > area.right();
        const QRectF box(value.at.x() + (left ? -8 - width : 8), value.y - height / 2, width, height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(scene.theme.surface);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(value.colour);
        painter.drawText(box, Qt::AlignCenter, value.text);
    }
}

/// The hairline and, on each line at the point nearest to it, a dot and the value.
void drawCrosshair(QPainter& painter, const ChartScene& scene)
{
    const QRectF area = scene.plotArea();
    const double x = scene.keyAxis->coordToPixel(*scene.crosshair);
    if (scene.layout.horizontal || scene.hasBars() || x < area.left() - 1 || x > area.right() + 1)
        return;
    painter.setPen(QPen(scene.theme.muted, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    std::vector<LineValue> values;
    for (int s = 0; s < int(scene.spec.series.size()); ++s) {
        const Series& series = scene.spec.series[std::size_t(s)];
        if (series.kind == SeriesKind::Points || series.kind == SeriesKind::Bar)
            continue;
        const auto nearest = std::find_if(series.points.begin(), series.points.end(),
                                          [&](const Point& p) { return p.x >= *scene.crosshair; });
        if (nearest == series.points.end())
            continue;
        const QPointF at = scene.pointPixel({s, int(nearest - series.points.begin())});
        painter.setPen(QPen(scene.theme.surface, 1));
        painter.setBrush(seriesColour(series, scene.theme));
        if (!area.adjusted(-1, -1, 1, 1).contains(at))
            continue;
        painter.drawEllipse(QPointF(x, at.y()), 3, 3);
        const bool empty = series.kind == SeriesKind::Area && nearest->y == 0;
        if (!empty && series.role != SeriesRole::Ideal)
            values.push_back({{x, at.y()},
                              readable(seriesColour(series, scene.theme), scene.theme),
                              QString::fromStdString(formatText(nearest->y, scene.spec.y.format)),
                              0});
    }
    if (!scene.hit) // there the label says it
        drawValues(painter, scene, values);
}

} // namespace

void drawHover(QPainter& painter, const ChartScene& scene)
{
    if (scene.crosshair)
        drawCrosshair(painter, scene);
    if (!scene.hit)
        return;
    const QPointF at = scene.pointPixel(*scene.hit);
    const QRectF room = scene.keyAxis->parentPlot()->viewport();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(scene.theme.text, 1.5));
    if (scene.hit->series < 0) {
        painter.drawRect(scene.cellRect(scene.hit->index));
    } else if (scene.spec.series[std::size_t(scene.hit->series)].kind == SeriesKind::Bar) {
        painter.drawRect(scene.barRect(scene.hit->series, scene.hit->index));
    } else if (room.contains(at)) {
        const bool points = scene.spec.series[std::size_t(scene.hit->series)].kind == SeriesKind::Points;
        const double radius = points ? scene.pointDiameter(scene.hit->series, scene.hit->index) / 2 + 2 : 4.5;
        painter.setPen(QPen(scene.theme.text, 1.5));
        if (!points)
            painter.setBrush(scene.theme.surface);
        painter.drawEllipse(at, radius, radius);
    }
    const QRectF area = scene.plotArea();
    drawHoverLabel(painter, scene,
                   {std::clamp(at.x(), area.left(), area.right()), std::clamp(at.y(), area.top(), area.bottom())});
}

} // namespace headroom::ui
