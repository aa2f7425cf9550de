// SPDX-License-Identifier: GPL-3.0-or-later
// TwoFigures: a figure before and after a change as texts that differ where the figures do.
#pragma once

#include "core/units/value_format.hpp"

#include <string>

namespace headroom
{

struct TwoFigures {
    std::string from, to;
};

/// formatText() of both. Percentages that would print alike have up to two more digits, so that nobody reads of a gain
/// "from 55 % to 55 %". From minutes on times have one unit: "7.40 min" and "3.77 min", not "226 s".
[[nodiscard]] TwoFigures twoFigures(double from, double to, ValueFormat format);

/// A part of the time `whole`, in the unit of that from minutes on: "0.85 min" of "12.4 min", which alone is "51 s".
[[nodiscard]] std::string partOfTimeText(double seconds, double whole);

} // namespace headroom
