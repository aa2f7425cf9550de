// SPDX-License-Identifier: GPL-3.0-or-later
// HistoryPage: the runs that were entered or imported, over time: filtered, opened, compared, drawn.
#pragma once

#include "ui/pages/page_registry.hpp"
#include "ui/pages/scrolled_page.hpp"

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace headroom::ui
{

class ChartView;
class HistoryModel;
class NothingFound;
class WrapLayout;

class HistoryPage final : public ScrolledPage
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "history";
    explicit HistoryPage(Session& session, ShowPage show, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QLineEdit* filter() const { return m_filter; }
    [[nodiscard]] ChartView* chart() const { return m_chart; }

    /// The measured scenario in hand becomes a run of the history; what is there already is not kept twice.
    void keepCurrent();
    /// The run in the row in hand becomes the scenario: one undo step. Nothing without one.
    void openSelected();
    /// Up to three selected runs become the pins, and the compare page is shown.
    void compareSelected();
    void removeSelected();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTools(WrapLayout& tools);
    void buildTable();
    void refresh();
    /// The table is no higher than its rows.
    void fitTable();
    /// Only what can be done is offered.
    void updateTools();
    /// Places in the library of what is selected, as the table is sorted.
    [[nodiscard]] std::vector<std::size_t> selected() const;
    [[nodiscard]] bool canKeep() const;

    Session& m_session;
    ShowPage m_show;
    HistoryModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QLineEdit* m_filter;
    QLabel* m_hint;
    QWidget* m_card; ///< around the table
    ChartView* m_chart;
    NothingFound* m_nothing;
    QPushButton *m_keep = nullptr, *m_open = nullptr, *m_compare = nullptr, *m_remove = nullptr;
};

} // namespace headroom::ui
