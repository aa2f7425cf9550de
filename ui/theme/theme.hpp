// SPDX-License-Identifier: GPL-3.0-or-later
// Theme: the colours of the program as a value — window tokens, series slots, and the palette made from them.
#pragma once

#include <QColor>
#include <QPalette>
#include <array>
#include <cstdint>

class QApplication;

namespace headroom::ui
{

enum class ThemeKind : std::uint8_t { Light, Dark, HighContrast, HighContrastDark };

struct Theme {
    ThemeKind kind = ThemeKind::Light;
    QColor window, surface;       ///< behind the cards; the cards themselves
    QColor border, grid;          ///< opaque: a translucent line costs three times the painting
    QColor text, muted;           ///< at least 4.5:1 on surface and window
    QColor accent, onAccent;      ///< controls, focus ring, current value; text on them
    QColor danger, warning, good; ///< always beside an icon and a word
    std::array<QColor, 6> series; ///< slots; at least 3:1 on surface and apart under simulated colour blindness

    /// Colour of a slot; slots beyond the sixth begin again.
    [[nodiscard]] QColor slot(int index) const;
    /// Opaque tint of a colour on the surface, for intervals and areas.
    [[nodiscard]] QColor tint(const QColor& colour) const;
    /// Whether text is lighter than what it stands on.
    [[nodiscard]] bool isDark() const;
    /// Black and white: dashes and labels tell series apart, not colours.
    [[nodiscard]] bool isHighContrast() const;
};

[[nodiscard]] const Theme& theme(ThemeKind kind);

/// The theme a palette was made from: high contrast by its pure black and white, else dark or light by lightness.
[[nodiscard]] const Theme& themeOf(const QPalette& palette);

[[nodiscard]] QPalette paletteOf(const Theme& theme);

/// Sets Fusion, the palette and the interface font; calling it again changes the theme of a running program.
void applyTheme(QApplication& application, ThemeKind kind);

/// Opaque colour `amount` (0…1) of the way from `surface` to `colour`.
[[nodiscard]] QColor mixed(const QColor& surface, const QColor& colour, double amount);

/// WCAG 2.1 contrast ratio, 1…21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

} // namespace headroom::ui
