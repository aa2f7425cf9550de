// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_style.hpp"

#include "core/charts/pin_marks.hpp"

#include <QPainter>
#include <algorithm>
#include <numeric>

namespace headroom::ui
{

namespace
{

// Lengths in multiples of the pen width.
QList<qreal> dashed()
{
    return {5, 4};
}

QList<qreal> dashDotted()
{
    return {7, 2, 1.5, 2};
}

QList<qreal> shortDashes()
{
    return {4, 2.5};
}

QList<qreal> dotted()
{
    return {1, 3};
}

/// Where colour cannot tell slots apart, the dash does.
QList<qreal> slotDashes(int slot)
{
    switch (slot % 6) {
    case 1:
        return {7, 3};
    case 2:
        return {2, 2};
    case 3:
        return {7, 2, 2, 2};
    case 4:
        return {12, 3};
    case 5:
        return {7, 2, 2, 2, 2, 2};
    default:
        return {};
    }
}

QPen makePen(const QColor& colour, double width, const QList<qreal>& dashes)
{
    // Joins of a smooth line are smaller than a pixel: round ones would cost more than the line.
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    return pen;
}

} // namespace

std::vector<int> bySize(const Series& series)
{
    std::vector<int> order(series.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&series](int a, int b) {
        return series.points[std::size_t(a)].size > series.points[std::size_t(b)].size;
    });
    return order;
}

QColor seriesColour(const Series& series, const Theme& theme)
{
    switch (series.role) {
    case SeriesRole::Ideal:
        return theme.muted;
    case SeriesRole::Limit:
        return theme.danger;
    case SeriesRole::Target:
        return theme.good;
    case SeriesRole::Measured:
    case SeriesRole::Own:
        return theme.danger;
    default:
        return theme.slot(series.slot);
    }
}

namespace
{

QPen linePen(const Series& series, const Theme& theme, double lineScale)
{
    const QColor colour = seriesColour(series, theme);
    const bool byDash = theme.isHighContrast();
    if (series.kind == SeriesKind::Area) // the fill carries it; thick edges would merge in thin layers
        return makePen(colour, 1.25 * lineScale, {});
    switch (series.role) {
    case SeriesRole::Current:
    case SeriesRole::Roof:
        return makePen(colour, 2 * lineScale, byDash ? slotDashes(series.slot) : QList<qreal>{});
    case SeriesRole::Ideal:
        return makePen(colour, lineScale, dashed());
    case SeriesRole::Limit:
    case SeriesRole::Target:
        return makePen(colour, lineScale, {7, 3});
    case SeriesRole::PinA:
    case SeriesRole::PinB:
    case SeriesRole::PinC:
        return makePen(colour, 1.5 * lineScale, shortDashes());
    case SeriesRole::Tertiary: // a relative of a line whose colour it has
        return makePen(colour, 1.5 * lineScale, dashDotted());
    case SeriesRole::Secondary:
    case SeriesRole::Published:
    case SeriesRole::Measured:
    case SeriesRole::Own:
        break;
    }
    return makePen(colour, 1.5 * lineScale, byDash ? slotDashes(series.slot) : QList<qreal>{});
}

} // namespace

QPen seriesPen(const Series& series, const Theme& theme, double lineScale)
{
    QPen pen = linePen(series, theme, lineScale);
    if (series.kind == SeriesKind::StepLine)
        pen.setJoinStyle(Qt::MiterJoin); // its corners are right angles
    return pen;
}

QColor fillColour(const Series& series, const Theme& theme)
{
    if (theme.isHighContrast()) // greys by slot, since the slots share two colours
        return mixed(theme.surface, theme.text, 0.10 + 0.09 * (series.slot % 6));
    return theme.tint(seriesColour(series, theme));
}

QColor guideColour(const Guide& guide, const ChartSpec& spec, const Theme& theme)
{
    switch (guide.role) {
    case SeriesRole::Current:
        return theme.accent;
    case SeriesRole::Measured:
    case SeriesRole::Limit:
        return theme.danger;
    case SeriesRole::Target:
        return theme.good;
    case SeriesRole::Published:
        return theme.warning;
    default:
        break;
    }
    for (const Series& series : spec.series)
        if (pinLetter(guide.role) != 0 && series.role == guide.role)
            return seriesColour(series, theme);
    // A chart may show a pin as a mark alone: it has the colour that its lines have elsewhere.
    return pinLetter(guide.role) != 0 ? theme.slot(pinLetter(guide.role) - 'A' + 1) : theme.muted;
}

QPen guidePen(const Guide& guide, const ChartSpec& spec, const Theme& theme, double lineScale)
{
    const bool current = guide.role == SeriesRole::Current;
    return makePen(guideColour(guide, spec, theme), current ? lineScale : 1.25 * lineScale,
                   current ? dotted() : shortDashes());
}

QColor readable(const QColor& colour, const Theme& theme)
{
    constexpr double textContrast = 4.5; // WCAG 2.1 AA
    for (double amount = 0; amount < 1; amount += 0.1) {
        const QColor candidate = mixed(colour, theme.text, amount);
        if (contrastRatio(candidate, theme.surface) >= textContrast)
            return candidate;
    }
    return theme.text;
}

QColor textOn(const QColor& fill, const Theme& theme)
{
    const QColor ink = theme.isDark() ? theme.window : theme.text;
    const QColor paper = theme.isDark() ? theme.text : theme.surface;
    return contrastRatio(ink, fill) > contrastRatio(paper, fill) ? ink : paper;
}

void drawDisc(QPainter& painter, QPointF centre, double radius, const QColor& fill, double width, const QColor& border)
{
    painter.setPen(Qt::NoPen);
    if (width > 0) {
        painter.setBrush(border);
        painter.drawEllipse(centre, radius + width, radius + width);
    }
    painter.setBrush(fill);
    painter.drawEllipse(centre, radius, radius);
}

void drawPinLetter(QPainter& painter, QPointF centre, char letter, const QColor& fill, const Theme& theme,
                   const QFont& font)
{
    QFont small = font;
    small.setPixelSize(10);
    small.setWeight(QFont::Bold);
    painter.setFont(small);
    painter.setPen(textOn(fill, theme));
    painter.drawText(QRectF(centre - QPointF(8, 8), QSizeF(16, 16)), Qt::AlignCenter,
                     QString(QChar::fromLatin1(letter)));
}

void drawHatch(QPainter& painter, const QRectF& area, const QColor& colour)
{
    if (area.width() < 1 || area.height() < 1)
        return;
    constexpr double spacing = 7;
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip); // the strokes' own width
    painter.setPen(QPen(colour, 1));
    // Anchored to the origin, so that neighbouring areas hatch as one. Cut to the area, for SVG knows no clip.
    const double start = std::floor((area.left() + area.top()) / spacing) * spacing;
    QVector<QLineF> lines;
    for (double sum = start; sum < area.right() + area.bottom(); sum += spacing) {
        const double left = std::max(area.left(), sum - area.bottom());
        const double right = std::min(area.right(), sum - area.top());
        if (left < right)
            lines.push_back({left, sum - left, right, sum - right});
    }
    painter.drawLines(lines);
    painter.restore();
}

} // namespace headroom::ui
