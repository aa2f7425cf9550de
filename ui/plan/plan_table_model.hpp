// SPDX-License-Identifier: GPL-3.0-or-later
// PlanTableModel: ranked deployments as rows to sort and to tick; the same figures as the command line's.
#pragma once

#include "core/plan/planner_table.hpp"

#include <QAbstractTableModel>
#include <QSet>
#include <vector>

namespace headroom::ui
{

class PlanTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int mostTicked = 4;
    enum Column : int { Rank, Gpus, Device, Layout, Binding, FirstFigure };
    /// Sorting goes by this role: numbers where they are numbers.
    static constexpr int sortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void show(const PlanRequest& request, std::vector<PlanOption> options);
    /// The column of the figure that the ranking optimises; empty where none shows it (the number of GPUs leads
    /// anyway).
    [[nodiscard]] std::optional<int> optimised() const { return m_optimised; }
    [[nodiscard]] const std::vector<PlanOption>& options() const { return m_options; }
    /// What every layout ends with ("fp8 weights · bf16 cache"): said once, and not in the rows. Empty where they
    /// differ.
    [[nodiscard]] QString shared() const { return m_shared; }
    /// Of text in a row: a line for each pool.
    [[nodiscard]] int lines() const;
    /// Ticked rows, ascending.
    [[nodiscard]] std::vector<const PlanOption*> ticked() const;
    [[nodiscard]] Task task() const { return m_request.base.task; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Ticks a row (first column); refused beyond four.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void tickedChanged();

private:
    [[nodiscard]] QString text(const PlanOption& option, int column, int row) const;
    [[nodiscard]] Qt::AlignmentFlag alignment(int column) const;
    [[nodiscard]] QVariant number(const PlanOption& option, int column, int row) const;

    PlanRequest m_request;
    std::vector<PlanOption> m_options;
    std::vector<PlanColumn> m_figures; ///< those that any row has
    std::optional<int> m_optimised;
    QString m_shared;
    QSet<int> m_ticked;
};

} // namespace headroom::ui
