// SPDX-License-Identifier: GPL-3.0-or-later
// ChartTableModel: the numbers of a chart as a table in full precision, for reading, copying and CSV.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <QAbstractTableModel>
#include <string>
#include <vector>

namespace headroom::ui
{

/// A chart's numbers as text: one row per x where all series are lines over the same x, otherwise one row per point.
struct ChartTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

/// Headings in the language in force, numbers with decimal points.
[[nodiscard]] ChartTable chartTable(const ChartSpec& spec);

/// A cell as it is read: a number has the decimal mark of the language in force.
[[nodiscard]] QString shownCell(const std::string& cell);

/// RFC 4180 with line feeds, decimal points and a header row, in English, as far as `spec` is
/// (ChartView::specForFiles()).
[[nodiscard]] std::string csvText(const ChartSpec& spec);

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
    ChartTable m_table;
};

} // namespace headroom::ui
