// SPDX-License-Identifier: GPL-3.0-or-later
// PlanRanking: the ranked deployments as a table to sort and to tick, and what one does with them.
#pragma once

#include "core/plan/planner.hpp"
#include "ui/widgets/card.hpp"

class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace headroom::ui
{

class FrozenColumns;
class PlanTableModel;

class PlanRanking final : public Card
{
    Q_OBJECT

public:
    explicit PlanRanking(QWidget* parent = nullptr);

    void show(const PlanRequest& request, const std::vector<PlanOption>& options);
    using QWidget::show;
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] PlanTableModel* model() const { return m_model; }
    /// The selected deployment, else the best; null without any.
    [[nodiscard]] const PlanOption* chosen() const;
    /// There is something to report without a deployment; until the next show().
    void offerReport();
    /// Rows in sight beyond the usual ones, at most as many as there are.
    void setMoreRows(int more);
    [[nodiscard]] int moreRows() const { return m_moreRows; }
    [[nodiscard]] int rowHeight() const;

signals:
    void useRequested();
    void csvRequested();
    void reportRequested();
    /// Keys came to a row, at this place of the card: whoever scrolls the card keeps it in sight.
    void rowReached(QRect place);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildTable();
    /// The figure that is optimised stands right behind the layout: where not all have room, that has.
    void orderColumns();
    /// Columns as wide as their words; the layout takes what is left.
    void fitColumns();
    void fitRows();
    [[nodiscard]] int usualRows() const;

    PlanTableModel* m_model;
    QLabel* m_hint;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    FrozenColumns* m_frozen = nullptr;
    int m_moreRows = 0;
    QPushButton *m_use, *m_csv, *m_report;
};

} // namespace headroom::ui
