// SPDX-License-Identifier: GPL-3.0-or-later
// StageHint: the keys of the stage in small letters at its foot, until somebody begins.
#pragma once

#include <QLabel>

namespace headroom::ui
{

class StageHint final : public QLabel
{
    Q_OBJECT

public:
    explicit StageHint(QWidget* stage);
    /// Stands at the foot of the stage, in letters that suit its type, `side` px from its right edge; takes a second
    /// line where one is too short.
    void place(int side);
};

} // namespace headroom::ui
