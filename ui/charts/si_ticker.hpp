// SPDX-License-Identifier: GPL-3.0-or-later
// SI ticks: where an axis puts its ticks and what it writes there, from the axis alone (no locale, no widget).
#pragma once

#include "core/charts/chart_spec.hpp"

#include <vector>

namespace headroom::ui
{

/// The unit above an axis as arithmetic: values are divided by `scale` and printed bare where the unit is written
/// there.
struct AxisUnit {
    double scale = 1;     ///< "GB" of an axis in bytes: 1e9
    bool written = false; ///< the unit stands above the axis, ticks carry only numbers
    bool counts = false;  ///< no prefix in the unit: thousands become "1k"
};

[[nodiscard]] AxisUnit axisUnit(const Axis& axis);

/// The unit as it stands above the axis: the axis' own, but "ms" for seconds on a linear axis that stays below one.
[[nodiscard]] std::string shownUnit(const Axis& axis);

/// At most about `wanted` ticks (≥ 2) within the axis range, ascending; explicit ticks of the axis win.
[[nodiscard]] std::vector<Tick> chooseTicks(const Axis& axis, int wanted);

/// One value as the axis would print it, to three digits: "20" under "% of peak", "80 GB" without a unit above.
[[nodiscard]] std::string axisText(double value, const Axis& axis);

} // namespace headroom::ui
