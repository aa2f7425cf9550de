// SPDX-License-Identifier: GPL-3.0-or-later
// connectPresent(): what the window's commands do about presentations and the views of a talk.
#pragma once

namespace headroom::ui
{

class MainWindow;
class Presenter;

void connectPresent(MainWindow& window);
/// Made by connectPresent().
[[nodiscard]] Presenter& presenterOf(MainWindow& window);

} // namespace headroom::ui
