// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/page_output.hpp"

#include "ui/charts/chart_view.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/panels/table_output.hpp"
#include "ui/platform/dialogs.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QTableView>

namespace headroom::ui
{

PageOutput::PageOutput(QWidget& page, Dialogs& dialogs, Settings& settings)
    : QObject(&page), m_page(page), m_dialogs(dialogs), m_settings(settings)
{
    for (ChartView* chart : page.findChildren<ChartView*>())
        chart->installEventFilter(this);
    for (QTableView* table : page.findChildren<QTableView*>()) {
        table->installEventFilter(this);
        table->viewport()->installEventFilter(this);
    }
}

void PageOutput::showMenu(ChartView& chart, QPoint global)
{
    auto* menu = new QMenu(&m_page);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show the &numbers"), &chart,
                    [this, &chart] { showNumbers(chart, m_dialogs, m_settings, &m_page); });
    menu->addSeparator();
    menu->addAction(tr("Copy &picture"), &chart, [&chart] { chart.copyImage(); });
    menu->addAction(tr("Copy n&umbers"), &chart, [&chart] { copyChartData(chart); });
    menu->addAction(tr("&Export…"), &chart, [this, &chart] { exportChart(chart, m_dialogs, m_settings, &m_page); });
    menu->popup(global);
}

void PageOutput::showMenu(QTableView& table, QPoint global)
{
    auto* menu = new QMenu(&m_page);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Copy table"), &table, [&table] { copyTable(table); });
    menu->addAction(tr("&Export CSV…"), &table, [this, &table] { exportTable(table, m_dialogs, m_settings); });
    menu->popup(global);
}

bool PageOutput::eventFilter(QObject* watched, QEvent* event)
{
    auto* chart = qobject_cast<ChartView*>(watched);
    auto* table = qobject_cast<QTableView*>(chart ? nullptr : watched);
    if (!chart && !table)
        table = qobject_cast<QTableView*>(watched->parent()); // of the viewport
    if (event->type() == QEvent::ContextMenu) {
        const QPoint at = static_cast<QContextMenuEvent*>(event)->globalPos();
        if (chart)
            showMenu(*chart, at);
        else if (table)
            showMenu(*table, at);
        return chart || table;
    }
    if (event->type() == QEvent::KeyPress && table && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copyTable(*table);
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::ui
