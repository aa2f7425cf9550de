// SPDX-License-Identifier: GPL-3.0-or-later
// ClassResults: one's own results of the lessons into a file; those of a class out of many, summed up.
#pragma once

#include "core/lessons/lesson_results.hpp"
#include "ui/plan/plan_sheet.hpp"
#include "ui/widgets/card.hpp"

class QLineEdit;
class QPushButton;

namespace headroom::ui
{

struct Session;

class ClassResults final : public Card
{
    Q_OBJECT

public:
    explicit ClassResults(Session& session, QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit* name() const { return m_name; }
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] PlanSheet* learners() const { return m_learners; }
    [[nodiscard]] PlanSheet* questions() const { return m_questions; }

    /// What this learner answered so far.
    [[nodiscard]] LearnerResults own() const;
    /// Asks for a place and writes them there.
    void save();
    /// Asks for files and shows what they amount to; those that cannot be read are named.
    void open();
    /// Only what can be done is offered.
    void refresh();

private:
    void showSum(const ClassSum& sum);

    Session& m_session;
    QLineEdit* m_name;
    QPushButton *m_save, *m_open;
    PlanSheet *m_learners, *m_questions;
};

} // namespace headroom::ui
