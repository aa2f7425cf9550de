// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/chart_commands.hpp"

#include "ui/charts/chart_view.hpp"
#include "ui/commands/actions.hpp"
#include "ui/pages/dashboard.hpp"
#include "ui/panels/chart_output.hpp"
#include "ui/session/session.hpp"

namespace headroom::ui
{

ChartCommands::ChartCommands(const Actions& actions, DashboardPage& dashboard, Session& session, QWidget& window)
    : QObject(&window), m_dashboard(dashboard), m_window(window)
{
    connectTo(actions[ActionId::FullSize], [this](ChartView& chart) {
        if (m_dashboard.isAncestorOf(&chart))
            m_dashboard.toggleFullSize(&chart);
    });
    connectTo(actions[ActionId::ChartNumbers],
              [this, &session](ChartView& chart) { showNumbers(chart, session.dialogs, session.settings, &m_window); });
    connectTo(actions[ActionId::ExportChart],
              [this, &session](ChartView& chart) { exportChart(chart, session.dialogs, session.settings, &m_window); });
}

void ChartCommands::connectTo(QAction* action, const std::function<void(ChartView&)>& act)
{
    connect(action, &QAction::triggered, this, [this, act] {
        if (ChartView* chart = chartInHand())
            act(*chart);
        else
            emit said(tr("Point at a chart first, or take the keyboard to it."));
    });
}

ChartView* ChartCommands::chartInHand() const
{
    if (ChartView* chart = m_dashboard.isVisible() ? m_dashboard.chartInHand() : nullptr)
        return chart;
    for (ChartView* chart : m_window.findChildren<ChartView*>()) // of another page
        if (chart->isVisible() && (chart->hasFocus() || chart->underMouse()))
            return chart;
    return nullptr;
}

} // namespace headroom::ui
