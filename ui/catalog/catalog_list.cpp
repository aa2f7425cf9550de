// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/catalog/catalog_list.hpp"

#include "ui/base/text.hpp"
#include "ui/document/catalog_library.hpp"
#include "ui/panels/table_output.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace headroom::ui
{
namespace
{

template <typename Entry>
QStringList idsOf(const std::vector<std::shared_ptr<const Entry>>& entries)
{
    QStringList ids;
    for (const auto& entry : entries)
        ids << toQString(entry->id);
    return ids;
}

} // namespace

CatalogList::CatalogList(const CatalogLibrary& library, QWidget* parent)
    : Card(parent), m_library(library), m_view(new QTableView)
{
    for (const CatalogKind kind : {CatalogKind::Accelerators, CatalogKind::Models}) {
        Side& side = m_sides[kind == CatalogKind::Models ? 1 : 0];
        side.table = new CatalogTableModel(kind, this);
        side.filter = new CatalogFilter(*side.table, this);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2, 2, 2, 2);
    column->addWidget(m_view);
    buildView();
    connect(m_view->horizontalHeader(), &QHeaderView::sectionClicked, this, &CatalogList::sortBy);
}

void CatalogList::buildView()
{
    makeQuiet(*m_view);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setCornerWidget(new QWidget); // else the style draws its own between the two
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 8);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setSectionsClickable(true);
    m_view->horizontalHeader()->setSortIndicatorShown(true);
    m_view->setStyleSheet(QStringLiteral(
        "QTableView { background: transparent; }"
        "QTableView::item { padding: 0 7px; border: 0; }"
        "QHeaderView { background: transparent; }"
        "QHeaderView::section { background: transparent; border: 0; border-bottom: 1px solid palette(mid);"
        " padding: 5px 9px; font-weight: 600; }"));
}

void CatalogList::reload(const QString& accelerator, const QString& model)
{
    for (Side& each : m_sides) {
        const QStringList kept = each.selected;
        each.table->setCatalog(m_library.catalog());
        each.selected = kept;
    }
    if (m_sides[0].selected.isEmpty())
        m_sides[0].selected = {accelerator};
    if (m_sides[1].selected.isEmpty())
        m_sides[1].selected = {model};
}

void CatalogList::setKind(CatalogKind kind)
{
    m_kind = kind;
    const QStringList chosen = side().selected;
    m_view->setAccessibleName(kind == CatalogKind::Models ? tr("Models") : tr("Accelerators"));
    if (m_view->model() != side().filter) {
        m_view->setModel(side().filter);
        m_view->setProperty(exactRoleProperty, CatalogTableModel::sortRole);
        connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CatalogList::notify);
    }
    match();
    m_view->resizeColumnsToContents();
    select(chosen);
}

void CatalogList::search(const QString& text)
{
    side().search = text;
    m_settling = true;
    match();
    if (!text.trimmed().isEmpty() && listed() > 0)
        m_view->selectRow(0); // what one means is first
    m_settling = false;
    notify();
}

void CatalogList::match()
{
    const std::string query = toUtf8(side().search.trimmed());
    if (query.empty())
        side().filter->setMatches(std::nullopt);
    else if (m_kind == CatalogKind::Models)
        side().filter->setMatches(idsOf(m_library.catalog().searchModels(query)));
    else
        side().filter->setMatches(idsOf(m_library.catalog().searchAccelerators(query)));
    applyFilter();
}

void CatalogList::setFacet(const QString& facet)
{
    side().facet = facet;
    applyFilter();
}

void CatalogList::setOwnOnly(bool own)
{
    m_ownOnly = own;
    applyFilter();
}

void CatalogList::applyFilter()
{
    CatalogFilter& filter = *side().filter;
    filter.setFacet(side().facet);
    filter.setOwnOnly(m_ownOnly);
    filter.orderBy(side().sortColumn, side().order);
    m_view->horizontalHeader()->setSortIndicator(side().sortColumn, side().order);
    notify();
}

void CatalogList::sortBy(int column)
{
    // First the end that one looks for: the largest number, the first word; the third click is the catalogue's order.
    const bool number =
        side().table->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight;
    const Qt::SortOrder first = number ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (side().sortColumn != column) {
        side().sortColumn = column;
        side().order = first;
    } else if (side().order == first) {
        side().order = number ? Qt::AscendingOrder : Qt::DescendingOrder;
    } else {
        side().sortColumn = -1;
    }
    applyFilter();
}

void CatalogList::select(const QStringList& ids)
{
    QItemSelection selection;
    QModelIndex first;
    for (const QString& id : ids) {
        const int row = side().table->rowOf(id);
        const QModelIndex index = row < 0 ? QModelIndex() : side().filter->mapFromSource(side().table->index(row, 0));
        if (!index.isValid())
            continue;
        selection.select(index, index);
        first = first.isValid() ? first : index;
    }
    if (first.isValid()) {
        m_view->setCurrentIndex(first);
        m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_view->scrollTo(first);
    }
    notify();
}

QStringList CatalogList::selected() const
{
    QStringList ids;
    if (m_view->selectionModel())
        for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
            ids << side().filter->idAt(index.row());
    return ids;
}

QStringList CatalogList::sideBySide() const
{
    const QStringList ids = selected();
    return ids.first(std::min<qsizetype>(ids.size(), mostSideBySide));
}

const std::shared_ptr<const Accelerator>& CatalogList::acceleratorAt(const QString& id) const
{
    return side().table->acceleratorAt(side().table->rowOf(id));
}

const ModelEntry& CatalogList::modelAt(const QString& id) const
{
    return side().table->modelAt(side().table->rowOf(id));
}

std::vector<std::shared_ptr<const Accelerator>> CatalogList::listedAccelerators() const
{
    const Side& accelerators = m_sides[0];
    std::vector<std::shared_ptr<const Accelerator>> listed;
    for (int row = 0; row < accelerators.filter->rowCount(); ++row)
        listed.push_back(accelerators.table->acceleratorAt(
            accelerators.filter->mapToSource(accelerators.filter->index(row, 0)).row()));
    return listed;
}

void CatalogList::notify()
{
    if (m_settling)
        return;
    if (const QStringList ids = selected(); !ids.isEmpty())
        side().selected = ids;
    emit changed();
}

} // namespace headroom::ui
