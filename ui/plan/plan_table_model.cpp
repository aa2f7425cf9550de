// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/plan_table_model.hpp"

#include "core/support/language.hpp"
#include "core/units/format.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"

#include <algorithm>

namespace headroom::ui
{
namespace
{

constexpr QStringView between = u" · ";

/// The words after which nothing differs, of layouts with a word of their own before them.
QString sharedEnd(const std::vector<PlanOption>& options)
{
    if (options.size() < 2)
        return {};
    QStringList shared = toQString(layoutLines(options.front())).split(between.toString());
    for (const PlanOption& option : options) {
        const QStringList words = toQString(layoutLines(option)).split(between.toString());
        const auto [mine, theirs] = std::mismatch(shared.crbegin(), shared.crend(), words.crbegin(), words.crend());
        const auto alike = std::min(mine - shared.crbegin(), words.size() - 1);
        shared = shared.last(alike);
    }
    return shared.join(between);
}

} // namespace

void PlanTableModel::show(const PlanRequest& request, std::vector<PlanOption> options)
{
    beginResetModel();
    m_request = request;
    m_options = std::move(options);
    m_ticked.clear();
    m_figures.clear();
    m_shared = sharedEnd(m_options);
    const bool loaded = request.users || request.base.inference.requestsPerS;
    std::ranges::copy_if(planColumns(request.base.task), std::back_inserter(m_figures), [&](const PlanColumn& c) {
        const bool shown =
            !c.detail || (c.id == "full_batch_cost_per_million" && !loaded); // what a load costs says more
        return shown && std::ranges::any_of(m_options, [&c](const PlanOption& o) { return c.value(o).has_value(); });
    });
    m_optimised.reset();
    const PlanColumn* figure =
        m_options.empty() ? nullptr : optimisedColumn(m_figures, request.objective, m_options.front());
    if (figure)
        m_optimised = FirstFigure + static_cast<int>(figure - m_figures.data());
    endResetModel();
    emit tickedChanged();
}

int PlanTableModel::lines() const
{
    const bool pools =
        std::ranges::any_of(m_options, [](const PlanOption& o) { return o.evaluation.pools.has_value(); });
    return pools ? 2 : 1;
}

std::vector<const PlanOption*> PlanTableModel::ticked() const
{
    std::vector<int> rows(m_ticked.begin(), m_ticked.end());
    std::ranges::sort(rows);
    std::vector<const PlanOption*> all;
    for (const int row : rows)
        all.push_back(&m_options[static_cast<std::size_t>(row)]);
    return all;
}

int PlanTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_options.size());
}

int PlanTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstFigure + static_cast<int>(m_figures.size());
}

QString PlanTableModel::text(const PlanOption& option, int column, int row) const
{
    switch (column) {
    case Rank:
        return QString::number(row + 1);
    case Gpus:
        return toQString(wholeText(planGpus(option)));
    case Device:
        return toQString(option.scenario.accelerator->name);
    case Layout:
        return toQString(layoutLines(option)).chopped(m_shared.isEmpty() ? 0 : m_shared.size() + between.size());
    case Binding:
        return toQString(bindingConstraint(m_request, option, Room::Cell));
    default:
        break;
    }
    const PlanColumn& figure = m_figures[static_cast<std::size_t>(column - FirstFigure)];
    const auto value = figure.value(option);
    if (value && figure.format == ValueFormat::TokensPerS)
        return toQString(formatValue(*value, figure.format).number); // the heading tells the unit
    return value ? toQString(formatText(*value, figure.format)) : tr("–");
}

QVariant PlanTableModel::number(const PlanOption& option, int column, int row) const
{
    switch (column) {
    case Rank:
        return row;
    case Gpus:
        return qlonglong(planGpus(option));
    case Device:
    case Layout:
    case Binding:
        return text(option, column, row);
    default:
        break;
    }
    const auto value = m_figures[static_cast<std::size_t>(column - FirstFigure)].value(option);
    return value ? QVariant(*value) : QVariant();
}

Qt::AlignmentFlag PlanTableModel::alignment(int column) const
{
    if (column >= Device && column <= Binding)
        return Qt::AlignLeft;
    const bool beforeWords = column == Gpus || column == m_optimised; // a figure at the right would touch them
    return beforeWords ? Qt::AlignHCenter : Qt::AlignRight;
}

QVariant PlanTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PlanOption& option = m_options[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(option, index.column(), index.row());
    case Qt::ToolTipRole:
        return index.column() == Layout ? plainTip(toQString(layoutLines(option))) : QVariant();
    case Qt::TextAlignmentRole:
        return int(alignment(index.column()) | Qt::AlignVCenter);
    case Qt::CheckStateRole:
        return index.column() == Rank ? QVariant(m_ticked.contains(index.row()) ? Qt::Checked : Qt::Unchecked)
                                      : QVariant();
    case Qt::AccessibleTextRole:
        return QString(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() + QChar(u' ') +
                       text(option, index.column(), index.row()));
    case sortRole:
        return number(option, index.column(), index.row());
    default:
        return {};
    }
}

QVariant PlanTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const bool figure = section >= FirstFigure && section < columnCount();
    if (role == Qt::TextAlignmentRole)
        return int(alignment(section) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && figure)
        return toQString(m_figures[static_cast<std::size_t>(section - FirstFigure)].tip);
    if (role == Qt::ToolTipRole && section == Rank)
        return tr("Tick up to four to compare them");
    if (role == Qt::ToolTipRole && section == Binding)
        return tr("The resource that runs out first, and the share in use");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Rank:
        return tr("Rank");
    case Gpus:
        return tr("GPUs");
    case Device:
        return tr("Accelerator");
    case Layout:
        return tr("Layout");
    case Binding:
        return tr("Tightest limit");
    default:
        return figure ? toQString(say(m_figures[static_cast<std::size_t>(section - FirstFigure)].label)) : QString();
    }
}

Qt::ItemFlags PlanTableModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == Rank)
        all |= Qt::ItemIsUserCheckable;
    return all;
}

bool PlanTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || index.column() != Rank)
        return false;
    const bool on = value.toInt() == Qt::Checked;
    if (on && m_ticked.size() >= mostTicked && !m_ticked.contains(index.row()))
        return false;
    if (on)
        m_ticked.insert(index.row());
    else
        m_ticked.remove(index.row());
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit tickedChanged();
    return true;
}

} // namespace headroom::ui
