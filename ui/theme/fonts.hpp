// SPDX-License-Identifier: GPL-3.0-or-later
// Fonts: sizes as steps of the interface font, and numbers set in cells of equal width.
#pragma once

#include <QFont>
#include <QPointF>
#include <QString>
#include <cstdint>

class QPainter;

namespace headroom::ui
{

enum class TextStyle : std::uint8_t { Body, Strong, ChartTitle, TileValue, Caption };

/// Makes the typefaces of a folder known to this program, such as those that lie beside it where no system has them;
/// how many there are.
int addFonts(const QString& folder);

/// Inter at the desktop's size where it is installed, else the desktop's own typeface.
[[nodiscard]] QFont interfaceFont(const QFont& desktop);

/// A step of `base`: chart title 1.08 semibold, tile value 1.7 semibold, caption 0.92.
[[nodiscard]] QFont styled(const QFont& base, TextStyle style);

/// Inter's digits differ in width and Qt 6.4 cannot ask a font for its tabular ones, so a number that changes while a
/// slider moves is set digit by digit, each centred in a cell as wide as the widest.
[[nodiscard]] double tabularWidth(const QFont& font, const QString& text);
void drawTabular(QPainter& painter, QPointF baseline, const QString& text);

} // namespace headroom::ui
