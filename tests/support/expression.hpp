// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions over named numbers ("total + mtp - 23*128"): the `basis` of a published parameter count.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::test
{

/// Value of an expression of numbers, names, + - * / and parentheses; nothing where it does not parse or names
/// something that is not among `names`. Exact as long as every step stays below 2^53 (a division that leaves a rest is
/// refused).
[[nodiscard]] std::optional<double> evaluateExpression(std::string_view text,
                                                       const std::map<std::string, double, std::less<>>& names);

} // namespace headroom::test
