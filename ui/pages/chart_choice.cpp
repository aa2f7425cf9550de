// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/chart_choice.hpp"

#include "ui/base/text.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/settings/settings.hpp"

#include <algorithm>

namespace headroom::ui
{
namespace
{

SettingKey keyOf(Task task)
{
    return task == Task::Training ? SettingKey::TrainingCharts : SettingKey::InferenceCharts;
}

} // namespace

ChartChoice::ChartChoice(Recalculator& results, Settings& settings, QObject* parent)
    : QObject(parent), m_results(results), m_settings(settings)
{
}

std::optional<Task> ChartChoice::task() const
{
    const ChartContext* context = m_results.context();
    return context ? std::optional(context->scenario.task) : std::nullopt;
}

QStringList ChartChoice::chartsOfContent(Task task) const
{
    const ChartContext* context = m_results.context();
    QStringList ids;
    for (const ChartRow& row : chartRegistry())
        if (context && appliesTo(row, task) && row.comesWith && row.comesWith(context->scenario))
            ids << toQString(row.id);
    return ids;
}

QStringList ChartChoice::chartIds(Task task) const
{
    QStringList ids;
    for (const QString& id : m_settings.value(keyOf(task)).toStringList())
        if (const ChartRow* row = chartRow(toUtf8(id)); row && appliesTo(*row, task) && !row->comesWith)
            ids << id;
    const bool chosen = !ids.isEmpty();
    for (const ChartRow& row : chartRegistry())
        if (appliesTo(row, task) && !row.comesWith && !chosen && ids.size() < chartsShown)
            ids << toQString(row.id);
    return ids + chartsOfContent(task);
}

void ChartChoice::setChartIds(Task task, const QStringList& ids)
{
    m_settings.setValue(keyOf(task), ids);
    emit changed(task);
}

void ChartChoice::setChartShown(const QString& chartId, bool shown)
{
    const auto now = task();
    if (!now)
        return;
    QStringList ids = chartIds(*now);
    if (shown && !ids.contains(chartId))
        ids << chartId;
    else if (!shown && ids.size() > 1)
        ids.removeAll(chartId);
    setChartIds(*now, ids);
}

void ChartChoice::setFeatured(const QStringList& chartIds)
{
    if (m_featured == chartIds)
        return;
    m_featured = chartIds;
    if (const auto now = task())
        emit changed(*now);
}

QStringList ChartChoice::shownIds(Task task) const
{
    const QStringList chosen = chartIds(task);
    QStringList ids;
    for (const QString& id : m_featured)
        if (const ChartRow* row = chartRow(toUtf8(id)); row && appliesTo(*row, task))
            ids << id;
    const qsizetype room = std::max(chosen.size(), ids.size());
    for (const QString& id : chosen)
        if (!ids.contains(id) && ids.size() < room)
            ids << id;
    return ids;
}

} // namespace headroom::ui
