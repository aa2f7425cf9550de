// SPDX-License-Identifier: GPL-3.0-or-later
// ChartChoice: which charts the dashboard shows: the user's choice for each task, what comes with the scenario, and
// what a lesson speaks of.
#pragma once

#include "core/scenario/scenario.hpp"

#include <QObject>
#include <QStringList>

namespace headroom::ui
{

class Recalculator;
class Settings;

class ChartChoice final : public QObject
{
    Q_OBJECT

public:
    static constexpr int chartsShown = 6; ///< where the user has not chosen

    ChartChoice(Recalculator& results, Settings& settings, QObject* parent = nullptr);

    /// Ids for a task, in order: the user's choice, else the registry's first.
    [[nodiscard]] QStringList chartIds(Task task) const;
    void setChartIds(Task task, const QStringList& ids);
    /// For the task of the last result; the last one stays.
    void setChartShown(const QString& chartId, bool shown);
    /// For a while these stand first, in place of the user's last ones, whose choice stays as it is; empty = no longer.
    void setFeatured(const QStringList& chartIds);
    /// What stands on the dashboard now: chartIds() after those featured.
    [[nodiscard]] QStringList shownIds(Task task) const;
    /// Charts that come with what the scenario holds.
    [[nodiscard]] QStringList chartsOfContent(Task task) const;

signals:
    /// Others are to be shown for the task.
    void changed(headroom::Task task);

private:
    [[nodiscard]] std::optional<Task> task() const;

    Recalculator& m_results;
    Settings& m_settings;
    QStringList m_featured;
};

} // namespace headroom::ui
