// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/palette_entries.hpp"

#include "core/metrics/metric_registry.hpp"
#include "core/metrics/words.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/main_window.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/pages/page_stack.hpp"
#include "ui/panels/metric_tiles.hpp"
#include "ui/parameters/catalog_entries.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/widgets/catalog_picker.hpp"

#include <QCoreApplication>

namespace headroom::ui
{
namespace
{

QString tr(const char* text)
{
    return QCoreApplication::translate("Palette", text);
}

using Entries = std::vector<PaletteEntry>;

/// Commands and pages: whatever the window has as an action that can run now.
void addActions(Entries& entries, MainWindow& window)
{
    for (QAction* action : window.QWidget::actions()) {
        if (!action->isEnabled() || action == window.actions()[ActionId::Palette])
            continue;
        const bool page = action->objectName().startsWith(QLatin1String("page."));
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        QStringList detail{action->statusTip()};
        if (!keys.isEmpty())
            detail << keys;
        entries.push_back({QString(action->text()).remove(u'&'), page ? tr("page") : tr("command"),
                           detail.join(QStringLiteral(" · ")), [action] { action->trigger(); }});
    }
}

void addCharts(Entries& entries, MainWindow& window)
{
    const Task task = window.store().scenario().task;
    for (const ChartRow& row : chartRegistry())
        if (appliesTo(row, task))
            entries.push_back(
                {toQString(say(row.title)), tr("chart"), toQString(say(row.description)), [&window, &row] {
                     window.pages().show(QStringLiteral("dashboard"));
                     window.dashboard().setChartShown(toQString(row.id), true);
                     if (ChartView* chart = window.dashboard().chart(toQString(row.id));
                         chart && !window.dashboard().isFullSize())
                         window.dashboard().toggleFullSize(chart);
                 }});
}

void addCatalog(Entries& entries, MainWindow& window)
{
    const Catalog& catalog = window.recalculator().catalog();
    for (const PickerEntry& model : modelSearch(catalog)(QString()))
        entries.push_back({model.name, tr("model"), model.facts, [&window, model] {
                               window.store().edit(0, tr("Model %1").arg(model.name), [&model](Scenario& scenario) {
                                   scenario.model = {toUtf8(model.id), {}};
                               });
                           }});
    for (const PickerEntry& device : acceleratorSearch(catalog)(QString()))
        entries.push_back({device.name, tr("accelerator"), device.facts, [&window, device] {
                               window.store().chooseAccelerator(tr("Accelerator %1").arg(device.name), device.id);
                           }});
}

void addParameters(Entries& entries, MainWindow& window)
{
    const Setup& setup = window.store().scenario();
    for (const ParameterRow& row : parameterRegistry())
        if (isOffered(row, setup))
            entries.push_back(
                {toQString(say(row.label)), tr("parameter"), toQString(say(row.description)), [&window, &row] {
                     if (!window.pages().current().parameters)
                         window.pages().show(QStringLiteral("dashboard"));
                     window.parameters().focusRow(toQString(row.id));
                 }});
    for (const ParameterRow& row : parameterRegistry()) {
        const ParameterRowWidget* widget = window.parameters().rowWidget(toQString(row.id));
        if (!widget || !widget->slider() || !row.everyday || !isOffered(row, setup))
            continue;
        entries.push_back({tr("Draw charts over %1").arg(toQString(inSentence(row.label))), tr("command"), QString(),
                           [&window, &row] { window.recalculator().setSweepParameter(toQString(row.id)); }});
        entries.push_back({tr("Play %1").arg(toQString(inSentence(row.label))), tr("command"),
                           tr("Moves it by itself, until any key or click"),
                           [&window, &row] { window.parameters().play(toQString(row.id)); }});
    }
}

void addMetrics(Entries& entries, MainWindow& window)
{
    for (const MetricRow& row : metricRegistry())
        if (appliesTo(row, window.store().scenario().task))
            entries.push_back(
                {toQString(say(row.label)), tr("metric"), toQString(say(row.definition)), [&window, &row] {
                     window.pages().show(QStringLiteral("dashboard"));
                     window.explainMetric(toQString(row.id));
                 }});
}

} // namespace

std::vector<PaletteEntry> paletteEntries(MainWindow& window)
{
    Entries entries;
    addActions(entries, window);
    addCharts(entries, window);
    addParameters(entries, window);
    addMetrics(entries, window);
    addCatalog(entries, window);
    return entries;
}

} // namespace headroom::ui
