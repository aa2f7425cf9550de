// SPDX-License-Identifier: GPL-3.0-or-later
// ChartTableModel: the table of a chart's numbers for a view.
#pragma once

#include "core/charts/chart_table.hpp"

#include <QAbstractTableModel>

namespace headroom::ui
{

/// An exact cell as a spreadsheet pastes it: a number has the decimal mark of the language in force.
[[nodiscard]] QString shownCell(const std::string& cell);

class ChartTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit ChartTableModel(QObject* parent = nullptr);

    void setSpec(const ChartSpec& spec);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ChartTable m_table, m_exact; ///< the same cells, shown and exact
};

} // namespace headroom::ui
