// SPDX-License-Identifier: GPL-3.0-or-later
// Icons: the line drawings of resources/icons in the colour of the text around them.
#pragma once

#include <QColor>
#include <QIcon>

namespace headroom::ui
{

/// ":/icons/NAME.svg" drawn in one colour; null when there is no such drawing.
[[nodiscard]] QIcon lineIcon(const QString& name, const QColor& colour, const QColor& disabled);

} // namespace headroom::ui
