// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_keyboard.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui
{

namespace
{

int nearest(const Series& series, double x)
{
    const auto found =
        std::min_element(series.points.begin(), series.points.end(),
                         [x](const Point& a, const Point& b) { return std::abs(a.x - x) < std::abs(b.x - x); });
    return int(found - series.points.begin());
}

/// The next series with points in direction `step`, or the same one at the end of the list.
int neighbour(const ChartSpec& spec, int series, int step)
{
    for (int s = series + step; s >= 0 && s < int(spec.series.size()); s += step)
        if (!spec.series[std::size_t(s)].points.empty())
            return s;
    return series;
}

std::optional<double> currentX(const ChartSpec& spec)
{
    for (const Guide& guide : spec.guides)
        if (guide.role == SeriesRole::Current &&
            (guide.kind == GuideKind::OperatingPoint || guide.kind == GuideKind::Vertical))
            return guide.x;
    return std::nullopt;
}

std::optional<ChartHit> firstPoint(const ChartSpec& spec)
{
    if (spec.heatMap && !spec.heatMap->value.empty())
        return ChartHit{-1, 0};
    const int first = neighbour(spec, -1, 1);
    if (first < 0)
        return std::nullopt;
    const auto x = currentX(spec);
    return ChartHit{first, x ? nearest(spec.series[std::size_t(first)], *x) : 0};
}

constexpr int page = 10;

struct Step {
    int along = 0, across = 0;
};

std::optional<Step> stepOf(int key)
{
    constexpr int far = 1 << 20; // clamped to the ends
    switch (key) {
    case Qt::Key_Left:
        return Step{-1, 0};
    case Qt::Key_Right:
        return Step{1, 0};
    case Qt::Key_Up:
        return Step{0, -1};
    case Qt::Key_Down:
        return Step{0, 1};
    case Qt::Key_PageUp:
        return Step{page, 0};
    case Qt::Key_PageDown:
        return Step{-page, 0};
    case Qt::Key_Home:
        return Step{-far, 0};
    case Qt::Key_End:
        return Step{far, 0};
    default:
        return std::nullopt;
    }
}

} // namespace

bool isPoint(const ChartSpec& spec, const ChartHit& hit)
{
    if (hit.index < 0)
        return false;
    if (hit.series < 0)
        return spec.heatMap && hit.index < int(spec.heatMap->value.size());
    return hit.series < int(spec.series.size()) && hit.index < int(spec.series[std::size_t(hit.series)].points.size());
}

std::optional<ChartHit> cursorAfter(const ChartSpec& spec, const std::optional<ChartHit>& cursor, int key)
{
    const auto step = stepOf(key);
    if (!step)
        return std::nullopt;
    if (!cursor || !isPoint(spec, *cursor))
        return firstPoint(spec);
    if (cursor->series < 0) {
        const int columns = int(spec.heatMap->x.size());
        const int rows = int(spec.heatMap->y.size());
        const int column = std::clamp(cursor->index % columns + step->along, 0, columns - 1);
        const int row = std::clamp(cursor->index / columns - step->across, 0, rows - 1); // rows count upwards
        return ChartHit{-1, row * columns + column};
    }
    const Series& series = spec.series[std::size_t(cursor->series)];
    if (step->across == 0)
        return ChartHit{cursor->series, std::clamp(cursor->index + step->along, 0, int(series.points.size()) - 1)};
    const int other = neighbour(spec, cursor->series, step->across);
    return ChartHit{other, nearest(spec.series[std::size_t(other)], series.points[std::size_t(cursor->index)].x)};
}

} // namespace headroom::ui
