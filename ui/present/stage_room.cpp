// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/present/stage_room.hpp"

#include "ui/present/stage.hpp"

#include <algorithm>

namespace headroom::ui
{

double StageRoom::typeScale() const
{
    constexpr double lines = 30; // of the desktop's type that a view needs
    return std::clamp(height / (lines * QFontMetricsF(desktop).height()), 1.0, Stage::typeScale);
}

bool StageRoom::isTight() const
{
    constexpr double lines = 27;
    return height < lines * QFontMetricsF(desktop).height();
}

} // namespace headroom::ui
