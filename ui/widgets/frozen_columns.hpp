// SPDX-License-Identifier: GPL-3.0-or-later
// FrozenColumns: the first columns of a table stay in sight while the others are scrolled sideways.
#pragma once

#include <QPointer>
#include <QTableView>

namespace headroom::ui
{

/// A second view over the table's left edge, of the same rows, selection and order; made once the table has its model.
class FrozenColumns final : public QTableView
{
    Q_OBJECT

public:
    FrozenColumns(QTableView* table, int columns);

    /// Widths, height and what is hidden as the table has them now.
    void follow();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] int frozenWidth() const;
    /// A cell that is in hand may not lie behind these columns.
    void uncover(const QModelIndex& index);

    QTableView* m_table;
    int m_columns;
};

} // namespace headroom::ui
