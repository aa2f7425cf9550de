// SPDX-License-Identifier: GPL-3.0-or-later
// connectPresent(): what the window's commands do about presentations and the views of a talk.
#pragma once

#include <QString>

namespace headroom::ui
{

class MainWindow;
class Presenter;

void connectPresent(MainWindow& window);
/// Made by connectPresent().
[[nodiscard]] Presenter& presenterOf(MainWindow& window);

/// Whether a file is named as the views of a talk are.
[[nodiscard]] bool isViewsFile(const QString& path);
/// Takes the views of a file in place of the saved ones, one undo step; what is wrong with it is told.
bool openViews(MainWindow& window, const QString& path);
/// The saved views, to be changed.
void showViews(MainWindow& window);

} // namespace headroom::ui
