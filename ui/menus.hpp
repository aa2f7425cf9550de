// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and tool bar: where each action of the window is found.
#pragma once

namespace headroom::ui
{

class MainWindow;

void buildMenus(MainWindow& window);
/// Beside the menus, where it costs the charts no height.
void buildToolBar(MainWindow& window);

} // namespace headroom::ui
