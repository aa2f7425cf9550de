// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/polyline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::ui
{

QVector<QPointF> thinned(const QVector<QPointF>& line, double tolerance)
{
    constexpr double anywhere = std::numeric_limits<double>::infinity();
    QVector<QPointF> kept;
    kept.reserve(line.size());
    for (qsizetype start = 0; start < line.size();) {
        kept << line[start];
        qsizetype end = start + 1;
        double lowest = -anywhere, highest = anywhere; // slopes from the start that pass all that was left out
        for (qsizetype i = start + 1; i < line.size(); ++i) {
            const QPointF way = line[i] - line[start];
            const double slope = way.y() / way.x();
            if (!(way.x() > 0) || !std::isfinite(way.y()) || slope < lowest || slope > highest)
                break;
            lowest = std::max(lowest, (way.y() - tolerance) / way.x());
            highest = std::min(highest, (way.y() + tolerance) / way.x());
            end = i;
        }
        start = end;
    }
    return kept;
}

} // namespace headroom::ui
