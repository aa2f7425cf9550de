// SPDX-License-Identifier: GPL-3.0-or-later
// tr() for functions outside classes.
#pragma once

#include <QCoreApplication>

namespace headroom::ui
{

/// A text of the window in its language. A class with Q_OBJECT has its own, in its own context.
[[nodiscard]] inline QString tr(const char* text)
{
    return QCoreApplication::translate("headroom::ui", text);
}

} // namespace headroom::ui
