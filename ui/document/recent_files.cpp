// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recent_files.hpp"

#include "ui/settings/settings.hpp"

#include <QFileInfo>

namespace headroom::ui
{

RecentFiles::RecentFiles(Settings& settings)
    : m_settings(settings), m_paths(settings.value(SettingKey::RecentFiles).toStringList().mid(0, maximum))
{
}

void RecentFiles::add(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(absolute);
    m_paths.prepend(absolute);
    m_paths = m_paths.mid(0, maximum);
    m_settings.setValue(SettingKey::RecentFiles, m_paths);
}

} // namespace headroom::ui
