// SPDX-License-Identifier: GPL-3.0-or-later
// ChartScene: what every renderer draws from — the spec, the theme, fonts and the axes that place it.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "ui/charts/si_ticker.hpp"
#include "ui/theme/theme.hpp"

#include <QFont>
#include <QMargins>
#include <QPointF>
#include <QRect>
#include <QStringList>
#include <optional>

class QCPAxis;

namespace headroom::ui
{

/// A data point; series −1 is the heat map, whose index is the cell.
struct ChartHit {
    int series = 0, index = 0;
    bool operator==(const ChartHit&) const = default;
};

/// Which text of a card fits where, which way bars run, and the margins that keep labels from clipping: layOut().
struct ChartLayout {
    bool horizontal = false; ///< bars lie: the x axis of the spec stands at the left
    QString title;
    QStringList reading;     ///< lines that fit
    QStringList note;        ///< lines that fit, at the foot
    QString unit;            ///< above the y axis
    QString keyLabel;        ///< under or beside the x axis
    int readingLines = 0;    ///< that are reserved
    QFont keyFont;           ///< of the key axis' names: smaller where many bars lie close
    bool briefBars = false;  ///< names of bars end at their first " · ": there is no room for more
    QMargins margins;        ///< of the axis rect; left and bottom are the axes' own
    double unitBaseline = 0; ///< px from the card's top, as readingTop
    double readingTop = 0;
    double noteHeight = 0;                  ///< px at the foot
    std::vector<Tick> keyTicks, valueTicks; ///< their names in their lines
};

struct ChartScene {
    ChartSpec spec;
    Theme theme;
    QFont font;
    double lineScale = 1;
    ChartLayout layout;           ///< made anew before each replot
    QCPAxis* keyAxis = nullptr;   ///< of spec.x
    QCPAxis* valueAxis = nullptr; ///< of spec.y
    std::optional<ChartHit> hit;
    std::optional<double> crosshair;

    [[nodiscard]] QPointF toPixel(double x, double y) const;
    /// Between the axes; empty, never inside out, where the card has no room for it.
    [[nodiscard]] QRect plotArea() const;
    [[nodiscard]] bool hasBars() const;
    /// Height of the stack up to and with `series` at point `index`; the point's own y where it is no area.
    [[nodiscard]] double stackedY(int series, int index) const;
    /// Position of a point as drawn (stacked where it is an area).
    [[nodiscard]] QPointF pointPixel(const ChartHit& hit) const;
    /// Rectangle of a bar, before any outline.
    [[nodiscard]] QRectF barRect(int series, int index) const;
    /// Diameter of a Points mark in pixels.
    [[nodiscard]] double pointDiameter(int series, int index) const;
    /// Cell of the heat map in pixels.
    [[nodiscard]] QRectF cellRect(int cell) const;
};

/// What stands at a bar: its own name, up to the first " · " where it is to be brief, or its length.
[[nodiscard]] QString barLabel(const ChartSpec& spec, const Point& bar, bool brief);

/// The axis text of x: the tick's own name where x is a category, otherwise the value by its format.
[[nodiscard]] QString keyText(const Axis& axis, double x);

/// "Batch size 32, MFU 20 %": what a point says, for hover, cursor and screen readers. `headline` and `detail` are its
/// lines in the hover label, the detail wrapped where it is long.
struct PointText {
    QString headline, detail;
    [[nodiscard]] QString spoken() const;
};
[[nodiscard]] PointText pointText(const ChartSpec& spec, const ChartHit& hit);

/// The nearest point within reach of `position`, if any.
[[nodiscard]] std::optional<ChartHit> hitTest(const ChartScene& scene, QPointF position);

} // namespace headroom::ui
