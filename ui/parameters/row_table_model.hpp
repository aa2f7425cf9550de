// SPDX-License-Identifier: GPL-3.0-or-later
// RowTableModel: the rows of a RowList as they stand in the scenario in hand; each cell that is typed is one undo step.
#pragma once

#include "ui/document/recalculator.hpp"
#include "ui/parameters/row_list.hpp"

#include <QAbstractTableModel>

namespace headroom::ui
{

class RowTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    RowTableModel(RowList list, ScenarioStore& store, Recalculator& recalculator, QObject* parent = nullptr);

    [[nodiscard]] const RowList& list() const { return m_list; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// False, with a word why (refused()), where the text is not what the column takes.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

    /// Each one undo step; nothing where the row is not there or the list is full.
    void add(int at);
    void remove(int at);
    void move(int at, int by);

signals:
    /// Why a typed text was not taken; empty once one was.
    void refused(const QString& reason);

private:
    void refresh();
    void showResults();
    [[nodiscard]] const Scenario& scenario() const { return m_store.scenario(); }
    [[nodiscard]] const RowColumn* column(int at) const;
    [[nodiscard]] QString shown(const RowColumn& column, std::size_t row) const;
    [[nodiscard]] bool isOwn(const RowColumn& column, std::size_t row) const;
    [[nodiscard]] QString refusalOf(const RowColumn& column, const QString& text, std::optional<double>& value) const;

    RowList m_list;
    ScenarioStore& m_store;
    Recalculator& m_recalculator;
    std::vector<QStringList> m_results;
    int m_rows = 0; ///< that the view knows of
};

} // namespace headroom::ui
