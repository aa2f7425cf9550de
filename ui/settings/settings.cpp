// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.hpp"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace headroom::ui
{
namespace
{

QString defaultFile()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
    return QDir(folder).filePath(QStringLiteral("headroom.ini"));
}

const SettingRow& row(SettingKey key)
{
    return Settings::table().at(static_cast<qsizetype>(key));
}

} // namespace

Settings::Settings() : Settings(defaultFile()) {}

Settings::Settings(const QString& file) : m_settings(file, QSettings::IniFormat) {}

QVariant Settings::value(SettingKey key) const
{
    const SettingRow& entry = row(key);
    return m_settings.value(QLatin1String(entry.name), entry.fallback);
}

void Settings::setValue(SettingKey key, const QVariant& value)
{
    m_settings.setValue(QLatin1String(row(key).name), value);
}

bool Settings::flush()
{
    m_settings.sync();
    return m_settings.status() == QSettings::NoError;
}

QString Settings::fileBeside(const QString& name) const
{
    return QFileInfo(m_settings.fileName()).dir().filePath(name);
}

const QList<SettingRow>& Settings::table()
{
    static const QList<SettingRow> rows{
        {SettingKey::Geometry, "window/geometry", QByteArray()},
        {SettingKey::SplitterSizes, "window/splitter", QByteArray()},
        {SettingKey::ShowExplanation, "window/explanation", true},
        {SettingKey::Theme, "appearance/theme", QStringLiteral("system")},
        {SettingKey::TypeScale, "appearance/type_scale", 1.0},
        {SettingKey::MemoryUnit, "appearance/memory_unit", QStringLiteral("GB")},
        {SettingKey::RecentFiles, "files/recent", QStringList()},
        {SettingKey::OpenGroups, "controls/open_groups", QStringList()},
        {SettingKey::TrainingCharts, "charts/training", QStringList()},
        {SettingKey::InferenceCharts, "charts/inference", QStringList()},
        {SettingKey::LastFolder, "files/last_folder", QString()},
        {SettingKey::PlanInputs, "plan/inputs", QVariantMap()},
        {SettingKey::SliderBounds, "controls/slider_bounds", QVariantMap()},
        {SettingKey::LessonsDone, "learn/done", QStringList()},
        {SettingKey::LessonsBegun, "learn/begun", QVariantMap()},
        {SettingKey::LessonResults, "learn/results", QVariantMap()},
        {SettingKey::LearnerName, "learn/name", QString()},
        {SettingKey::WelcomeSeen, "learn/welcome_seen", false},
        {SettingKey::Language, "appearance/language", QStringLiteral("system")},
        {SettingKey::KernelNames, "profiles/kernel_names", QStringLiteral("none")},
    };
    return rows;
}

} // namespace headroom::ui
