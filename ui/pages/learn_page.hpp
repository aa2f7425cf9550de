// SPDX-License-Identifier: GPL-3.0-or-later
// LearnPage: the lessons in order, with what each teaches, how long it takes and which ones are done.
#pragma once

#include "ui/pages/page_registry.hpp"
#include "ui/pages/scrolled_page.hpp"

#include <vector>

class QLabel;
class QPushButton;

namespace headroom::ui
{

class ClassResults;

class LearnPage final : public ScrolledPage
{
    Q_OBJECT

public:
    static constexpr const char* pageId = "learn";
    explicit LearnPage(Session& session, QWidget* parent = nullptr);

    /// The button that begins a lesson, in the order of the lessons.
    [[nodiscard]] QPushButton* button(std::size_t lesson) const { return m_rows.at(lesson).start; }
    /// The button that begins it anew where it was left; hidden otherwise.
    [[nodiscard]] QPushButton* anewButton(std::size_t lesson) const { return m_rows.at(lesson).anew; }
    [[nodiscard]] bool isMarkedDone(std::size_t lesson) const;
    [[nodiscard]] ClassResults* results() const { return m_results; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Row {
        QString id, title;
        QLabel* mark = nullptr;
        QPushButton* start = nullptr;
        QPushButton* anew = nullptr;
    };

    QWidget* buildRow(std::size_t index);
    void refresh();

    Session& m_session;
    QLabel* m_summary;
    ClassResults* m_results;
    std::vector<Row> m_rows;
};

} // namespace headroom::ui
