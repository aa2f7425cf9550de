// SPDX-License-Identifier: GPL-3.0-or-later
// PlanPage: the smallest deployment that meets the targets — question, answer, reasons, ranking, map, front, growth.
#pragma once

#include "ui/document/recalculator.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/plan/plan_inputs.hpp"

#include <QScrollArea>
#include <QTimer>

class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace headroom
{
struct PlanMap;
}

namespace headroom::ui
{

class ChartView;
class PlanAnswer;
class PlanForm;
class PlanSearch;
class PlanSheet;
class PlanTableModel;

class PlanPage final : public QScrollArea
{
    Q_OBJECT
    Q_PROPERTY(bool busy READ isBusy) ///< what is shown is not yet the answer: pictures wait

public:
    explicit PlanPage(const PageServices& services, QWidget* parent = nullptr);
    ~PlanPage() override;

    [[nodiscard]] PlanForm* form() const { return m_form; }
    [[nodiscard]] PlanAnswer* answer() const { return m_answer; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] PlanTableModel* model() const { return m_model; }
    [[nodiscard]] PlanSheet* growth() const { return m_growth; }
    [[nodiscard]] PlanSheet* compared() const { return m_compared; }
    [[nodiscard]] ChartView* map() const { return m_map; }
    [[nodiscard]] ChartView* front() const { return m_front; }
    [[nodiscard]] PlanSearch* search() const { return m_search; }
    /// A search runs or waits to begin.
    [[nodiscard]] bool isBusy() const;

    /// Makes the selected deployment (else the best) the scenario, in one undo step, and shows the dashboard.
    void useSelected();
    /// Asks for a place and writes the ranking there.
    void exportCsv();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildTable();
    void connectSearch();
    void ask();
    void begin();
    void rank(const std::vector<PlanOption>& options);
    void updateButtons();
    [[nodiscard]] const PlanOption* selected() const;
    void arrangeCharts();

    PageServices m_services;
    PlanForm* m_form;
    PlanAnswer* m_answer;
    QTableView* m_table = nullptr;
    PlanTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QPushButton *m_use = nullptr, *m_export = nullptr;
    PlanSheet *m_compared, *m_growth;
    ChartView *m_map, *m_front;
    QWidget* m_charts;
    PlanSearch* m_search;
    QTimer m_rest; ///< a dragged slider asks once it rests a moment
    PlanRequest m_request;
    bool m_stale = true, m_stopped = false;
};

} // namespace headroom::ui
