// SPDX-License-Identifier: GPL-3.0-or-later
// fitScreen: a window that is larger than its screen is maximised instead.
#pragma once

#include <QScreen>
#include <QWidget>

namespace headroom::ui
{

inline void fitScreen(QWidget& window)
{
    constexpr QSize frame(16, 48); // what a desktop's borders and title bar take around it, at most
    const QSize room = window.screen()->availableSize() - frame;
    if (window.isMaximized() || window.isFullScreen() ||
        (window.width() <= room.width() && window.height() <= room.height()))
        return;
    window.resize(room * 9 / 10); // where it is no longer maximised
    window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

} // namespace headroom::ui
