// SPDX-License-Identifier: GPL-3.0-or-later
// QuestionBox: a step's question before the move: answers to choose or a number to guess, and how it turned out.
#pragma once

#include "core/lessons/lesson_runner.hpp"

#include <QWidget>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headroom::ui
{

class ChoiceButton;

class QuestionBox final : public QWidget
{
    Q_OBJECT

public:
    explicit QuestionBox(QWidget* parent = nullptr);

    /// Precondition: the step has a question.
    void show(const LessonRunner& runner, const LessonState& state);
    using QWidget::show;
    /// What there is to choose from; none for a number.
    [[nodiscard]] const std::vector<ChoiceButton*>& choices() const { return m_choices; }
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    /// What became of the answer, in words; empty before one was given.
    [[nodiscard]] QString verdict() const { return m_verdictText; }

signals:
    /// Index of the choice or the number; empty: passed over.
    void answered(std::optional<double> answer);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build(const LessonRunner& runner, const LessonState& state);
    void showAnswer(const LessonRunner& runner, const LessonState& state);
    void answerNumber();
    /// Why the answer that was given is wrong, with a space before it; may be empty.
    [[nodiscard]] QString reasonOf(const LessonRunner& runner, const LessonState& state) const;
    void paintVerdict();

    QVBoxLayout* m_rows;
    QLabel* m_text;
    QLabel* m_verdict;
    QWidget* m_number;
    QLineEdit* m_field;
    QLabel* m_unit; ///< what a bare number is read in
    QPushButton* m_pass;
    std::vector<ChoiceButton*> m_choices;
    const LessonStep* m_step = nullptr;
    QString m_verdictText;
    std::optional<bool> m_right;
};

} // namespace headroom::ui
