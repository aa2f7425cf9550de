// SPDX-License-Identifier: GPL-3.0-or-later
// PlanSheet: a small table of finished text, such as growth or a comparison, with a title above.
#pragma once

#include "core/plan/planner_table.hpp"
#include "ui/widgets/card.hpp"

#include <QStringList>
#include <set>
#include <vector>

class QLabel;
class QTableWidget;

namespace headroom::ui
{

struct SheetText {
    QStringList header;
    std::vector<QStringList> rows;
    std::set<int> figures{}; ///< columns of one figure each, whose digits stand under one another
};

class PlanSheet final : public Card
{
    Q_OBJECT

public:
    PlanSheet(const QString& title, const QString& hint, QWidget* parent = nullptr);
    /// As high as its rows. Nothing to show: the hint alone.
    void show(const SheetText& text);
    using QWidget::show;
    void setHint(const QString& hint);
    [[nodiscard]] QTableWidget* table() const { return m_table; }

private:
    QLabel* m_hint;
    QTableWidget* m_table;
};

/// One row a figure, one column a deployment; figures that are all alike last.
[[nodiscard]] SheetText comparison(const PlanRequest& request, const std::vector<const PlanOption*>& options);
/// One row a figure that is predicted, with the 80 % interval of each deployment.
[[nodiscard]] SheetText intervals(const PlanRequest& request, const std::vector<const PlanOption*>& options);
/// One row a multiple of the load: GPUs, layout, cost, what is tightest; or why there is none.
[[nodiscard]] SheetText growthSheet(const PlanRequest& request, const std::vector<PlanGrowthRow>& rows);
/// What stands above that table: what it shows, which multiples are missing, or what it needs to be there.
[[nodiscard]] QString growthHint(const PlanRequest& request, const std::vector<PlanGrowthRow>& rows);

} // namespace headroom::ui
