// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences, help and "what is this?" of the window.
#pragma once

namespace headroom::ui
{

class MainWindow;

void connectHelp(MainWindow& window);

} // namespace headroom::ui
