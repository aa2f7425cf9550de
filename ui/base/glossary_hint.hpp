// SPDX-License-Identifier: GPL-3.0-or-later
// The line that ends the tool tip of whatever the glossary explains.
#pragma once

#include <QString>

namespace headroom::ui
{

/// Says which keys open the glossary. It needs no glossary, so rows, tiles and charts need no help room.
[[nodiscard]] QString glossaryHint();

} // namespace headroom::ui
