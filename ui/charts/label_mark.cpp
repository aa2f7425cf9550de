// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/pin_marks.hpp"
#include "ui/charts/chart_layout.hpp"
#include "ui/charts/chart_mark.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/charts/infeasible_zones.hpp"
#include "ui/charts/label_space.hpp"
#include "ui/theme/fonts.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace headroom::ui
{

namespace
{

constexpr double barGap = 5; // px between a bar and its value

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

/// At the end of the bar where its value is; lying bars keep clear of the pins' marks on their row.
QRectF barLabelRect(const ChartScene& scene, const Point& point, const QRectF& bar, QSizeF size,
                    const LabelSpace& space)
{
    const bool down = point.y < point.base.value_or(0);
    if (!scene.layout.horizontal) {
        const double y = down && !point.base ? bar.bottom() + 1 : bar.top() - 1 - size.height();
        return {QPointF(bar.center().x() - size.width() / 2, y), size};
    }
    const double top = bar.center().y() - size.height() / 2;
    const QRectF left(QPointF(bar.left() - barGap - size.width(), top), size);
    if (down && left.left() > scene.plotArea().left() + 2 && space.isFree(left))
        return left;
    QRectF right(QPointF(bar.right() + barGap, top), size);
    // Clear of a run's circle: "○42" is read as one word.
    const auto clear = [&space](const QRectF& rect) { return space.isFree(rect.adjusted(1 - barGap, 0, 0, 0)); };
    for (int tries = 0; tries < 40 && !clear(right); ++tries)
        right.translate(3, 0);
    return space.isFree(right) ? right : QRectF(QPointF(bar.right() + barGap, top), size);
}

/// Text on the surface's colour, so that it reads over lines.
void drawPlate(QCPPainter& painter, const ChartScene& scene, const QRectF& rect, const QString& text,
               const QColor& colour)
{
    painter.fillRect(rect, scene.theme.surface);
    painter.setPen(QPen(readable(colour, scene.theme)));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
}

void drawLineLabel(QCPPainter& painter, const ChartScene& scene, LabelSpace& space, double at, const Guide& guide)
{
    const QFontMetricsF metrics(painter.font());
    const QString text = QString::fromStdString(guide.label);
    const QRectF area = scene.plotArea();
    QRectF rect(QPointF(at + 3, area.top() - 1), QSizeF(metrics.horizontalAdvance(text) + 4, metrics.height()));
    if (scene.layout.horizontal) // above the bars, and not into the margin, which their names fill
        rect.moveTo(std::max(at - rect.width() / 2, area.left()), area.top() - rect.height() - 1);
    if (rect.right() > scene.keyAxis->parentPlot()->viewport().right() - 6)
        rect.moveRight(scene.layout.horizontal ? scene.keyAxis->parentPlot()->viewport().right() - 6 : at - 3);
    std::optional<QRectF> place;
    if (scene.layout.horizontal) { // beside another line's name: below it lie the bars
        constexpr double step = 3;
        const double right = scene.keyAxis->parentPlot()->viewport().right() - 6;
        for (double away = 0; away <= 2 * rect.width() && !place; away += step)
            for (const double to : {rect.left() - away, rect.left() + away})
                if (const QRectF moved(QPointF(to, rect.top()), rect.size());
                    !place && to >= area.left() && moved.right() <= right && space.isFree(moved))
                    place = moved;
    }
    // Off the other lines, a roof say; the own one is as near as isOffLines() sees.
    const auto offLines = [&](const QRectF& r) {
        return scene.layout.horizontal || space.isOffLines(r.adjusted(1, 0, -1, 0));
    };
    for (int tries = 0; tries <= 6 && !(place && offLines(*place)); ++tries, rect.translate(0, metrics.height()))
        if (space.isFree(rect) && (!place || offLines(rect)))
            place = rect;
    if (!place)
        return;
    rect = *place;
    space.place(rect, text);
    drawPlate(painter, scene, rect, text, guideColour(guide, scene.spec, scene.theme));
}

/// Whether the point shows its name: not where a larger point covers it. Hovering shows both.
bool isNamed(const ChartScene& scene, int s, int index)
{
    const Series& series = scene.spec.series[std::size_t(s)];
    for (const int other : bySize(series)) {
        if (other == index)
            return false;
        const QPointF apart = scene.pointPixel({s, other}) - scene.pointPixel({s, index});
        if (std::hypot(apart.x(), apart.y()) < scene.pointDiameter(s, other) / 2)
            return true;
    }
    return false;
}

/// A guide of lying bars runs upright through `rect`, as a pin's does.
bool crossesGuide(const ChartScene& scene, const QRectF& rect)
{
    return scene.layout.horizontal &&
           std::any_of(scene.spec.guides.begin(), scene.spec.guides.end(), [&](const Guide& guide) {
               const double at = scene.valueAxis->coordToPixel(guide.y);
               return guide.kind == GuideKind::Horizontal && at > rect.left() && at < rect.right();
           });
}

} // namespace

void drawBarLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space)
{
    const QFontMetricsF metrics(painter.font());
    for (int s = 0; s < int(scene.spec.series.size()); ++s) {
        const Series& series = scene.spec.series[std::size_t(s)];
        if (series.kind != SeriesKind::Bar)
            continue;
        for (int i = 0; i < int(series.points.size()); ++i) {
            const Point& point = series.points[std::size_t(i)];
            const QRectF bar = scene.barRect(s, i);
            const QString text = barLabel(scene.spec, point, scene.layout.briefBars);
            // Figures have no descenders: in low rows those above and below leave them their place.
            const double high =
                scene.layout.horizontal ? std::min(metrics.height(), metrics.capHeight() + 2) : metrics.height();
            const QSizeF size(metrics.horizontalAdvance(text), high);
            const bool inside = continues(scene.spec, point);
            const QRectF rect = inside ? QRectF(bar.center() - QPointF(size.width(), size.height()) / 2, size)
                                       : barLabelRect(scene, point, bar, size, space);
            // What does not fit is told by hover and table.
            if ((inside && (size.width() + 6 > bar.width() || size.height() > bar.height())) || !space.isFree(rect))
                continue;
            space.place(rect, text);
            if (!inside && crossesGuide(scene, rect))
                painter.fillRect(rect, scene.theme.surface);
            painter.setPen(QPen(inside ? textOn(seriesColour(series, scene.theme), scene.theme) : scene.theme.text));
            painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
        }
    }
}

void drawGuideLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space)
{
    const QFontMetricsF metrics(painter.font());
    const QRectF area = scene.plotArea();
    for (const Guide& guide : scene.spec.guides) {
        const bool vertical = guide.kind == GuideKind::Vertical && !scene.layout.horizontal;
        const bool lying = guide.kind == GuideKind::Horizontal && scene.layout.horizontal;
        if (guide.label.empty() || !(vertical || lying))
            continue;
        const double at = vertical ? scene.keyAxis->coordToPixel(guide.x) : scene.valueAxis->coordToPixel(guide.y);
        if (at >= area.left() - 1 && at <= area.right() + 2)
            drawLineLabel(painter, scene, space, at, guide);
    }
    if (scene.spec.heatMap)
        return; // the cell is marked, its value is in the reading and under the pointer
    for (const Guide& guide : scene.spec.guides) {
        const QPointF at = scene.toPixel(guide.x, guide.y);
        const QString text = QString::fromStdString(guide.label);
        if (guide.kind != GuideKind::OperatingPoint || text.isEmpty() || !area.adjusted(-2, -2, 2, 2).contains(at) ||
            (pinLetter(guide.role) != 0 && text.size() == 1)) // the letter stands in the mark
            continue;
        const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
        if (const auto free = space.beside(at, size, 9, LabelSpace::OverLines::IfNeedBe)) {
            space.place(*free, text);
            drawPlate(painter, scene, *free, text, scene.theme.text);
        }
    }
}

namespace
{

/// The reader's own measurements are named first: where there is room for one name only, it is theirs.
std::vector<int> labelOrder(const ChartSpec& spec)
{
    std::vector<int> order(spec.series.size());
    std::iota(order.begin(), order.end(), 0);
    const auto role = [&](int series) { return spec.series[std::size_t(series)].role; };
    std::stable_partition(order.begin(), order.end(), [&](int s) { return role(s) == SeriesRole::Own; });
    std::stable_partition(order.begin(), order.end(), [&](int s) { return role(s) == SeriesRole::Measured; });
    return order;
}

} // namespace

void drawZoneLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space)
{
    constexpr double margin = 6, stride = 4; // px
    const QFontMetricsF metrics(painter.font());
    const QString text = QCoreApplication::translate("headroom::ui::ChartView", "does not fit");
    const QSizeF size(metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
    for (const QRectF& zone : infeasibleZones(scene)) {
        if (zone.width() < size.width() + 4)
            continue;
        QRectF rect(QPointF(zone.center().x() - size.width() / 2, zone.bottom() - size.height() - margin), size);
        while (rect.top() > zone.top() + margin && !(space.isFree(rect) && space.isOffLines(rect)))
            rect.translate(0, -stride);
        if (!space.isFree(rect) || !space.isOffLines(rect))
            continue; // hatching says it too, and so do hover and table
        space.place(rect, text);
        drawPlate(painter, scene, rect, text, scene.theme.muted);
    }
}

void drawPointLabels(QCPPainter& painter, const ChartScene& scene, LabelSpace& space)
{
    constexpr std::size_t mostNamed = 12;
    const QFontMetricsF metrics(painter.font());
    const QRectF area = scene.plotArea();
    for (const int s : labelOrder(scene.spec)) {
        const Series& series = scene.spec.series[std::size_t(s)];
        // Runs tell their names on hover, and the nearest says what the marks are; pinned points carry their letter.
        const bool runs = series.role == SeriesRole::Published || series.role == SeriesRole::Own;
        if (series.kind != SeriesKind::Points || pinLetter(series.role) != 0 ||
            (!runs && series.points.size() > mostNamed))
            continue;
        const bool measured = series.role == SeriesRole::Measured;
        for (const int i : bySize(series)) {
            QString text = QString::fromStdString(runs ? std::string() : series.points[std::size_t(i)].label);
            if (runs && i == 0 && !scene.hasBars()) // a bar has its own value there
                text = QString::fromStdString(series.label);
            if (!runs && text.isEmpty() && series.points.size() == 1)
                text = QString::fromStdString(series.label);
            const QPointF at = scene.pointPixel({s, i});
            if (text.isEmpty() || !area.contains(at) || isNamed(scene, s, i))
                continue;
            const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
            const double gap = scene.pointDiameter(s, i) / 2 + 4;
            auto rect = space.beside(at, size, gap, LabelSpace::OverLines::Never);
            // A measurement is named in any case: farther off, else on a plate where a line runs.
            if (!rect && measured)
                rect = space.beside(at, size, 2.5 * gap, LabelSpace::OverLines::Never);
            if (!rect && measured)
                rect = space.beside(at, size, gap, LabelSpace::OverLines::IfNeedBe);
            if (!rect)
                continue;
            space.place(*rect, text);
            if (measured)
                painter.fillRect(*rect, scene.theme.surface);
            painter.setPen(QPen(readable(seriesColour(series, scene.theme), scene.theme)));
            painter.drawText(*rect, Qt::AlignCenter | Qt::TextDontClip, text);
        }
    }
}

namespace
{

void avoidGuide(const ChartScene& scene, LabelSpace& space, const Guide& guide)
{
    const QRectF area = scene.plotArea();
    const QPointF at = scene.toPixel(guide.x, guide.y);
    if (guide.kind == GuideKind::OperatingPoint && area.adjusted(-2, -2, 2, 2).contains(at)) {
        constexpr double radius = 5;
        space.take(QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)));
        if (guide.role == SeriesRole::Current)
            space.avoid(at, {at.x(), area.bottom()}); // its hairline
    }
    if (guide.kind == GuideKind::Vertical && !scene.layout.horizontal)
        space.avoid({at.x(), area.top()}, {at.x(), area.bottom()});
    if (guide.kind == GuideKind::Horizontal && !scene.layout.horizontal)
        space.avoid({area.left(), at.y()}, {area.right(), at.y()});
}

} // namespace

/// The axis draws the names beside lying bars; they are labels like the others.
void LabelMark::addCategories()
{
    if (!m_scene.layout.horizontal)
        return;
    const QFontMetricsF metrics(m_scene.layout.keyFont);
    for (const Tick& tick : m_scene.layout.keyTicks) {
        const QStringList lines = QString::fromStdString(tick.label).split(u'\n');
        double width = 0;
        for (const QString& line : lines)
            width = std::max(width, metrics.horizontalAdvance(line));
        const double height = metrics.height() * (double(lines.size()) - 1 + inkShare);
        const double y = m_scene.keyAxis->coordToPixel(tick.position) - height / 2;
        if (!tick.label.empty())
            m_placed.push_back(
                {QRectF(m_scene.plotArea().left() - 6 - width, y, width, height), lines.join(u' '), true});
    }
}

void LabelMark::draw(QCPPainter* painter)
{
    painter->setFont(styled(m_scene.font, TextStyle::Caption));
    LabelSpace space(parentPlot()->viewport());
    const QRectF area = m_scene.plotArea(), card = parentPlot()->viewport();
    // Ticks and names of the axes. The names of lying bars may have two lines and begin above the first bar.
    const double above = m_scene.layout.horizontal ? QFontMetricsF(painter->font()).height() : 0;
    space.take({QPointF(card.left(), area.top() - above), QPointF(area.left() - 1, card.bottom())});
    space.take({QPointF(card.left(), area.bottom() + 5), QPointF(area.right(), card.bottom())});
    if (!m_scene.layout.horizontal)
        space.avoid(area.bottomLeft(), area.bottomRight()); // the axis itself
    const QFontMetricsF metrics(painter->font());
    space.take(
        {QPointF(card.left(), area.top() - 2 * metrics.height()), // the unit above the y axis
         QPointF(card.left() + cardPadding + metrics.horizontalAdvance(m_scene.layout.unit) + 4, area.top() - 2)});
    const auto takeCircle = [&space](QPointF at, double radius) {
        space.take(QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)));
    };
    for (int s = 0; s < int(m_scene.spec.series.size()); ++s)
        if (m_scene.spec.series[std::size_t(s)].kind == SeriesKind::Points)
            for (int i = 0; i < int(m_scene.spec.series[std::size_t(s)].points.size()); ++i)
                takeCircle(m_scene.pointPixel({s, i}), m_scene.pointDiameter(s, i) / 2 + 2);
    for (const Guide& guide : m_scene.spec.guides)
        avoidGuide(m_scene, space, guide);
    for (int s = 0; s < int(m_scene.spec.series.size()); ++s) {
        const Series& series = m_scene.spec.series[std::size_t(s)];
        if (series.kind == SeriesKind::Bar || series.kind == SeriesKind::Points || series.points.empty())
            continue;
        constexpr double nearby = 4; // px; a label is larger
        const int last = int(series.points.size()) - 1;
        QPointF from = m_scene.pointPixel({s, 0});
        for (int i = 1; i <= last; ++i) {
            const QPointF to = m_scene.pointPixel({s, i});
            if (i < last && (to - from).manhattanLength() < nearby)
                continue;
            const QPointF corner = series.kind == SeriesKind::StepLine ? QPointF(to.x(), from.y()) : from;
            if (area.contains(from) || area.contains(to)) {
                space.avoid(from, corner);
                space.avoid(corner, to);
            }
            from = to;
        }
    }
    drawMarginLabels(*painter, m_scene, space);
    drawBarLabels(*painter, m_scene, space);
    drawGuideLabels(*painter, m_scene, space);
    drawInsideLabels(*painter, m_scene, space);
    drawZoneLabels(*painter, m_scene, space);
    drawPointLabels(*painter, m_scene, space);
    m_placed = space.placed();
    addCategories();
}

} // namespace headroom::ui
