// SPDX-License-Identifier: GPL-3.0-or-later
// StageRoom: what a screen has room for on the stage, by its height and the size of the desktop's type.
#pragma once

#include <QFont>

namespace headroom::ui
{

struct StageRoom {
    int height;    ///< px of the stage
    QFont desktop; ///< of the window it came from

    /// The stage's type over the desktop's: Stage::typeScale, less where the screen is too low for it.
    [[nodiscard]] double typeScale() const;
    /// Margins and headlines give way to charts.
    [[nodiscard]] bool isLow() const { return height < 860; }
    /// The second lines of header and sentences give way, too.
    [[nodiscard]] bool isTight() const;
};

} // namespace headroom::ui
