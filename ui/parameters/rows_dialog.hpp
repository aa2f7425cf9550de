// SPDX-License-Identifier: GPL-3.0-or-later
// RowsDialog: a list of the scenario as a table: cells to type in, rows to add, remove and move.
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QTableView;

namespace headroom::ui
{

class Recalculator;
class RowTableModel;
class ScenarioStore;
struct RowList;

class RowsDialog final : public QDialog
{
    Q_OBJECT

public:
    RowsDialog(RowList list, ScenarioStore& store, Recalculator& recalculator, QWidget* parent);

    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] RowTableModel* model() const { return m_model; }
    /// The row in hand; −1 where there is none.
    [[nodiscard]] int current() const;
    void add();
    void remove();
    void move(int by);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildTable();
    void refresh();
    void choose(int row);

    ScenarioStore& m_store;
    Recalculator& m_recalculator;
    RowTableModel* m_model;
    QTableView* m_table;
    QLabel *m_summary, *m_problem;
    QPushButton *m_add = nullptr, *m_remove = nullptr, *m_up = nullptr, *m_down = nullptr, *m_undo = nullptr;
    QString m_refusal; ///< of the last text that was typed
};

} // namespace headroom::ui
