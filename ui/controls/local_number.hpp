// SPDX-License-Identifier: GPL-3.0-or-later
// Local numbers: what a person types in the desktop's way of writing numbers, as core reads it.
#pragma once

#include <QLocale>
#include <QString>

namespace headroom::ui
{

/// "2,5" → "2.5" and "1.024,5" → "1024.5" where the locale has a decimal comma; "٢٫٥" → "2.5". A point keeps its
/// meaning of a decimal point, because that is how the program prints. In a whole number "1,024" stays what the program
/// itself prints: one thousand and twenty-four.
[[nodiscard]] QString plainNumber(QString typed, const QLocale& locale, bool whole);

} // namespace headroom::ui
