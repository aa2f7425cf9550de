// SPDX-License-Identifier: GPL-3.0-or-later
// CatalogList: the accelerators or the models as a table: searched, filtered, sorted and selected, each kind by itself.
#pragma once

#include "ui/catalog/catalog_table.hpp"
#include "ui/widgets/card.hpp"

class QTableView;

namespace headroom::ui
{

class CatalogLibrary;

class CatalogList final : public Card
{
    Q_OBJECT

public:
    static constexpr int mostSideBySide = 4;

    explicit CatalogList(const CatalogLibrary& library, QWidget* parent = nullptr);

    /// Reads the catalogue again; what is selected stays. Where nothing was: these.
    void reload(const QString& accelerator, const QString& model);
    /// Shows this kind as it was left.
    void setKind(CatalogKind kind);
    [[nodiscard]] CatalogKind kind() const { return m_kind; }
    [[nodiscard]] QTableView* view() const { return m_view; }

    /// Shows what answers the words; the best is selected.
    void search(const QString& text);
    [[nodiscard]] const QString& searched() const { return side().search; }
    /// Vendors or families to choose from, and the one chosen; empty = all.
    [[nodiscard]] QStringList facets() const { return side().table->facets(); }
    [[nodiscard]] const QString& facet() const { return side().facet; }
    void setFacet(const QString& facet);
    void setOwnOnly(bool own);
    /// How many entries are listed, of how many.
    [[nodiscard]] int listed() const { return side().filter->rowCount(); }
    [[nodiscard]] int all() const { return side().table->rowCount(); }

    /// By id, in the order given; those that are not listed are passed over.
    void select(const QStringList& ids);
    [[nodiscard]] QStringList selected() const;
    /// The first ones of them, as many as can be compared.
    [[nodiscard]] QStringList sideBySide() const;
    /// What is shown of this kind from now on, once it is listed.
    void remember(const QString& id) { side().selected = {id}; }

    /// By id; preconditions: there is one, of the kind shown.
    [[nodiscard]] const std::shared_ptr<const Accelerator>& acceleratorAt(const QString& id) const;
    [[nodiscard]] const ModelEntry& modelAt(const QString& id) const;
    [[nodiscard]] bool has(const QString& id) const { return side().table->rowOf(id) >= 0; }
    [[nodiscard]] bool isOwn(const QString& id) const { return side().table->isOwn(side().table->rowOf(id)); }
    /// The accelerators in the order of the table.
    [[nodiscard]] std::vector<std::shared_ptr<const Accelerator>> listedAccelerators() const;

signals:
    /// Other rows, or others of them selected.
    void changed();

private:
    struct Side {
        CatalogTableModel* table = nullptr;
        CatalogFilter* filter = nullptr;
        QStringList selected;
        QString search, facet;
        int sortColumn = -1;
        Qt::SortOrder order = Qt::AscendingOrder;
    };

    [[nodiscard]] Side& side() { return m_sides[m_kind == CatalogKind::Models ? 1 : 0]; }
    [[nodiscard]] const Side& side() const { return m_sides[m_kind == CatalogKind::Models ? 1 : 0]; }
    void buildView();
    void match();
    void applyFilter();
    void sortBy(int column);
    void notify();

    const CatalogLibrary& m_library;
    CatalogKind m_kind = CatalogKind::Accelerators;
    Side m_sides[2];
    bool m_ownOnly = false;
    bool m_settling = false; ///< rows and selection change together: told once, afterwards
    QTableView* m_view;
};

} // namespace headroom::ui
