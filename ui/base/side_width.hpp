// SPDX-License-Identifier: GPL-3.0-or-later
// sideWidth: how wide the panels at the right may be: they grow with the type.
#pragma once

#include <QWidget>
#include <algorithm>

namespace headroom::ui
{

/// In pixels: 380, or 23 lines of the widget's type where that is more.
[[nodiscard]] inline int sideWidth(const QWidget& widget)
{
    constexpr int usual = 380, lines = 23;
    return std::max(usual, lines * widget.fontMetrics().height());
}

} // namespace headroom::ui
