// SPDX-License-Identifier: GPL-3.0-or-later
// intervalAlong(), intervalAgainst(): the interval of a figure that follows from a predicted time.
#pragma once

#include "core/predict/evaluation.hpp"

namespace headroom
{

/// The 80 % interval of `value`, in its unit, where it grows in proportion to `time` (a cost). Empty where the value,
/// the time or the time's interval is missing.
[[nodiscard]] inline std::optional<Interval> intervalAlong(const std::optional<double>& value,
                                                           const std::optional<double>& time,
                                                           const std::optional<Interval>& interval)
{
    if (!value || !time || !interval || !(*time > 0) || !(interval->low > 0))
        return std::nullopt;
    return Interval{*value * interval->low / *time, *value * interval->high / *time};
}

/// The same where it falls as the time grows (a utilisation, a rate).
[[nodiscard]] inline std::optional<Interval> intervalAgainst(const std::optional<double>& value,
                                                             const std::optional<double>& time,
                                                             const std::optional<Interval>& interval)
{
    if (!value || !time || !interval || !(*time > 0) || !(interval->low > 0))
        return std::nullopt;
    return Interval{*value * *time / interval->high, *value * *time / interval->low};
}

} // namespace headroom
