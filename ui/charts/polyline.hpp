// SPDX-License-Identifier: GPL-3.0-or-later
// Polylines with fewer points: stroking costs by the point, and most points of a smooth curve change no pixel.
#pragma once

#include <QPointF>
#include <QVector>

namespace headroom::ui
{

/// Points of `line` through which a line runs that passes every other point at most `tolerance` pixels above or below
/// it. The first and the last one stay, and so do those beside a gap (not a number) or a step back or upright.
[[nodiscard]] QVector<QPointF> thinned(const QVector<QPointF>& line, double tolerance);

} // namespace headroom::ui
