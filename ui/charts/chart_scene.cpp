// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_scene.hpp"

#include "core/charts/pin_marks.hpp"
#include "core/units/format.hpp"
#include "ui/charts/chart_style.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace headroom::ui
{

namespace
{

/// Edges of a cell: half-way to its neighbours, in the axis' own scale.
std::pair<double, double> cellEdges(const std::vector<double>& centres, std::size_t i, AxisScale scale)
{
    const bool log = scale == AxisScale::Log;
    const auto in = [log](double v) { return log ? std::log(v) : v; };
    const auto out = [log](double v) { return log ? std::exp(v) : v; };
    if (centres.size() < 2)
        return log ? std::pair(centres[i] / 2, centres[i] * 2) : std::pair(centres[i] - 0.5, centres[i] + 0.5);
    const double here = in(centres[i]);
    const double before = i > 0 ? in(centres[i - 1]) : 2 * here - in(centres[i + 1]);
    const double after = i + 1 < centres.size() ? in(centres[i + 1]) : 2 * here - in(centres[i - 1]);
    return {out((before + here) / 2), out((here + after) / 2)};
}

} // namespace

QPointF ChartScene::toPixel(double x, double y) const
{
    const double key = keyAxis->coordToPixel(x);
    const double value = valueAxis->coordToPixel(y);
    return layout.horizontal ? QPointF(value, key) : QPointF(key, value);
}

QRect ChartScene::plotArea() const
{
    const QRect rect = keyAxis->axisRect()->rect();
    // Margins wider than the card would turn it inside out.
    return {rect.topLeft(), rect.size().expandedTo({0, 0})};
}

bool ChartScene::hasBars() const
{
    return std::any_of(spec.series.begin(), spec.series.end(),
                       [](const Series& s) { return s.kind == SeriesKind::Bar; });
}

double ChartScene::stackedY(int series, int index) const
{
    const Series& top = spec.series[std::size_t(series)];
    double y = top.points[std::size_t(index)].y;
    if (top.kind != SeriesKind::Area)
        return y;
    for (int i = 0; i < series; ++i) {
        const Series& below = spec.series[std::size_t(i)];
        if (below.kind == SeriesKind::Area && std::size_t(index) < below.points.size())
            y += below.points[std::size_t(index)].y;
    }
    return y;
}

QPointF ChartScene::pointPixel(const ChartHit& h) const
{
    if (h.series < 0)
        return cellRect(h.index).center();
    const Series& series = spec.series[std::size_t(h.series)];
    if (series.kind == SeriesKind::Bar) {
        const QRectF bar = barRect(h.series, h.index);
        return layout.horizontal ? QPointF(bar.right(), bar.center().y()) : QPointF(bar.center().x(), bar.top());
    }
    return toPixel(series.points[std::size_t(h.index)].x, stackedY(h.series, h.index));
}

QRectF ChartScene::barRect(int series, int index) const
{
    // Series without a base stand side by side; floating and stacked ones share the category.
    int groups = 0;
    int place = 0;
    const auto floats = [](const Series& s) {
        return std::any_of(s.points.begin(), s.points.end(), [](const Point& p) { return p.base.has_value(); });
    };
    bool anyFloats = false;
    bool sharedCategory = false;
    for (int i = 0; i < int(spec.series.size()); ++i) {
        const Series& s = spec.series[std::size_t(i)];
        if (s.kind != SeriesKind::Bar)
            continue;
        anyFloats = anyFloats || floats(s);
        place += i < series ? 1 : 0;
        ++groups;
        for (int j = 0; j < i; ++j) {
            const Series& other = spec.series[std::size_t(j)];
            if (other.kind != SeriesKind::Bar)
                continue;
            for (const Point& p : s.points)
                sharedCategory = sharedCategory || std::any_of(other.points.begin(), other.points.end(),
                                                               [&p](const Point& o) { return o.x == p.x; });
        }
    }
    if (anyFloats || !sharedCategory) {
        groups = 1;
        place = 0;
    }
    const Point& point = spec.series[std::size_t(series)].points[std::size_t(index)];
    const double base = point.base.value_or(spec.y.scale == AxisScale::Log ? spec.y.minimum : 0.0);
    const double slot = std::abs(keyAxis->coordToPixel(point.x + 0.5) - keyAxis->coordToPixel(point.x - 0.5));
    const double whole = std::min(slot * 0.66, (layout.horizontal ? 30.0 : 64.0) * groups);
    const double width = whole / groups;
    const double key = keyAxis->coordToPixel(point.x) - whole / 2 + width * place;
    const QRect area = plotArea();
    const auto clamp = [&](double v) {
        const double pixel = valueAxis->coordToPixel(v);
        return layout.horizontal ? std::clamp(pixel, double(area.left()), area.right() + 1.0)
                                 : std::clamp(pixel, double(area.top()), area.bottom() + 1.0);
    };
    const double from = clamp(base);
    const double to = clamp(point.y);
    const double gap = groups > 1 ? 1 : 0;
    if (layout.horizontal)
        return {std::min(from, to), key, std::abs(to - from), width - gap};
    return {key, std::min(from, to), width - gap, std::abs(to - from)};
}

QString barLabel(const ChartSpec& spec, const Point& bar, bool brief)
{
    const QString label = QString::fromStdString(bar.label);
    if (!label.isEmpty() && label != keyText(spec.x, bar.x))
        return brief ? label.section(QStringLiteral(" · "), 0, 0) : label;
    return QString::fromStdString(axisText(bar.y - bar.base.value_or(0), spec.y));
}

double ChartScene::pointDiameter(int series, int index) const
{
    const Series& s = spec.series[std::size_t(series)];
    if (isRun(s.role))
        return 7 * lineScale;
    if (pinLetter(s.role) != 0)
        return pinMarkDiameter * lineScale;
    const bool sized = std::any_of(s.points.begin(), s.points.end(), [](const Point& p) { return p.size != 1; });
    if (!sized)
        return 8 * lineScale;
    constexpr double largest = 26; // px; area, not diameter, is proportional to size
    const double size = std::clamp(s.points[std::size_t(index)].size, 0.0, 1.0);
    return std::max(5.0, largest * std::sqrt(size)) * lineScale;
}

QRectF ChartScene::cellRect(int cell) const
{
    const HeatMap& map = *spec.heatMap;
    const std::size_t columns = map.x.size();
    const auto [left, right] = cellEdges(map.x, std::size_t(cell) % columns, spec.x.scale);
    const auto [low, high] = cellEdges(map.y, std::size_t(cell) / columns, spec.y.scale);
    return QRectF(toPixel(left, high), toPixel(right, low)).normalized().intersected(QRectF(plotArea()));
}

QString keyText(const Axis& axis, double x)
{
    for (const Tick& tick : axis.ticks)
        if (std::abs(tick.position - x) <= 1e-9 * std::max(1.0, std::abs(x)))
            return QString::fromStdString(tick.label).simplified();
    return QString::fromStdString(formatText(x, axis.format));
}

QString PointText::spoken() const
{
    return detail.isEmpty() ? headline
                            : QString(detail).replace(u'\n', QStringLiteral(", ")) + QStringLiteral(", ") + headline;
}

namespace
{

/// The other points at the same place: they have no room for a name of their own.
QString companions(const Series& series, const Point& point)
{
    constexpr double near = 0.1; // of the value, a dot's size on axes over some decades
    const auto same = [](double a, double b) { return std::abs(a - b) <= near * std::max(std::abs(a), std::abs(b)); };
    QStringList names;
    if (series.kind == SeriesKind::Points && series.role == SeriesRole::Secondary)
        for (const Point& other : series.points)
            if (&other != &point && !other.label.empty() && same(other.x, point.x) && same(other.y, point.y))
                names << QString::fromStdString(other.label);
    return names.isEmpty()
               ? QString()
               : QCoreApplication::translate("ChartView", "; here too: %1").arg(names.join(QStringLiteral(", ")));
}

} // namespace

PointText pointText(const ChartSpec& spec, const ChartHit& hit)
{
    const QChar space = u' ';
    const auto named = [&](const Axis& axis, double value) {
        const QString text = keyText(axis, value);
        return axis.label.empty() ? text : QString(QString::fromStdString(axis.label) + space + text);
    };
    if (hit.series < 0) {
        const HeatMap& map = *spec.heatMap;
        const std::size_t columns = map.x.size();
        const auto cell = std::size_t(hit.index);
        const std::size_t code = cell < map.infeasible.size() ? map.infeasible[cell] : 0;
        const QString place =
            named(spec.x, map.x[cell % columns]) + QStringLiteral(", ") + named(spec.y, map.y[cell / columns]);
        if (code > 0 && code <= map.causes.size())
            return {QString::fromStdString(map.causes[code - 1].text), place};
        QString headline =
            QString::fromStdString(map.label) + space + QString::fromStdString(formatText(map.value[cell], map.format));
        if (code > 0)
            headline += QStringLiteral(" (does not fit)");
        return {headline.trimmed(), place};
    }
    const Series& series = spec.series[std::size_t(hit.series)];
    const Point& point = series.points[std::size_t(hit.index)];
    QString name = QString::fromStdString(series.label);
    const QString label = QString::fromStdString(point.label);
    if (series.kind == SeriesKind::Points && !label.isEmpty())
        name = label;
    const auto text = [&spec](double value) { return QString::fromStdString(formatText(value, spec.y.format)); };
    const double shown = series.kind == SeriesKind::Bar && point.base ? point.y - *point.base : point.y;
    QString headline = name.isEmpty() ? text(shown) : QString(name + space + text(shown));
    if (series.band && std::size_t(hit.index) < std::min(series.band->low.size(), series.band->high.size()))
        headline += QStringLiteral(" (") + text(series.band->low[std::size_t(hit.index)]) + QStringLiteral(" to ") +
                    text(series.band->high[std::size_t(hit.index)]) + u')';
    if (point.infeasible)
        headline += QStringLiteral(" (does not fit)");
    QString detail = named(spec.x, point.x) + companions(series, point);
    if (!point.detail.empty())
        detail += u'\n' + QString::fromStdString(point.detail);
    return {headline, detail};
}

namespace
{

constexpr double reach = 36; // px; farther away nothing is meant

struct Nearest {
    std::optional<ChartHit> hit;
    double distance = reach;
    void offer(const ChartHit& candidate, double d)
    {
        if (d < distance) {
            distance = d;
            hit = candidate;
        }
    }
};

double outside(const QRectF& rect, QPointF p)
{
    const double dx = std::max({rect.left() - p.x(), 0.0, p.x() - rect.right()});
    const double dy = std::max({rect.top() - p.y(), 0.0, p.y() - rect.bottom()});
    return std::hypot(dx, dy);
}

int nearestInX(const Series& series, double x, const ChartScene& scene)
{
    int best = 0;
    double bestDistance = 1e300;
    for (int i = 0; i < int(series.points.size()); ++i) {
        const double d = std::abs(scene.keyAxis->coordToPixel(series.points[std::size_t(i)].x) - x);
        if (d < bestDistance) {
            bestDistance = d;
            best = i;
        }
    }
    return best;
}

} // namespace

std::optional<ChartHit> hitTest(const ChartScene& scene, QPointF position)
{
    const QRectF area = QRectF(scene.plotArea()).adjusted(-8, -8, 8, 8);
    if (!area.contains(position))
        return std::nullopt;
    Nearest nearest;
    for (int s = 0; s < int(scene.spec.series.size()); ++s) {
        const Series& series = scene.spec.series[std::size_t(s)];
        if (series.points.empty())
            continue;
        switch (series.kind) {
        case SeriesKind::Bar:
            for (int i = 0; i < int(series.points.size()); ++i)
                nearest.offer({s, i}, outside(scene.barRect(s, i).adjusted(-2, -2, 2, 2), position));
            break;
        case SeriesKind::Points:
            for (int i = 0; i < int(series.points.size()); ++i) {
                const QPointF d = scene.pointPixel({s, i}) - position;
                // Points lie over the lines, so they win a tie.
                nearest.offer({s, i}, std::hypot(d.x(), d.y()) - scene.pointDiameter(s, i) / 2 - 3);
            }
            break;
        case SeriesKind::Area:
        case SeriesKind::Line:
        case SeriesKind::StepLine: {
            const int i = nearestInX(series, position.x(), scene);
            const QPointF p = scene.pointPixel({s, i});
            // Only the distance above or below counts between the points of a dense line.
            const double dx = std::max(0.0, std::abs(p.x() - position.x()) - reach / 2);
            nearest.offer({s, i}, std::hypot(dx, p.y() - position.y()));
            break;
        }
        }
    }
    if (!nearest.hit && scene.spec.heatMap) {
        const int cells = int(scene.spec.heatMap->value.size());
        for (int cell = 0; cell < cells; ++cell)
            if (scene.cellRect(cell).contains(position))
                return ChartHit{-1, cell};
    }
    return nearest.hit;
}

} // namespace headroom::ui
