// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: what the window remembers between runs, one row per key in one table.
#pragma once

#include <QSettings>
#include <QVariant>

namespace headroom::ui
{

enum class SettingKey : int {
    Geometry,
    SplitterSizes,
    ShowExplanation,
    Theme,
    TypeScale,
    MemoryUnit,
    RecentFiles,
    OpenGroups,
    TrainingCharts,
    InferenceCharts,
    LastFolder,
    PlanInputs,
    SliderBounds,
    LessonsDone,
    LessonsBegun,
    LessonResults,
    LearnerName,
    WelcomeSeen,
    Language,
    KernelNames
};

/// A key's name in the file and the value it has before anybody chose one.
struct SettingRow {
    SettingKey key;
    const char* name;
    QVariant fallback;
};

class Settings final
{
public:
    /// In the user's configuration folder (honours XDG variables); the organisation and application name must be set.
    Settings();
    /// In one named file: tests and portable use.
    explicit Settings(const QString& file);

    [[nodiscard]] QVariant value(SettingKey key) const;
    void setValue(SettingKey key, const QVariant& value);
    /// Writes what is pending now. Whether it could be; where not, the file holds what it held before.
    [[nodiscard]] bool flush();
    [[nodiscard]] QString fileName() const { return m_settings.fileName(); }
    /// A file of the user's beside the settings.
    [[nodiscard]] QString fileBeside(const QString& name) const;

    /// Every key, in the order of the enumeration.
    [[nodiscard]] static const QList<SettingRow>& table();

private:
    QSettings m_settings;
};

} // namespace headroom::ui
