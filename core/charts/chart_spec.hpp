// SPDX-License-Identifier: GPL-3.0-or-later
// ChartSpec: one chart as a value — axes, series with roles, guides, the sentence it says — without any pixels.
#pragma once

#include "core/units/value_format.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom
{

enum class AxisScale : std::uint8_t { Linear, Log };

/// A label at a place of an axis.
struct Tick {
    double position = 0;
    std::string label;
    bool operator==(const Tick&) const = default;
};

/// What is laid off along one side of the chart, and from where to where.
struct Axis {
    std::string label; ///< quantity, "Batch size"
    std::string unit;  ///< "sequences", "% of peak", "GB"; stands above the y axis
    AxisScale scale = AxisScale::Linear;
    ValueFormat format = ValueFormat::Plain;
    double minimum = 0, maximum = 1;
    std::vector<Tick> ticks; ///< explicit ticks (categories, snap points); empty = the view chooses
    std::string parameter{}; ///< id in the parameter registry of what is laid off; empty: no parameter
    std::string quantity{};  ///< id of what is laid off: that of the parameter or the metric, else a name of its own
    bool operator==(const Axis&) const = default;
};

/// What a series is; the view maps roles to colours, widths and dashes.
enum class SeriesRole : std::uint8_t {
    Current,
    Ideal,
    Secondary,
    Tertiary,
    PinA,
    PinB,
    PinC,
    Published,
    Measured,
    Limit,
    Roof,
    Target,
    Own ///< runs that the user measured, beside this scenario's own measurement
};
/// Whether its points are measured runs, each with a source of its own.
[[nodiscard]] constexpr bool isRun(SeriesRole role)
{
    return role == SeriesRole::Published || role == SeriesRole::Measured || role == SeriesRole::Own;
}

/// Area: y is the layer's own height; the view stacks it on the Areas before it (all have the same x).
/// Bar: x is the category (0, 1, 2 … with its name in Axis::ticks), y where the bar ends, Point::base where it starts.
enum class SeriesKind : std::uint8_t { Line, Area, Bar, Points, StepLine };

/// What a point stands for, by id, so that nobody looks for it by its words or its numbers.
struct PointOrigin {
    enum class Kind : std::uint8_t {
        Evaluation,   ///< the scenario (or a pin) at this place of the axis; no id
        PublishedRun, ///< MeasuredRun::id on the shelf of published runs
        OwnRun,       ///< MeasuredRun::id on the shelf of the user's
        Device,       ///< id of an accelerator
        Layout,       ///< deploymentId() of a plan's option
        Shape         ///< shapeId() of a matmul of the scenario's profile
    };
    Kind kind = Kind::Evaluation;
    std::string id{};
    bool operator==(const PointOrigin&) const = default;
};

/// One datum of a series.
struct Point {
    double x = 0, y = 0;
    double size = 1;              ///< Points: relative area 0…1
    std::string label{};          ///< Points/Bar: name shown on hover or at the bar
    std::optional<double> base{}; ///< Bar: start of a floating bar (loss ladder)
    bool infeasible = false;      ///< does not fit: hatched or hollow
    std::string detail{};         ///< Points: further lines on hover and a column in the table (a run's source)
    PointOrigin origin{};
    bool operator==(const Point&) const = default;
};

/// Lower and upper value at each point of a line (the 80 % interval).
struct Band {
    std::vector<double> low, high; ///< same length as the points
    bool operator==(const Band&) const = default;
};

/// Points that belong together: one line, area, set of bars or of marks.
struct Series {
    std::string id;    ///< stable: "mfu", "ideal", "pin-a.mfu"
    std::string label; ///< at the line's end
    SeriesRole role = SeriesRole::Current;
    SeriesKind kind = SeriesKind::Line;
    int slot = 0;                ///< colour slot 0…5 within the theme
    std::vector<Point> points{}; ///< sorted by x for lines and areas; finite always
    std::optional<Band> band{};
    std::string metric{}; ///< id in the metric registry of what y shows; charts of the registry give it to each series
    bool operator==(const Series&) const = default;
};

enum class GuideKind : std::uint8_t { Vertical, Horizontal, HorizontalBand, OperatingPoint };

/// A mark that is not data: the current value, a capacity, a target, the operating point.
struct Guide {
    GuideKind kind = GuideKind::Vertical;
    SeriesRole role = SeriesRole::Current;
    double x = 0, y = 0, y2 = 0;
    std::string label;
    bool operator==(const Guide&) const = default;
};

/// Why a cell of a heat map has no value: a letter to stand in it and the words behind the letter.
struct HeatCause {
    std::string mark, text;
    bool operator==(const HeatCause&) const = default;
};

/// A grid of values (heat map): rows are y, columns are x.
struct HeatMap {
    std::vector<double> x, y;             ///< cell centres
    std::vector<double> value;            ///< y.size() × x.size(), row-major, finite
    std::vector<std::uint8_t> infeasible; ///< same size, 0 = feasible; n = causes[n − 1], without causes: does not fit
    std::vector<HeatCause> causes;        ///< cells with a cause have no value worth showing
    double minimum = 0, maximum = 1;
    ValueFormat format = ValueFormat::Plain;
    std::string label;
    std::string metric{}; ///< id in the metric registry of `value`; empty where it is none
    bool operator==(const HeatMap&) const = default;
};

/// Horizontal: the view draws the x axis (categories, 0 at the top) upright and the y axis (values) along the bottom,
/// guides with them. The data mean the same either way.
enum class BarDirection : std::uint8_t { Vertical, Horizontal };

/// The whole chart; finite numbers only.
struct ChartSpec {
    std::string id;      ///< registry id: "utilization"
    std::string title;   ///< "Utilisation over batch"
    std::string reading; ///< the sentence it wants read, under the title
    std::string summary; ///< for screen readers: what is drawn, in one sentence
    Axis x, y;
    std::vector<Series> series;
    std::vector<Guide> guides;
    std::optional<HeatMap> heatMap;
    BarDirection barDirection = BarDirection::Vertical;
    std::string note; ///< why a series is missing ("no price: cost is not shown"); may be empty
    bool operator==(const ChartSpec&) const = default;
};

} // namespace headroom
