// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare_model.hpp"

#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/text.hpp"
#include "ui/widgets/local_number.hpp"

#include <QFont>
#include <algorithm>

namespace headroom::ui
{
namespace
{

bool sameShape(const Comparison& a, const Comparison& b)
{
    return a.columns.size() == b.columns.size() &&
           std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                      [](const ComparisonRow& x, const ComparisonRow& y) { return x.metric == y.metric; });
}

} // namespace

void CompareModel::setComparison(Comparison comparison)
{
    if (!sameShape(m_comparison, comparison)) {
        beginResetModel();
        m_comparison = std::move(comparison);
        endResetModel();
        return;
    }
    m_comparison = std::move(comparison);
    if (rowCount() > 0 && columnCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
}

int CompareModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_comparison.rows.size());
}

int CompareModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_comparison.columns.size());
}

QVariant CompareModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ComparisonRow& row = m_comparison.rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    const auto& value = row.values[column];
    const bool best = row.best == column;
    const QString number = value ? toQString(formatText(*value, row.metric->format)) : QStringLiteral("–");
    const QString words = toQString(row.words[column]);
    switch (role) {
    case Qt::DisplayRole: {
        const QString marked = best ? QString(QStringLiteral("✓ ") + number) : number;
        return words.isEmpty() ? marked : QString(marked + u'\n' + tr("now %1").arg(words));
    }
    case Qt::ToolTipRole:
        return value ? QString(toQString(say(row.metric->definition)) + u'\n' + fullNumber(*value))
                     : toQString(say(row.metric->definition));
    case Qt::AccessibleTextRole:
        return QString(toQString(row.label) + u' ' + number + (best ? tr(", the best") : QString()) +
                       (words.isEmpty() ? QString() : tr(", now %1").arg(words)));
    case Qt::FontRole: {
        QFont font;
        font.setBold(best);
        return font;
    }
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignRight | Qt::AlignTop); // figures on one line, whether or not words follow
    default:
        return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0 || section >= (orientation == Qt::Horizontal ? columnCount() : rowCount()))
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Vertical) {
        const ComparisonRow& row = m_comparison.rows[at];
        if (role == Qt::DisplayRole)
            return toQString(row.label);
        return role == Qt::ToolTipRole ? QVariant(toQString(say(row.metric->definition))) : QVariant();
    }
    const ComparisonColumn& column = m_comparison.columns[at];
    if (role == Qt::ToolTipRole)
        return toQString(column.refusal.empty() ? column.name : column.name + ": " + column.refusal);
    if (role != Qt::DisplayRole)
        return {};
    const QString letter = column.letter.empty() ? tr("Now") : toQString(column.letter);
    const QString head =
        column.otherTask.empty() ? letter : tr("%1 (%2: not ranked)").arg(letter, toQString(column.otherTask));
    const QString state = !column.refusal.empty() ? tr("%1 (cannot be evaluated)").arg(head)
                          : column.fits           ? head
                                                  : tr("%1 (does not fit)").arg(head);
    const bool allAlike = std::all_of(m_comparison.columns.begin(), m_comparison.columns.end(),
                                      [&](const ComparisonColumn& each) { return each.name == column.name; });
    // What all have in common tells nothing apart; a name has its model and its hardware on lines of their own.
    return allAlike
               ? state
               : QString(state + u'\n' + toQString(column.name).replace(QStringLiteral(", "), QStringLiteral("\n")));
}

} // namespace headroom::ui
