// SPDX-License-Identifier: GPL-3.0-or-later
// A parameter's value as it is typed: read from what a person writes, and written so that it can be changed.
#pragma once

#include "core/catalog/price_list.hpp"
#include "core/scenario/parameter_registry.hpp"

#include <QString>
#include <optional>

namespace headroom::ui
{

/// "8k", "2,5" where the desktop has a decimal comma, "90" for 90 %; empty where it is no number. No bounds are
/// checked.
[[nodiscard]] std::optional<double> typedValue(const ParameterRow& row, const QString& text);

/// In full precision: "90 %", "0.05 s", "4096".
[[nodiscard]] QString typedText(const ParameterRow& row, double value);

/// A price that was looked up, where one may be given: "$2.95 (list)".
[[nodiscard]] QString listedPriceText(const KnownPrice& price);

} // namespace headroom::ui
