// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette finds in this window: its actions, pages, charts, the catalogue, parameters and metrics.
#pragma once

#include "ui/widgets/command_palette.hpp"

namespace headroom::ui
{

class MainWindow;

[[nodiscard]] std::vector<PaletteEntry> paletteEntries(MainWindow& window);

} // namespace headroom::ui
