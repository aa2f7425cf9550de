// SPDX-License-Identifier: GPL-3.0-or-later
// RecentFiles: the last ten documents, newest first, kept in the settings.
#pragma once

#include <QStringList>

namespace headroom::ui
{

class Settings;

class RecentFiles final
{
public:
    static constexpr int maximum = 10;

    explicit RecentFiles(Settings& settings);

    [[nodiscard]] const QStringList& paths() const { return m_paths; }
    void add(const QString& path);

private:
    Settings& m_settings;
    QStringList m_paths;
};

} // namespace headroom::ui
