// SPDX-License-Identifier: GPL-3.0-or-later
// The window's part in lessons: where they stand, what they point at, their commands, and the first start.
#pragma once

namespace headroom::ui
{

class MainWindow;

/// Lessons between player, card, highlights, settings and commands.
void connectLearn(MainWindow& window);
/// The three doors over the filled window; the first start shows them once.
void showWelcome(MainWindow& window);

} // namespace headroom::ui
