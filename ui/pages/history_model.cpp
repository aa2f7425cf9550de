// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history_model.hpp"

#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"

#include <QDateTime>
#include <QLocale>

namespace headroom::ui
{
namespace
{

QDateTime timeOf(const std::string& recorded)
{
    return QDateTime::fromString(toQString(recorded), Qt::ISODate);
}

bool isNumber(int column)
{
    return column == HistoryModel::Gpus || column == HistoryModel::Mfu || column == HistoryModel::Mbu ||
           column == HistoryModel::Time;
}

} // namespace

HistoryModel::HistoryModel(RunLibrary& library, QObject* parent) : QAbstractTableModel(parent), m_library(library)
{
    connect(&library, &RunLibrary::changed, this, [this] {
        beginResetModel();
        endResetModel();
    });
}

int HistoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_library.own().size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const MeasuredRun* HistoryModel::run(int row) const
{
    const auto& own = m_library.shelf()->own;
    const auto at = static_cast<std::size_t>(row);
    return own && at < own->size() ? &(*own)[at] : nullptr;
}

std::optional<double> HistoryModel::figure(int row, int column) const
{
    const MeasuredRun* measured = run(row);
    if (!measured || !measured->evaluation.observed)
        return std::nullopt;
    const Observed& observed = *measured->evaluation.observed;
    switch (column) {
    case Mfu:
        return observed.mfu;
    case Mbu:
        return observed.mbu;
    case Time:
        return measured->prepared.task == Task::Training ? observed.stepTimeS : measured->prepared.measured.tpotS;
    default:
        return std::nullopt;
    }
}

QString HistoryModel::text(int row, int column) const
{
    const MeasuredRun* measured = run(row);
    const Scenario& scenario = m_library.own()[static_cast<std::size_t>(row)];
    if (!measured)
        return {};
    switch (column) {
    case When: {
        const QDateTime time = timeOf(m_library.recorded()[static_cast<std::size_t>(row)]);
        return time.isValid() ? QLocale().toString(time.toLocalTime(), QLocale::ShortFormat) : tr("–");
    }
    case Name:
        return toQString(scenario.name.empty() ? scenario.source : scenario.name);
    case Model:
        return toQString(measured->prepared.model->architecture.name);
    case Device:
        return toQString(measured->prepared.accelerator->name);
    case Gpus:
        return toQString(wholeText(double(scenario.hardware.count)));
    case Note:
        return toQString(scenario.notes);
    default:
        break;
    }
    const auto value = figure(row, column);
    if (!value)
        return tr("–");
    const std::string shown = formatText(*value, column == Time ? ValueFormat::Seconds : ValueFormat::Percent);
    const bool impossible = column != Time && measured->evaluation.observed->impossible;
    return toQString(impossible ? say("{}: impossible", shown) : shown);
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row(), column = index.column();
    const bool number = isNumber(column);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return column == Note || column == Name ? plainTip(text(row, column)) : QVariant();
    case Qt::AccessibleTextRole:
        return QString(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + u' ' + text(row, column));
    case Qt::TextAlignmentRole:
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case sortRole:
        if (column == When)
            return toQString(m_library.recorded()[static_cast<std::size_t>(row)]);
        if (column == Gpus)
            return qlonglong(m_library.own()[static_cast<std::size_t>(row)].hardware.count);
        if (number)
            return figure(row, column).value_or(-1);
        return text(row, column);
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case When:
        return tr("When");
    case Name:
        return tr("Run");
    case Model:
        return tr("Model");
    case Device:
        return tr("Accelerator");
    case Gpus:
        return tr("GPUs");
    case Mfu:
        return tr("MFU");
    case Mbu:
        return tr("MBU");
    case Time:
        return tr("Step or token");
    default:
        return tr("Note");
    }
}

Qt::ItemFlags HistoryModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return index.column() == Note ? all | Qt::ItemIsEditable : all;
}

bool HistoryModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || index.column() != Note)
        return false;
    m_library.setNote(static_cast<std::size_t>(index.row()), value.toString().trimmed());
    return true;
}

} // namespace headroom::ui
