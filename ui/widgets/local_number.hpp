// SPDX-License-Identifier: GPL-3.0-or-later
// Local numbers: what a person types in the desktop's way of writing numbers, as core reads it.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <QLocale>
#include <QString>
#include <optional>

namespace headroom::ui
{

/// "2,5" → "2.5" and "1.024,5" → "1024.5" where the locale has a decimal comma; "٢٫٥" → "2.5". A point keeps its
/// meaning of a decimal point, because that is how the program prints. In a whole number "1,024" stays what the program
/// itself prints, and "1.024" is the same where the locale groups by points: one thousand and twenty-four.
[[nodiscard]] QString plainNumber(QString typed, const QLocale& locale, bool whole);

/// A typed number in the base unit of its format, read as the desktop writes numbers; empty = not a number.
[[nodiscard]] std::optional<double> typedNumber(const QString& text, ValueFormat format, bool whole, bool binaryK);
/// Whether it is a number alone, without a unit or a multiplier: "80", not "80 GB".
[[nodiscard]] bool isBareNumber(const QString& text);

/// The number in full, with the decimal mark of the language in force; typedNumber() reads it back.
[[nodiscard]] QString fullNumber(double value);

} // namespace headroom::ui
