// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/infeasible_zones.hpp"

#include <algorithm>
#include <qcustomplot.h>

namespace headroom::ui
{
namespace
{

bool isLine(const Series& s)
{
    return s.kind == SeriesKind::Line || s.kind == SeriesKind::StepLine || s.kind == SeriesKind::Area;
}

/// The live line decides where it hatches; an ideal or a pinned one may differ.
const Series* hatchingSeries(const ChartSpec& spec)
{
    const auto infeasible = [](const Series& s) {
        return isLine(s) && s.role == SeriesRole::Current &&
               std::any_of(s.points.begin(), s.points.end(), [](const Point& p) { return p.infeasible; });
    };
    const auto found = std::find_if(spec.series.begin(), spec.series.end(), infeasible);
    return found == spec.series.end() ? nullptr : &*found;
}

} // namespace

std::vector<QRectF> infeasibleZones(const ChartScene& scene)
{
    std::vector<QRectF> zones;
    const Series* series = hatchingSeries(scene.spec);
    if (series == nullptr)
        return zones;
    const QRectF area = scene.plotArea();
    const auto& points = series->points;
    const auto edge = [&](std::size_t before, std::size_t after) {
        return (scene.keyAxis->coordToPixel(points[before].x) + scene.keyAxis->coordToPixel(points[after].x)) / 2;
    };
    for (std::size_t i = 0; i < points.size();) {
        if (!points[i].infeasible) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < points.size() && points[end].infeasible)
            ++end;
        const double left = i == 0 ? area.left() : edge(i - 1, i);
        const double right = end == points.size() ? area.right() : edge(end - 1, end);
        zones.push_back(QRectF(QPointF(left, area.top()), QPointF(right, area.bottom())).intersected(area));
        i = end;
    }
    return zones;
}

} // namespace headroom::ui
