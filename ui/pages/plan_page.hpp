// SPDX-License-Identifier: GPL-3.0-or-later
// PlanPage: the smallest deployment that meets the targets — question, answer, reasons, ranking, map, front, growth.
#pragma once

#include "core/plan/planner_question.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/pages/scrolled_page.hpp"

#include <QTimer>

class QGridLayout;
class QTableView;

namespace headroom
{
struct PlanMap;
} // namespace headroom

namespace headroom::ui
{

class ChartView;
class PaleParts;
class PlanAnswer;
class PlanForm;
class PlanRanking;
class PlanSearch;
class PlanSheet;
class PlanTableModel;

class PlanPage final : public ScrolledPage
{
    Q_OBJECT
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged) ///< what is shown is not yet the answer: pictures wait

public:
    static constexpr const char* pageId = "plan";
    explicit PlanPage(Session& session, ShowPage show, QWidget* parent = nullptr);
    ~PlanPage() override;

    [[nodiscard]] PlanForm* form() const { return m_form; }
    [[nodiscard]] PlanAnswer* answer() const { return m_answer; }
    [[nodiscard]] PlanRanking* ranking() const { return m_ranking; }
    [[nodiscard]] QTableView* table() const;
    [[nodiscard]] PlanTableModel* model() const;
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
    /// Asks for a place and writes the plan there: with the selected deployment (else the best) as a PDF, or as
    /// Markdown where the name ends in ".md". Where nothing will do, with what would and what comes nearest.
    void exportReport();

signals:
    void busyChanged(bool busy);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectSearch();
    void ask();
    void begin();
    /// What a search starts from: the scenario, or where its layout is another task's, one with the smallest.
    [[nodiscard]] Expected<PreparedScenario> searchBase() const;
    void compareTicked();
    /// Of a result without an answer what comes nearest, for the report.
    void takeNearest(const PlanResult& result);
    /// From here on the ranking answers the question that is asked.
    void takeRequest();
    void showGrowth(const std::vector<PlanGrowthRow>& rows);
    /// An answer without ranking and charts: nothing empty is shown.
    void refuse(const QString& reason);
    /// Says whether it is busy where that has changed since it was last said.
    void tellBusy();
    /// Why the ranking is not by cost although cost was chosen; empty where it is.
    [[nodiscard]] QString objectiveRemark() const;
    /// Answer and charts beside each other as far as the width allows, so that the first screen has all three.
    void arrange();
    /// Room that is left over goes to the charts, where there are any.
    void shareRoom();
    void fillHeight();

    Session& m_session;
    ShowPage m_show;
    PlanForm* m_form;
    PlanAnswer* m_answer;
    PlanRanking* m_ranking;
    PlanSheet *m_compared, *m_growth;
    ChartView *m_map, *m_front;
    QGridLayout* m_grid;
    PlanSearch* m_search;
    PaleParts* m_pale;
    QTimer m_rest;                  ///< a dragged slider asks once it rests a moment
    PlanRequest m_asked, m_request; ///< of the search; of the ranking, which may be of the question before
    std::vector<PlanGrowthRow> m_grown;
    int m_columns = 0; ///< of the grid
    bool m_stale = true, m_stopped = false, m_isMapped = false, m_isImpossible = false, m_toldBusy = true;
    std::optional<PlanOption> m_best, m_nearest; ///< the answer; where nothing will do, what comes nearest
};

} // namespace headroom::ui
