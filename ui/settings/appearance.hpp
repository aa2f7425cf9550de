// SPDX-License-Identifier: GPL-3.0-or-later
// Appearance: the theme, the type size and the unit of memory of the running program, remembered in the settings.
#pragma once

#include "core/units/memory_unit.hpp"
#include "ui/theme/focus_ring.hpp"
#include "ui/theme/theme.hpp"

#include <QFont>
#include <QObject>

class QApplication;

namespace headroom::ui
{

class Settings;

/// The theme of a name, as settings and `--theme` have it: "light", "high-contrast-dark"; empty for others.
[[nodiscard]] std::optional<ThemeKind> themeNamed(const QString& name);

class Appearance final : public QObject
{
    Q_OBJECT

public:
    Appearance(QApplication& application, Settings& settings, QObject* parent = nullptr);

    [[nodiscard]] ThemeKind theme() const { return m_theme; }
    void setTheme(ThemeKind kind);
    /// For this start alone: the next one has the theme that is remembered.
    void showTheme(ThemeKind kind);
    /// As the desktop's palette says, now and at the next start.
    void followDesktop();
    /// 1 = the desktop's size.
    [[nodiscard]] double typeScale() const { return m_scale; }
    void setTypeScale(double scale);
    void setUnit(MemoryUnit unit);

signals:
    void changed();
    /// Figures must be printed again.
    void unitChanged();

private:
    void apply();

    QApplication& m_application;
    Settings& m_settings;
    QFont m_desktopFont;
    ThemeKind m_desktopTheme, m_theme;
    double m_scale = 1;
    FocusRing m_ring;
};

} // namespace headroom::ui
