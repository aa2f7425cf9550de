// SPDX-License-Identifier: GPL-3.0-or-later
// ChartCommands: the commands that are about a chart act on the one in hand, on whatever page it is.
#pragma once

#include <QObject>
#include <functional>

class QAction;

namespace headroom::ui
{

class Actions;
class ChartView;
class DashboardPage;
struct Session;

class ChartCommands final : public QObject
{
    Q_OBJECT

public:
    /// `window` holds all pages.
    ChartCommands(const Actions& actions, DashboardPage& dashboard, Session& session, QWidget& window);

signals:
    /// Why a command did nothing.
    void said(const QString& words);

private:
    void connectTo(QAction* action, const std::function<void(ChartView&)>& act);
    /// Under the keyboard or the pointer; null when there is none.
    [[nodiscard]] ChartView* chartInHand() const;

    DashboardPage& m_dashboard;
    QWidget& m_window;
};

} // namespace headroom::ui
