// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/row_table_model.hpp"

#include "core/units/format.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"
#include "ui/parameters/parameter_text.hpp"

#include <QGuiApplication>
#include <QPalette>
#include <cmath>
#include <utility>

namespace headroom::ui
{

RowTableModel::RowTableModel(RowList list, ScenarioStore& store, Recalculator& recalculator, QObject* parent)
    : QAbstractTableModel(parent), m_list(std::move(list)), m_store(store), m_recalculator(recalculator),
      m_rows(static_cast<int>(m_list.count(store.scenario())))
{
    connect(&store, &ScenarioStore::scenarioChanged, this, &RowTableModel::refresh);
    connect(&recalculator, &Recalculator::evaluated, this, &RowTableModel::showResults);
    showResults();
}

int RowTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int RowTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_list.columns.size()) + static_cast<int>(m_list.results.size());
}

const RowColumn* RowTableModel::column(int at) const
{
    const auto place = static_cast<std::size_t>(at);
    return at >= 0 && place < m_list.columns.size() ? &m_list.columns[place] : nullptr;
}

bool RowTableModel::isOwn(const RowColumn& column, std::size_t row) const
{
    return column.text ? !column.text(scenario(), row).isEmpty() : column.number(scenario(), row).has_value();
}

QString RowTableModel::shown(const RowColumn& column, std::size_t row) const
{
    if (column.text)
        return isOwn(column, row) ? column.text(scenario(), row) : m_list.name(scenario(), row);
    const ParameterRow& parameter = *column.parameter;
    const double value = column.number(scenario(), row).value_or(parameter.get(scenario()));
    return toQString(formatText(value, parameter.format));
}

QVariant RowTableModel::data(const QModelIndex& index, int role) const
{
    const auto row = static_cast<std::size_t>(index.row());
    if (!index.isValid() || row >= m_list.count(scenario()))
        return {};
    const RowColumn* own = column(index.column());
    if (role == Qt::TextAlignmentRole && !(own && own->text)) // numbers
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (!own) {
        const int place = index.column() - static_cast<int>(m_list.columns.size());
        const QString text = row < m_results.size() ? m_results[row].value(place) : QString();
        if (role == Qt::AccessibleTextRole)
            return tr("%1: %2", "column, value").arg(m_list.results.value(place), text);
        return role == Qt::DisplayRole ? QVariant(text) : QVariant();
    }
    switch (role) {
    case Qt::DisplayRole:
        return shown(*own, row);
    case Qt::EditRole:
        if (own->text)
            return own->text(scenario(), row);
        return isOwn(*own, row) ? typedText(*own->parameter, *own->number(scenario(), row)) : QString();
    case Qt::ForegroundRole:
        return isOwn(*own, row) ? QVariant() : QVariant(QGuiApplication::palette().brush(QPalette::PlaceholderText));
    case Qt::ToolTipRole:
        return plainTip(own->tip);
    case Qt::AccessibleTextRole:
        return isOwn(*own, row) || own->text
                   ? tr("%1: %2", "column, value").arg(own->title, shown(*own, row))
                   : tr("%1: %2, as in the scenario", "column, value").arg(own->title, shown(*own, row));
    default:
        return {};
    }
}

QVariant RowTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const RowColumn* own = column(section);
    if (role == Qt::DisplayRole)
        return own ? own->title : m_list.results.value(section - static_cast<int>(m_list.columns.size()));
    return role == Qt::ToolTipRole && own ? QVariant(plainTip(own->tip)) : QVariant();
}

Qt::ItemFlags RowTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return column(index.column()) ? usual | Qt::ItemIsEditable : usual;
}

QString RowTableModel::refusalOf(const RowColumn& column, const QString& text, std::optional<double>& value) const
{
    const ParameterRow& parameter = *column.parameter;
    if (text.isEmpty())
        return column.needed ? tr("%1: a number is needed.").arg(column.title) : QString();
    const bool whole = parameter.kind == ParameterKind::Integer;
    value = typedValue(parameter, text);
    if (!value)
        return tr("%1: “%2” is not a number.").arg(column.title, text);
    if (whole)
        value = std::round(*value);
    if (*value < parameter.minimum || *value > parameter.maximum)
        return tr("%1: from %2 to %3.")
            .arg(column.title, toQString(formatText(parameter.minimum, parameter.format)),
                 toQString(formatText(parameter.maximum, parameter.format)));
    return {};
}

bool RowTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const RowColumn* own = column(index.column());
    const auto row = static_cast<std::size_t>(index.row());
    if (role != Qt::EditRole || !own || !index.isValid() || row >= m_list.count(scenario()))
        return false;
    const QString text = value.toString().trimmed();
    std::optional<double> number;
    const QString reason = own->text ? QString() : refusalOf(*own, text, number);
    emit refused(reason);
    if (!reason.isEmpty())
        return false;
    m_store.edit(0, m_list.set.arg(own->title, m_list.name(scenario(), row)), [&](Scenario& s) {
        if (own->text)
            own->setText(s, row, text);
        else
            own->setNumber(s, row, number);
    });
    return true;
}

void RowTableModel::add(int at)
{
    if (at >= 0 && at <= m_rows && m_list.count(scenario()) < m_list.most)
        m_store.edit(0, m_list.add, [&](Scenario& s) { m_list.insert(s, static_cast<std::size_t>(at)); });
}

void RowTableModel::remove(int at)
{
    if (at >= 0 && at < m_rows)
        m_store.edit(0, m_list.remove, [&](Scenario& s) { m_list.erase(s, static_cast<std::size_t>(at)); });
}

void RowTableModel::move(int at, int by)
{
    const int to = at + by;
    if (at >= 0 && at < m_rows && to >= 0 && to < m_rows)
        m_store.edit(0, m_list.move,
                     [&](Scenario& s) { m_list.swap(s, static_cast<std::size_t>(at), static_cast<std::size_t>(to)); });
}

void RowTableModel::refresh()
{
    const int rows = static_cast<int>(m_list.count(scenario()));
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginRemoveRows({}, rows, m_rows - 1);
        m_rows = rows;
        endRemoveRows();
    }
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

void RowTableModel::showResults()
{
    m_results.clear();
    if (const ChartContext* context = m_recalculator.context(); context && !m_recalculator.isRefused())
        m_results = m_list.compute(*context);
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

} // namespace headroom::ui
