// SPDX-License-Identifier: GPL-3.0-or-later
// ComparePage: the scenario in hand beside the pins: every metric, the differences in words, and what changed.
#pragma once

#include "core/profile/profile_table.hpp"
#include "ui/pages/page_registry.hpp"
#include "ui/pages/scrolled_page.hpp"

class QAbstractButton;
class QBoxLayout;
class QLayout;
class QLineEdit;
class QTableView;
class QTextBrowser;

namespace headroom::ui
{

class CompareModel;
class WrapLayout;

class ComparePage final : public ScrolledPage
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "compare";
    explicit ComparePage(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] CompareModel* model() const { return m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    /// The list of what changed, as plain text.
    [[nodiscard]] QString changes() const;
    void copyMarkdown() const;
    /// Asks where to and writes the CSV.
    void exportCsv();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildTools(WrapLayout& tools);
    [[nodiscard]] QLayout* nameRow();
    /// Compares again; nothing while the page is hidden.
    void refresh();
    [[nodiscard]] std::vector<ComparedScenario> compared() const;
    /// Only what can be done is offered.
    void updateTools();
    void showChanges();
    /// The table and what changed side by side or one under the other, each with a few lines at least.
    void arrange();

    Session& m_session;
    CompareModel* m_model;
    QTableView* m_table;
    QTextBrowser* m_changes;
    QBoxLayout* m_body = nullptr; ///< the table and what changed
    QAbstractButton* m_pin = nullptr;
    profile::ProfilesAcross m_profiles;    ///< of those that have one
    std::vector<QAbstractButton*> m_swaps; ///< one for each pin's letter
    std::vector<QAbstractButton*> m_needPins;
    std::vector<QLineEdit*> m_names; ///< one for each pin's letter
};

} // namespace headroom::ui
