// SPDX-License-Identifier: GPL-3.0-or-later
// The actions that explore: palette, comparison, command line, advice, chart points and the glossary, put together.
#pragma once

namespace headroom::ui
{

class MainWindow;

/// Connects them once, after the window is built.
void connectExplore(MainWindow& window);

} // namespace headroom::ui
