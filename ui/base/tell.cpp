// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/tell.hpp"

#include <QMainWindow>
#include <QStatusBar>

namespace headroom::ui
{

void tell(const QWidget& from, const QString& words)
{
    constexpr int readMs = 8000; // to read it in
    for (QWidget* widget = from.window(); widget;
         widget = widget->parentWidget() ? widget->parentWidget()->window() : nullptr)
        if (auto* window = qobject_cast<QMainWindow*>(widget))
            return window->statusBar()->showMessage(words, readMs);
}

} // namespace headroom::ui
