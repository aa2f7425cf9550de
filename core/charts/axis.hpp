// SPDX-License-Identifier: GPL-3.0-or-later
// Axis ranges: rounded bounds that do not move while a slider does, until the data truly leave them.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <limits>
#include <string>

namespace headroom
{

/// Of a whole. What has less in every scenario is left out: no bar would be seen.
inline constexpr double smallestShare = 0.002;

/// The smallest and the largest value that an axis must show.
struct DataRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value);
    void add(const Series& series); ///< y of every point, its base and its band
    void add(const std::vector<Series>& series);
    [[nodiscard]] bool empty() const { return low > high; }
};

/// Along both axes.
struct DataRanges {
    DataRange x, y;
};
/// Of every series and every guide.
[[nodiscard]] DataRanges rangesOf(const ChartSpec& spec);

/// Next 1, 2 or 5 × 10^n at or above (below) a positive value.
[[nodiscard]] double niceCeil(double value);
[[nodiscard]] double niceFloor(double value);

/// What an axis shows has an id (Axis::quantity), the first argument of each of these.

/// Logarithmic, from and to a 1-2-5 value, at least one decade. Precondition: positive data; empty data give 1…10.
[[nodiscard]] Axis logAxis(std::string quantity, std::string label, std::string unit, ValueFormat format,
                           const DataRange& data);

/// Linear from 0 (or, with negative data, from a rounded bound) to a whole number of 1-2-5 steps.
[[nodiscard]] Axis linearAxis(std::string quantity, std::string label, std::string unit, ValueFormat format,
                              const DataRange& data);

/// Linear from below the data to above it in whole 1-2-5 steps, not from 0: for bars that begin at a base of their own.
[[nodiscard]] Axis closeAxis(std::string quantity, std::string label, std::string unit, ValueFormat format,
                             const DataRange& data);

/// Unit of a linear axis of times beside figures of about `seconds`: the one that they are printed in from minutes on
/// ("min"), else "seconds", which the view turns into shorter ones.
[[nodiscard]] std::string timeUnit(double seconds);

/// Shares of a peak: 0…100 %, or 0…10 %, 0…1 % when nothing comes higher. More than 100 % is shown, not cut.
[[nodiscard]] Axis shareAxis(std::string quantity, std::string label, const DataRange& data);

/// Categories 0…n−1 with half a place of margin.
[[nodiscard]] Axis categoryAxis(std::string quantity, std::string label, const std::vector<std::string>& names);

/// Both show the same quantity on the same scale, whatever words they have for it.
[[nodiscard]] bool sameQuantity(const Axis& a, const Axis& b);
/// Widens an axis so that it also shows what `before` showed; nothing where the two are of different quantities.
void holdAxis(Axis& axis, const Axis& before);
/// Both axes of a chart that was redrawn under a moving hand: what was in sight stays in sight, at least. Categories
/// and another chart's axes are left alone.
void holdAxes(ChartSpec& spec, const ChartSpec& before);

} // namespace headroom
