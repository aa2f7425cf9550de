// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/catalog_table.hpp"

#include "core/support/language.hpp"
#include "ui/base/plain_tip.hpp"
#include "ui/base/text.hpp"
#include "ui/settings/language.hpp"
#include "ui/widgets/local_number.hpp"

#include <algorithm>

namespace headroom::ui
{

CatalogTableModel::CatalogTableModel(CatalogKind kind, QObject* parent) : QAbstractTableModel(parent), m_kind(kind)
{
    m_columns.push_back({tr("Name"), {}, QStringLiteral("Name"), false});
    if (kind == CatalogKind::Accelerators)
        addColumns(acceleratorFacts());
    else
        addColumns(modelFacts());
}

template <typename Entry>
void CatalogTableModel::addColumns(std::span<const FactRow<Entry>> facts)
{
    for (const FactRow<Entry>& fact : facts)
        if (!fact.column.empty())
            m_columns.push_back({toQString(say(fact.column)), toQString(say(fact.label)), toQString(fact.column),
                                 fact.number != nullptr});
}

template <typename Entry>
void CatalogTableModel::addRow(const Entry& entry, std::span<const FactRow<Entry>> facts, Row row)
{
    row.cells.push_back({row.name, {}});
    for (const FactRow<Entry>& fact : facts)
        if (!fact.column.empty())
            row.cells.push_back(
                {toQString(factText(fact, entry)), fact.number ? fact.number(entry) : std::optional<double>()});
    m_rows.push_back(std::move(row));
}

void CatalogTableModel::setCatalog(const Catalog& catalog)
{
    beginResetModel();
    m_rows.clear();
    m_accelerators.clear();
    m_models.clear();
    if (m_kind == CatalogKind::Accelerators)
        for (const auto& a : catalog.accelerators()) {
            m_accelerators.push_back(a);
            addRow(*a, acceleratorFacts(), {toQString(a->id), toQString(a->name), toQString(a->vendor), a->custom, {}});
        }
    else
        for (const auto& m : catalog.models()) {
            m_models.push_back(modelEntry(m));
            addRow(m_models.back(), modelFacts(),
                   {toQString(m->id), toQString(m->name), toQString(m->family), m->custom, {}});
        }
    endResetModel();
}

QString CatalogTableModel::idAt(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].id;
}

int CatalogTableModel::rowOf(const QString& id) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&id](const Row& row) { return row.id == id; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

bool CatalogTableModel::isOwn(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].own;
}

QString CatalogTableModel::facetAt(int row) const
{
    return m_rows[static_cast<std::size_t>(row)].facet;
}

QStringList CatalogTableModel::facets() const
{
    QStringList facets;
    for (const Row& row : m_rows)
        if (!row.facet.isEmpty() && !facets.contains(row.facet))
            facets << row.facet;
    return facets;
}

const std::shared_ptr<const Accelerator>& CatalogTableModel::acceleratorAt(int row) const
{
    return m_accelerators[static_cast<std::size_t>(row)];
}

const ModelEntry& CatalogTableModel::modelAt(int row) const
{
    return m_models[static_cast<std::size_t>(row)];
}

int CatalogTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CatalogTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

namespace
{

template <typename Entry>
QString factOfColumn(std::span<const FactRow<Entry>> facts, const Entry& entry, int column)
{
    for (const FactRow<Entry>& fact : facts)
        if (!fact.column.empty() && --column == 0)
            return toQString(factText(fact, entry));
    return {};
}

} // namespace

QString CatalogTableModel::textAt(const QModelIndex& index) const
{
    const auto row = static_cast<std::size_t>(index.row());
    if (index.column() == 0 || !speaksEnglish() || Language::current() == QLatin1String("en"))
        return m_rows[row].cells[static_cast<std::size_t>(index.column())].text;
    return m_kind == CatalogKind::Accelerators ? factOfColumn(acceleratorFacts(), *m_accelerators[row], index.column())
                                               : factOfColumn(modelFacts(), m_models[row], index.column());
}

QVariant CatalogTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const Column& column = m_columns[static_cast<std::size_t>(index.column())];
    const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == 0 && row.own)
            return tr("%1 · yours").arg(cell.text);
        return cell.text.isEmpty() && column.number ? QStringLiteral("–") : textAt(index);
    case sortRole:
        if (column.number)
            return cell.number ? QVariant(*cell.number) : QVariant();
        return cell.text.isEmpty() ? QVariant() : QVariant(cell.text.toLower());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ToolTipRole:
        return cell.number ? QVariant(fullNumber(*cell.number)) : QVariant(plainTip(cell.text));
    case Qt::AccessibleTextRole: {
        const QString value =
            cell.text.isEmpty() ? (m_kind == CatalogKind::Models ? tr("none") : tr("none known")) : cell.text;
        return index.column() == 0 ? data(index, Qt::DisplayRole).toString()
                                   : QStringLiteral("%1: %2").arg(column.title, value);
    }
    default:
        return {};
    }
}

QVariant CatalogTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return speaksEnglish() ? column.english : column.title;
    if (role == Qt::ToolTipRole)
        return column.tip;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft)));
    return {};
}

CatalogFilter::CatalogFilter(CatalogTableModel& table, QObject* parent) : QSortFilterProxyModel(parent), m_table(table)
{
    setSourceModel(&table);
    setSortRole(CatalogTableModel::sortRole);
}

void CatalogFilter::setMatches(const std::optional<QStringList>& ids)
{
    m_ranks.reset();
    if (ids) {
        m_ranks.emplace();
        for (const QString& id : *ids)
            m_ranks->insert(id, static_cast<int>(m_ranks->size()));
    }
    m_byRank = m_byRank && m_ranks;
    invalidate();
}

void CatalogFilter::setFacet(const QString& facet)
{
    if (facet == m_facet)
        return;
    m_facet = facet;
    invalidateFilter();
}

void CatalogFilter::setOwnOnly(bool own)
{
    if (own == m_ownOnly)
        return;
    m_ownOnly = own;
    invalidateFilter();
}

void CatalogFilter::orderBy(int column, Qt::SortOrder order)
{
    const bool byRank = column < 0 && m_ranks.has_value();
    const int by = byRank ? 0 : column;
    const Qt::SortOrder way = byRank ? Qt::AscendingOrder : order;
    if (byRank == m_byRank && by == sortColumn() && way == sortOrder())
        return;
    m_byRank = byRank;
    sort(by, way);
    invalidate();
}

QString CatalogFilter::idAt(int row) const
{
    return m_table.idAt(mapToSource(index(row, 0)).row());
}

bool CatalogFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    return (!m_ranks || m_ranks->contains(m_table.idAt(row))) &&
           (m_facet.isEmpty() || m_table.facetAt(row) == m_facet) && (!m_ownOnly || m_table.isOwn(row));
}

bool CatalogFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    if (m_byRank)
        return m_ranks->value(m_table.idAt(left.row())) < m_ranks->value(m_table.idAt(right.row()));
    const QVariant a = left.data(CatalogTableModel::sortRole), b = right.data(CatalogTableModel::sortRole);
    if (a.isValid() != b.isValid()) // the unknown last, whichever way
        return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (a.isValid() && a != b)
        return a.typeId() == QMetaType::Double ? a.toDouble() < b.toDouble()
                                               : QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    const int byRow = left.row() - right.row(); // equal ones in the catalogue's order
    return sortOrder() == Qt::AscendingOrder ? byRow < 0 : byRow > 0;
}

} // namespace headroom::ui
