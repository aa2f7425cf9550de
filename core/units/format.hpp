// SPDX-License-Identifier: GPL-3.0-or-later
// Printing and reading quantities: three significant digits, SI prefixes, "8k", "1.5M", "80 GB" read back.
#pragma once

#include "core/units/value_format.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace headroom
{

/// Number and unit apart, so that a tile can print them in different sizes: {"21.3", "ms"}.
struct FormattedValue {
    std::string number, unit;
    [[nodiscard]] std::string text() const; ///< joined by a narrow no-break space; no space before nothing
};

/// As the language in force writes numbers ("1,234.5", in German "1 234,5", groups by narrow spaces).
/// Three significant digits, percentages one decimal below 10 % (two below 1 %) and within half of 100 %, else none, no
/// scientific notation, GB = 10^9. Never "nan": the precondition is a finite value.
[[nodiscard]] FormattedValue formatValue(double value, ValueFormat format);
[[nodiscard]] std::string formatText(double value, ValueFormat format);

/// formatText() of what sentences and labels name most.
[[nodiscard]] std::string numberText(double value); ///< ValueFormat::Plain
[[nodiscard]] std::string wholeText(double value);  ///< ValueFormat::Integer
[[nodiscard]] std::string percentText(double share);
[[nodiscard]] std::string secondsText(double seconds);

/// Full precision, locale-free, shortest form that reads back equal; for files, tables and tooltips.
[[nodiscard]] std::string exactNumber(double value);

/// A plain number ("1.5") with the decimal mark of the language in force.
[[nodiscard]] std::string withLocalMark(std::string number);

/// Reads "16", "8k", "8Ki", "1.5M", "80 GB", "64 tokens", "12 %" (→ 0.12), "30 ms" (→ 0.03), "1,024", "1 024".
/// k = 1000 except where `binaryK` (token counts): there 8k = 8192. Empty = not a number.
[[nodiscard]] std::optional<double> readNumber(std::string_view text, ValueFormat format, bool binaryK);

} // namespace headroom
