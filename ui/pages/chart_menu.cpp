// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/chart_menu.hpp"

#include "core/charts/sweep_curves.hpp"
#include "core/metrics/metric_registry.hpp"
#include "core/support/language.hpp"
#include "ui/base/text.hpp"
#include "ui/base/tr.hpp"
#include "ui/charts/chart_view.hpp"
#include "ui/document/recalculator.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/chart_output.hpp"

#include <QActionGroup>
#include <QMenu>
#include <functional>

namespace headroom::ui
{
namespace
{

using Choose = std::function<void(const std::string& id)>;

QAction* choice(QMenu& menu, QActionGroup& group, std::string_view label, std::string_view id, bool now,
                const Choose& choose)
{
    QAction* action = menu.addAction(toQString(say(label)));
    action->setCheckable(true);
    action->setChecked(now);
    group.addAction(action);
    QObject::connect(action, &QAction::triggered, &menu, [choose, key = std::string(id)] { choose(key); });
    return action;
}

/// Parameters that can be an axis now: the everyday ones first, the others in a menu below them.
void addParameters(QMenu& menu, const Setup& setup, std::string_view now, const Choose& choose)
{
    auto* group = new QActionGroup(&menu);
    QMenu* more = nullptr;
    for (const bool everyday : {true, false})
        for (const ParameterRow& row : parameterRegistry()) {
            if (!isOffered(row, setup) || row.everyday != everyday || row.group == ParameterGroup::Measured ||
                row.kind == ParameterKind::Toggle)
                continue;
            if (!everyday && !more) {
                menu.addSeparator();
                more = menu.addMenu(tr("More"));
            }
            choice(everyday ? menu : *more, *group, row.label, row.id, row.id == now, choose);
        }
}

void addMetrics(QMenu& menu, Task task, std::string_view now, const Choose& choose)
{
    auto* group = new QActionGroup(&menu);
    QMenu* more = nullptr;
    for (const bool tile : {true, false})
        for (const MetricRow& row : metricRegistry()) {
            if (!appliesTo(row, task) || row.tile != tile || row.id.starts_with("observed."))
                continue;
            if (!tile && !more) {
                menu.addSeparator();
                more = menu.addMenu(tr("More"));
            }
            choice(tile ? menu : *more, *group, row.label, row.id, row.id == now, choose);
        }
}

void addHeatMapChoices(QMenu& menu, Recalculator& recalculator, const ChartContext& context)
{
    const Task task = context.scenario.task;
    const HeatMapChoice now = recalculator.heatMap();
    const auto change = [&recalculator](auto set) {
        return [&recalculator, set](const std::string& id) {
            HeatMapChoice next = recalculator.heatMap();
            set(next, id);
            recalculator.setHeatMap(next);
        };
    };
    addMetrics(*menu.addMenu(tr("&Colour shows")), task,
               now.metric.empty() ? (task == Task::Training ? "mfu" : "tokens_per_s") : now.metric,
               change([](HeatMapChoice& next, const std::string& id) { next.metric = id; }));
    addParameters(*menu.addMenu(tr("&Across")), context.scenario, now.x.empty() ? sweepRow(context).id : now.x,
                  change([](HeatMapChoice& next, const std::string& id) { next.x = id; }));
    addParameters(*menu.addMenu(tr("&Upwards")), context.scenario, now.y,
                  change([](HeatMapChoice& next, const std::string& id) { next.y = id; }));
    QAction* fine = menu.addAction(tr("Fine &grid"));
    fine->setCheckable(true);
    fine->setChecked(now.fine);
    QObject::connect(fine, &QAction::triggered, &menu, [&recalculator](bool on) {
        HeatMapChoice next = recalculator.heatMap();
        next.fine = on;
        recalculator.setHeatMap(next);
    });
}

} // namespace

void fillChartMenu(QMenu& menu, ChartView& chart, const ChartMenuServices& services)
{
    DashboardPage& page = services.page;
    Recalculator& recalculator = services.recalculator;
    const QString id = toQString(chart.spec().id);
    const ChartRow* row = chartRow(chart.spec().id);
    const ChartContext* context = recalculator.context();
    if (context && id == QLatin1String("heat_map"))
        addHeatMapChoices(menu, recalculator, *context);
    else if (context && row && row->swept)
        addParameters(*menu.addMenu(tr("Draw &over")), context->scenario, sweepRow(*context).id,
                      [&recalculator](const std::string& key) { recalculator.setSweepParameter(toQString(key)); });
    if (!menu.isEmpty())
        menu.addSeparator();
    menu.addAction(page.isFullSize() ? tr("&Back to all charts") : tr("&Full size"), &page,
                   [&page, &chart] { page.toggleFullSize(&chart); });
    QAction* keep = menu.addAction(tr("&Keep these axes"));
    keep->setCheckable(true);
    keep->setChecked(page.areAxesKept(id));
    QObject::connect(keep, &QAction::triggered, &page, [&page, id](bool on) { page.setAxesKept(id, on); });
    menu.addAction(tr("Show the &numbers"), &page,
                   [&chart, services] { showNumbers(chart, services.dialogs, services.settings, &services.page); });
    menu.addSeparator();
    menu.addAction(tr("Copy &picture"), &chart, [&chart] { chart.copyImage(); });
    menu.addAction(tr("Copy n&umbers"), &chart, [&chart] { copyChartData(chart); });
    menu.addAction(tr("&Export…"), &page,
                   [&chart, services] { exportChart(chart, services.dialogs, services.settings, &services.page); });
    menu.addSeparator();
    menu.addAction(tr("&Hide this chart"), &page, [&page, id] { page.choice().setChartShown(id, false); })
        ->setEnabled(page.charts().size() > 1);
}

} // namespace headroom::ui
