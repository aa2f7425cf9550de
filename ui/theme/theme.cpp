// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"

#include "ui/theme/fonts.hpp"
#include "ui/theme/window_style.hpp"

#include <QApplication>
#include <QMenuBar>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace headroom::ui
{

namespace
{

QColor rgb(unsigned value)
{
    return QColor::fromRgb(QRgb(0xFF000000U | value));
}

// Series sets checked for 3:1 contrast and for distance under protanopia, deuteranopia and tritanopia; naively
// darkening a known palette makes two of its colours meet for deuteranopes.
Theme lightTheme()
{
    return {.kind = ThemeKind::Light,
            .window = rgb(0xF5F6F8),
            .surface = rgb(0xFFFFFF),
            .border = rgb(0xE1E4EA),
            .grid = rgb(0xECEEF2),
            .text = rgb(0x191C20),
            .muted = rgb(0x5A6370),
            .accent = rgb(0x1D5BD8),
            .onAccent = rgb(0xFFFFFF),
            .danger = rgb(0xB42318),
            .warning = rgb(0xA95908), // a shade under the design's #B25E09, which misses 4.5:1 on the window
            .good = rgb(0x067647),
            .series = {rgb(0x002966), rgb(0xCD8002), rgb(0x08A96F), rgb(0x931200), rgb(0xB07CBF), rgb(0x826AFF)}};
}

Theme darkTheme()
{
    return {.kind = ThemeKind::Dark,
            .window = rgb(0x111214),
            .surface = rgb(0x18181B),
            .border = rgb(0x2B2E33),
            .grid = rgb(0x232529),
            .text = rgb(0xECEDEE),
            .muted = rgb(0x9AA1A9),
            .accent = rgb(0x7AA8FF),
            .onAccent = rgb(0x111214),
            .danger = rgb(0xFF8A7A),
            .warning = rgb(0xF5B84B),
            .good = rgb(0x5FD3A0),
            .series = {rgb(0x0D61FE), rgb(0xF3B20A), rgb(0x21AF65), rgb(0xE11306), rgb(0xA477A7), rgb(0x77FFFF)}};
}

// For projectors and low vision: black on white, slots told apart by dashes (chart_style) and labels.
Theme highContrastTheme()
{
    const QColor black = rgb(0x000000);
    const QColor grey = rgb(0x4D4D4D);
    return {.kind = ThemeKind::HighContrast,
            .window = rgb(0xFFFFFF),
            .surface = rgb(0xFFFFFF),
            .border = black,
            .grid = rgb(0xD0D0D0),
            .text = black,
            .muted = rgb(0x303030),
            .accent = rgb(0x0033AA),
            .onAccent = rgb(0xFFFFFF),
            .danger = rgb(0x990000),
            .warning = rgb(0x6B3A00),
            .good = rgb(0x00552B),
            .series = {black, grey, black, grey, black, grey}};
}

// The same on a screen that is dark in a dark room.
Theme highContrastDarkTheme()
{
    const QColor white = rgb(0xFFFFFF);
    const QColor grey = rgb(0xB0B0B0);
    return {.kind = ThemeKind::HighContrastDark,
            .window = rgb(0x000000),
            .surface = rgb(0x000000),
            .border = white,
            .grid = rgb(0x3A3A3A),
            .text = white,
            .muted = rgb(0xD2D2D2),
            .accent = rgb(0x8FC4FF),
            .onAccent = rgb(0x000000),
            .danger = rgb(0xFF9A8A),
            .warning = rgb(0xFFD27A),
            .good = rgb(0x7CE0B0),
            .series = {white, grey, white, grey, white, grey}};
}

double channel(double value)
{
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); // WCAG 2.1, relative luminance
}

double luminance(const QColor& colour)
{
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) + 0.0722 * channel(colour.blueF());
}

} // namespace

QColor Theme::slot(int index) const
{
    const int count = int(series.size());
    return series[std::size_t(((index % count) + count) % count)];
}

QColor Theme::tint(const QColor& colour) const
{
    return mixed(surface, colour, isDark() ? 0.24 : 0.14);
}

bool Theme::isDark() const
{
    return text.lightnessF() > surface.lightnessF();
}

bool Theme::isHighContrast() const
{
    return kind == ThemeKind::HighContrast || kind == ThemeKind::HighContrastDark;
}

const Theme& theme(ThemeKind kind)
{
    static const Theme light = lightTheme();
    static const Theme dark = darkTheme();
    static const Theme highContrast = highContrastTheme();
    static const Theme highContrastDark = highContrastDarkTheme();
    switch (kind) {
    case ThemeKind::Dark:
        return dark;
    case ThemeKind::HighContrast:
        return highContrast;
    case ThemeKind::HighContrastDark:
        return highContrastDark;
    case ThemeKind::Light:
        break;
    }
    return light;
}

const Theme& themeOf(const QPalette& palette)
{
    const QColor window = palette.color(QPalette::Window);
    const QColor text = palette.color(QPalette::WindowText);
    for (const ThemeKind kind : {ThemeKind::HighContrast, ThemeKind::HighContrastDark})
        if (window.rgb() == theme(kind).window.rgb() && text.rgb() == theme(kind).text.rgb())
            return theme(kind);
    return theme(window.lightnessF() < 0.5 ? ThemeKind::Dark : ThemeKind::Light);
}

QPalette paletteOf(const Theme& t)
{
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.surface);
    palette.setColor(QPalette::AlternateBase, mixed(t.surface, t.text, 0.03));
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.muted);
    palette.setColor(QPalette::Button, t.isDark() ? mixed(t.surface, t.text, 0.08) : t.surface);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.danger);
    palette.setColor(QPalette::Highlight, t.accent);
    palette.setColor(QPalette::HighlightedText, t.onAccent);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::LinkVisited, t.accent);
    palette.setColor(QPalette::ToolTipBase, t.surface);
    palette.setColor(QPalette::ToolTipText, t.text);
    // Fusion shades its frames from these.
    palette.setColor(QPalette::Light, mixed(t.surface, t.text, 0.02));
    palette.setColor(QPalette::Midlight, t.grid);
    palette.setColor(QPalette::Mid, t.border);
    palette.setColor(QPalette::Dark, mixed(t.surface, t.text, 0.3));
    palette.setColor(QPalette::Shadow, mixed(t.window, QColor(Qt::black), 0.5));
    const QColor off = mixed(t.surface, t.muted, 0.6);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, off);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, t.border);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, t.muted);
    return palette;
}

namespace
{

/// Qt 6.4 hands a new palette or font on neither to widgets with a style sheet nor to what they hold.
void reachStyledWidgets()
{
    for (QWidget* widget : QApplication::allWidgets()) {
        if (!widget->testAttribute(Qt::WA_StyleSheet))
            continue;
        const QString sheet = widget->styleSheet();
        if (!sheet.isEmpty())
            widget->setStyleSheet(QString()); // its colours were fixed when it was read
        if (!sheet.isEmpty() || !widget->testAttribute(Qt::WA_SetPalette))
            widget->setPalette(QPalette());
        if (!sheet.isEmpty() || !widget->testAttribute(Qt::WA_SetFont))
            widget->setFont(QFont());
        if (!sheet.isEmpty())
            widget->setStyleSheet(sheet);
        if (qobject_cast<QMenuBar*>(widget))
            widget->setFont(QApplication::font()); // of its class there may be one that the desktop set
    }
}

} // namespace

void applyTheme(QApplication& application, ThemeKind kind)
{
    if (!qobject_cast<WindowStyle*>(application.style()))
        application.setStyle(new WindowStyle);
    application.setPalette(paletteOf(theme(kind)));
    application.setFont(interfaceFont(application.font()));
    reachStyledWidgets();
}

QColor mixed(const QColor& surface, const QColor& colour, double amount)
{
    const auto blend = [amount](int from, int to) { return int(std::lround(from + (to - from) * amount)); };
    return {blend(surface.red(), colour.red()), blend(surface.green(), colour.green()),
            blend(surface.blue(), colour.blue())};
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05); // WCAG 2.1
}

} // namespace headroom::ui
