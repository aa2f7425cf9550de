// SPDX-License-Identifier: GPL-3.0-or-later
// DataTable: the numbers of one chart in a window of their own, in step with the chart, to read, copy and save.
#pragma once

#include <QDialog>

class QTableView;

namespace headroom::ui
{

class ChartTableModel;
class ChartView;

class DataTable final : public QDialog
{
    Q_OBJECT

public:
    /// Closes itself when the chart goes.
    explicit DataTable(ChartView& chart, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* table() const { return m_table; }

signals:
    void exportRequested();

private:
    void follow();

    ChartView& m_chart;
    ChartTableModel* m_model;
    QTableView* m_table;
};

} // namespace headroom::ui
