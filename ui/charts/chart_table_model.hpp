// SPDX-License-Identifier: GPL-3.0-or-later
// ChartTableModel: the numbers of a chart as a table: as they are read on the screen, in full for copying and CSV.
#pragma once

#include "core/charts/chart_spec.hpp"

#include <QAbstractTableModel>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::ui
{

/// A chart's numbers as text: one row per x where all series are lines over the same x, otherwise one row per point.
struct ChartTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};

/// How numbers stand in a table. Exact: in full precision, of the base unit that the heading names, with decimal
/// points. Shown: with their unit and no more digits than are known, as everywhere in the window.
enum class Figures : std::uint8_t { Exact, Shown };

/// Headings in the language in force.
[[nodiscard]] ChartTable chartTable(const ChartSpec& spec, Figures figures = Figures::Exact);

/// An exact cell as a spreadsheet pastes it: a number has the decimal mark of the language in force.
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
    ChartTable m_table, m_exact; ///< the same cells, shown and exact
};

} // namespace headroom::ui
