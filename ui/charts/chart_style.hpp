// SPDX-License-Identifier: GPL-3.0-or-later
// Chart style: from the role and slot of a series or guide to colour, line width and dashes.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "ui/theme/theme.hpp"

#include <QFont>
#include <QPen>
#include <QPointF>
#include <vector>

class QPainter;
class QRectF;

namespace headroom::ui
{

[[nodiscard]] QColor seriesColour(const Series& series, const Theme& theme);
/// A disc with a border of `width` outside `radius`, as two fills: a stroked ellipse costs several times as much.
void drawDisc(QPainter& painter, QPointF centre, double radius, const QColor& fill, double width, const QColor& border);

/// `lineScale` 1 on the dashboard, 1.5 when presenting.
[[nodiscard]] QPen seriesPen(const Series& series, const Theme& theme, double lineScale);
/// Opaque fill of an interval or a stacked area.
[[nodiscard]] QColor fillColour(const Series& series, const Theme& theme);

/// A pin's guide takes the colour of the pin's series.
[[nodiscard]] QColor guideColour(const Guide& guide, const ChartSpec& spec, const Theme& theme);
[[nodiscard]] QPen guidePen(const Guide& guide, const ChartSpec& spec, const Theme& theme, double lineScale);

/// `colour` moved towards the text colour until it reads as text on the surface (4.5:1).
[[nodiscard]] QColor readable(const QColor& colour, const Theme& theme);
/// The theme's lightest or darkest, whichever reads better on `fill`.
[[nodiscard]] QColor textOn(const QColor& fill, const Theme& theme);

/// The points of a series, the largest first.
[[nodiscard]] std::vector<int> bySize(const Series& series);

inline constexpr double pinMarkDiameter = 13; ///< px: room for the letter
void drawPinLetter(QPainter& painter, QPointF centre, char letter, const QColor& fill, const Theme& theme,
                   const QFont& font);

/// Diagonal lines over a rectangle: what cannot run. Own lines, because Qt's pattern brushes ignore the pixel ratio.
void drawHatch(QPainter& painter, const QRectF& area, const QColor& colour);

} // namespace headroom::ui
