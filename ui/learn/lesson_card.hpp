// SPDX-License-Identifier: GPL-3.0-or-later
// LessonCard: the step in hand of a lesson beside the live dashboard: text, question, task, hints, explanation.
#pragma once

#include "ui/learn/lesson_player.hpp"
#include "ui/widgets/card.hpp"

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace headroom::ui
{

class QuestionBox;
class SpokenNotice;
class StepBar;

/// Takes the keyboard itself: digits answer, Enter goes on; its name is the step, for a screen reader to read.
class LessonCard final : public Card
{
    Q_OBJECT

public:
    explicit LessonCard(LessonPlayer& player, QWidget* parent = nullptr);

    [[nodiscard]] QuestionBox* question() const { return m_question; }
    [[nodiscard]] QPushButton* nextButton() const { return m_next; }
    [[nodiscard]] QPushButton* hintButton() const { return m_hint; }
    [[nodiscard]] QToolButton* leaveButton() const { return m_leave; }
    /// Everything it says now, as plain text.
    [[nodiscard]] QString text() const;
    /// Goes on where one can: the next step, or out of a finished lesson.
    void goOn();
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// What a screen reader is told: a new step, a verdict, a hint, a term.
    void announced(const QString& words);
    /// The control that the step asks for is to get the keyboard.
    void controlRequested(const headroom::LessonHighlight& control);
    /// A term's entry in the glossary is asked for.
    void glossaryRequested(const QString& termId);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QWidget* buildContent();
    void buildFrame();
    void render();
    void renderStep();
    void renderEnd();
    void renderFooter();
    void followStep();
    /// `comesHere`: the keyboard is about to.
    void announce(const QString& words, bool comesHere = false);
    void showTerm(const QString& link);
    [[nodiscard]] std::optional<LessonHighlight> askedControl() const;

    LessonPlayer& m_player;
    QLabel* m_where;
    StepBar* m_bar;
    QToolButton* m_leave;
    QScrollArea* m_scroll;
    QLabel *m_title, *m_text, *m_term, *m_taskCaption, *m_task, *m_hints, *m_explanation, *m_sources;
    QuestionBox* m_question;
    QPushButton *m_go, *m_hint, *m_back, *m_again, *m_following, *m_next;
    SpokenNotice* m_notice;
    QString m_spoken;     ///< the last announcement
    int m_shownStep = -1; ///< step on show; −1 = none, steps' count = the end
    bool m_shownDone = false;
};

} // namespace headroom::ui
