// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_table_model.hpp"

#include "core/units/format.hpp"

namespace headroom::ui
{

QString shownCell(const std::string& cell)
{
    const QString text = QString::fromStdString(cell);
    bool number = false;
    (void)text.toDouble(&number);
    return number ? QString::fromStdString(withLocalMark(cell)) : text;
}

ChartTableModel::ChartTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void ChartTableModel::setSpec(const ChartSpec& spec)
{
    beginResetModel();
    m_exact = chartTable(spec);
    m_table = chartTable(spec, Figures::Shown);
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_table.rows.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_table.header.size());
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto cell = [&index](const ChartTable& table) {
        return QString::fromStdString(table.rows[std::size_t(index.row())][std::size_t(index.column())]);
    };
    if (role == Qt::DisplayRole)
        return cell(m_table);
    if (role == Qt::TextAlignmentRole) {
        bool number = false;
        (void)cell(m_exact).toDouble(&number);
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    return section >= 0 && section < int(m_table.header.size())
               ? QVariant(QString::fromStdString(m_table.header[std::size_t(section)]))
               : QVariant();
}

} // namespace headroom::ui
