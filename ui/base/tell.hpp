// SPDX-License-Identifier: GPL-3.0-or-later
// tell(): a sentence in the status line of the window that a widget is in, for a while.
#pragma once

#include <QString>

class QWidget;

namespace headroom::ui
{

/// What was done where nothing on the screen shows it: a copy, a file. Of a dialog, the window behind it says it.
void tell(const QWidget& from, const QString& words);

} // namespace headroom::ui
