// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that stay with their units where lines break.
#pragma once

#include <QString>

namespace headroom::ui
{

/// The text with no line ending before a unit or within it: "30 ms", "3.35 TB/s".
[[nodiscard]] QString keepUnits(QString text);

} // namespace headroom::ui
