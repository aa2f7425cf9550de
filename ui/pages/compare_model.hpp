// SPDX-License-Identifier: GPL-3.0-or-later
// CompareModel: a comparison as a table: metrics down, the scenario in hand and the pins across, the best value marked.
#pragma once

#include "core/comparison/comparison.hpp"

#include <QAbstractTableModel>

namespace headroom::ui
{

class CompareModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps the selection and the scroll position where the rows stay the same.
    void setComparison(Comparison comparison);
    [[nodiscard]] const Comparison& comparison() const { return m_comparison; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Comparison m_comparison;
};

} // namespace headroom::ui
