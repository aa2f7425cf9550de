// SPDX-License-Identifier: GPL-3.0-or-later
// dividingValues(): the values of a parameter that go with a size that is stated beside it: one rule for sliders and
// charts.
#pragma once

#include "core/explore/advice.hpp"

#include <optional>
#include <vector>

namespace headroom
{

/// Of the micro-batch beside a global batch that is stated: those of which every rank runs a whole number, ascending.
/// Empty where any value goes, and where none does.
[[nodiscard]] std::vector<double> dividingValues(const ParameterRow& row, const Setup& setup);

/// The value that a hand or a key is led to: the nearest of these, in doublings; with a direction the next one at
/// `value` or beyond, the last where there is none. `value` itself where all go. Precondition: `values` ascend.
[[nodiscard]] double nearestOf(const std::vector<double>& values, double value, int direction = 0);

/// The next value of the row's slider beyond those that divide, with a global batch that it divides, no smaller than
/// the one that is stated: "Micro-batch 32 and global batch 256". Empty where there is none.
[[nodiscard]] std::optional<Advice> beyondDividing(const ParameterRow& row, const Setup& setup, const IsHeld& held);

} // namespace headroom
