// SPDX-License-Identifier: GPL-3.0-or-later
// PageOutput: gives every chart and every table of a page its ways out: a menu, and Ctrl+C for tables.
#pragma once

#include <QObject>
#include <QPoint>

class QTableView;

namespace headroom::ui
{

class ChartView;
class Dialogs;
class Settings;

class PageOutput final : public QObject
{
    Q_OBJECT

public:
    /// For the charts and tables that the page has by now; lives as long as the page.
    PageOutput(QWidget& page, Dialogs& dialogs, Settings& settings);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMenu(ChartView& chart, QPoint global);
    void showMenu(QTableView& table, QPoint global);

    QWidget& m_page;
    Dialogs& m_dialogs;
    Settings& m_settings;
};

} // namespace headroom::ui
