// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a picture, without a display and without touching the user's settings.
#pragma once

#include "app/gui/options.hpp"

class QApplication;

namespace headroom
{

namespace ui
{
class MainWindow;
struct Session;
} // namespace ui

/// False, and said, where the file cannot be written.
[[nodiscard]] bool writeFile(const QString& path, const QByteArray& bytes);

/// Writes what `options` ask for; the exit status of the program. What went wrong stands on standard error.
[[nodiscard]] int render(const Options& options, QApplication& application);

/// A scenario, or the views of a talk.
bool openFile(ui::Session& session, ui::MainWindow& window, const QString& path);

} // namespace headroom
