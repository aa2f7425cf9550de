// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/appearance.hpp"

#include "ui/settings/settings.hpp"

#include <QApplication>
#include <algorithm>
#include <array>

namespace headroom::ui
{
namespace
{

using namespace Qt::StringLiterals;

struct ThemeName {
    ThemeKind kind;
    const char* name;
};
constexpr std::array<ThemeName, 4> names{{{ThemeKind::Light, "light"},
                                          {ThemeKind::Dark, "dark"},
                                          {ThemeKind::HighContrast, "high-contrast"},
                                          {ThemeKind::HighContrastDark, "high-contrast-dark"}}};

constexpr double smallest = 0.7, largest = 2;
constexpr auto gigabyte = "GB", gibibyte = "GiB";
constexpr auto system = "system"_L1;

} // namespace

std::optional<ThemeKind> themeNamed(const QString& name)
{
    const auto row =
        std::ranges::find_if(names, [&name](const ThemeName& each) { return name == QLatin1String(each.name); });
    return row == names.end() ? std::nullopt : std::optional(row->kind);
}

Appearance::Appearance(QApplication& application, Settings& settings, QObject* parent)
    : QObject(parent), m_application(application), m_settings(settings), m_desktopFont(application.font()),
      m_desktopTheme(themeOf(application.palette()).kind),
      m_theme(themeNamed(settings.value(SettingKey::Theme).toString()).value_or(m_desktopTheme)),
      m_scale(std::clamp(settings.value(SettingKey::TypeScale).toDouble(), smallest, largest))
{
    setMemoryUnit(settings.value(SettingKey::MemoryUnit).toString() == QLatin1String(gibibyte) ? MemoryUnit::Gibibyte
                                                                                               : MemoryUnit::Gigabyte);
    apply();
}

void Appearance::followDesktop()
{
    m_theme = m_desktopTheme;
    m_settings.setValue(SettingKey::Theme, system);
    apply();
}

void Appearance::setUnit(MemoryUnit unit)
{
    m_settings.setValue(SettingKey::MemoryUnit,
                        unit == MemoryUnit::Gibibyte ? QLatin1String(gibibyte) : QLatin1String(gigabyte));
    if (unit == memoryUnit())
        return;
    setMemoryUnit(unit);
    emit unitChanged();
}

void Appearance::setTheme(ThemeKind kind)
{
    for (const ThemeName& each : names)
        if (each.kind == kind)
            m_settings.setValue(SettingKey::Theme, QString(QLatin1String(each.name)));
    showTheme(kind);
}

void Appearance::showTheme(ThemeKind kind)
{
    m_theme = kind;
    apply();
}

void Appearance::setTypeScale(double scale)
{
    m_scale = std::clamp(scale, smallest, largest);
    m_settings.setValue(SettingKey::TypeScale, m_scale);
    apply();
}

void Appearance::apply()
{
    QFont font = m_desktopFont;
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * m_scale);
    QApplication::setFont(font);
    applyTheme(m_application, m_theme);
    emit changed();
}

} // namespace headroom::ui
