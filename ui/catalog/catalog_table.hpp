// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogTable: the accelerators or the models of a catalogue as a table, and a view of it sorted and filtered.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/facts/catalog_facts.hpp"

#include <QAbstractTableModel>
#include <QHash>
#include <QSortFilterProxyModel>
#include <optional>
#include <vector>

namespace headroom::ui
{

enum class CatalogKind { Accelerators, Models };

class CatalogTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Role of a value to sort by: a number, or lower-case text; invalid where nothing is known.
    static constexpr int sortRole = Qt::UserRole + 1;

    explicit CatalogTableModel(CatalogKind kind, QObject* parent = nullptr);

    void setCatalog(const Catalog& catalog);
    [[nodiscard]] CatalogKind kind() const { return m_kind; }

    [[nodiscard]] QString idAt(int row) const;
    /// −1 where there is none of that id.
    [[nodiscard]] int rowOf(const QString& id) const;
    [[nodiscard]] bool isOwn(int row) const;
    /// What the choice beside the search offers: vendors, or families.
    [[nodiscard]] QString facetAt(int row) const;
    [[nodiscard]] QStringList facets() const;
    [[nodiscard]] const std::shared_ptr<const Accelerator>& acceleratorAt(int row) const;
    [[nodiscard]] const ModelEntry& modelAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Cell {
        QString text;
        std::optional<double> number;
    };
    struct Row {
        QString id, name, facet;
        bool own = false;
        std::vector<Cell> cells;
    };
    struct Column {
        QString title, tip;
        QString english; ///< the title in files
        bool number = false;
    };

    /// The cell's words in the language in force: a file asks for English ones (InEnglish).
    [[nodiscard]] QString textAt(const QModelIndex& index) const;
    template <typename Entry>
    void addColumns(std::span<const FactRow<Entry>> facts);
    template <typename Entry>
    void addRow(const Entry& entry, std::span<const FactRow<Entry>> facts, Row row);

    CatalogKind m_kind;
    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
    std::vector<std::shared_ptr<const Accelerator>> m_accelerators;
    std::vector<ModelEntry> m_models;
};

/// Sorted by a column (what is not known comes last, whichever way), or, unsorted, by how well the search is answered.
class CatalogFilter final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit CatalogFilter(CatalogTableModel& table, QObject* parent = nullptr);

    /// Ids in the order of their match; everything where it is empty.
    void setMatches(const std::optional<QStringList>& ids);
    void setFacet(const QString& facet);
    void setOwnOnly(bool own);
    /// −1: as well as the search is answered, or the catalogue's own order.
    void orderBy(int column, Qt::SortOrder order);
    [[nodiscard]] QString idAt(int row) const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    CatalogTableModel& m_table;
    std::optional<QHash<QString, int>> m_ranks;
    QString m_facet;
    bool m_ownOnly = false, m_byRank = false;
};

} // namespace headroom::ui
