// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/question_box.hpp"

#include "core/lessons/lesson_figure.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/choice_button.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/learn/lesson_markup.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/local_number.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace headroom::ui
{

QuestionBox::QuestionBox(QWidget* parent)
    : QWidget(parent), m_rows(new QVBoxLayout), m_text(lessonLabel()), m_verdict(lessonLabel(TextStyle::Strong)),
      m_number(new QWidget), m_field(new QLineEdit), m_unit(new QLabel), m_pass(new QPushButton(tr("I do not know")))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(lessonCaption(tr("Predict first")));
    column->addWidget(m_text);
    m_rows->setSpacing(6);
    column->addLayout(m_rows);
    auto* line = new QHBoxLayout(m_number);
    line->setContentsMargins(0, 0, 0, 0);
    auto* button = new QPushButton(tr("Answer"));
    line->addWidget(m_field, 1);
    line->addWidget(m_unit);
    line->addWidget(button);
    column->addWidget(m_number);
    m_pass->setFlat(true);
    column->addWidget(m_pass, 0, Qt::AlignLeft);
    column->addWidget(m_verdict);
    connect(button, &QPushButton::clicked, this, &QuestionBox::answerNumber);
    // Queued: the key is still on its way through the card.
    connect(m_field, &QLineEdit::returnPressed, this, &QuestionBox::answerNumber, Qt::QueuedConnection);
    connect(m_pass, &QPushButton::clicked, this, [this] { emit answered(std::nullopt); });
}

void QuestionBox::show(const LessonRunner& runner, const LessonState& state)
{
    const StepProgress& here = state.steps[state.step];
    if (m_step != &runner.step(state))
        build(runner, state);
    m_pass->setVisible(!here.answered);
    m_number->setVisible(m_choices.empty() && !here.answered);
    showAnswer(runner, state);
}

void QuestionBox::build(const LessonRunner& runner, const LessonState& state)
{
    m_step = &runner.step(state);
    const LessonQuestion& question = *m_step->question;
    m_text->setText(lessonHtml(runner.textAtEntry(state, question.text), themeOf(palette()).accent));
    for (ChoiceButton* old : m_choices) {
        old->hide();
        old->deleteLater(); // it may be the one that was pressed
    }
    m_choices.clear();
    for (const LessonChoice& choice : question.choices) {
        const int index = static_cast<int>(m_choices.size());
        auto* button = new ChoiceButton(index + 1, lessonPlain(runner.textAtEntry(state, choice.text)));
        connect(button, &ChoiceButton::clicked, this, [this, index] { emit answered(index); });
        m_rows->addWidget(button);
        m_choices.push_back(button);
    }
    m_field->clear();
    m_unit->setText(toQString(question.unit));
    m_unit->setVisible(!question.unit.empty());
    m_field->setAccessibleName(question.unit.empty() ? tr("Your guess")
                                                     : tr("Your guess, in %1").arg(toQString(question.unit)));
}

void QuestionBox::showAnswer(const LessonRunner& runner, const LessonState& state)
{
    const StepProgress& here = state.steps[state.step];
    const std::size_t right = runner.rightChoice(state).value_or(m_choices.size());
    const bool gave = here.answered && here.answer;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const bool own = gave && static_cast<std::size_t>(*here.answer) == i;
        m_choices[i]->setMark(!here.answered     ? ChoiceMark::Open
                              : i == right       ? ChoiceMark::Right
                              : own && here.done ? ChoiceMark::Wrong
                              : own              ? ChoiceMark::Chosen
                                                 : ChoiceMark::Other);
    }
    m_right = here.right;
    const QString result = m_choices.empty() && here.done ? toQString(runner.figureAtEnd(state)) : QString();
    m_verdictText = !here.answered               ? QString()
                    : !here.done && gave         ? tr("Noted. Now find out whether it is so.")
                    : !here.done                 ? tr("Then find out.")
                    : m_choices.empty() && !gave ? tr("It is %1.").arg(result)
                    : m_choices.empty() ? (here.right.value_or(false) ? tr("Near enough: it is %1.").arg(result)
                                                                      : tr("Not quite: it is %1.").arg(result))
                    : !gave             ? tr("It is answer %1.").arg(right + 1)
                    : here.right.value_or(false) ? tr("Right.")
                                                 : tr("Not so: it is answer %1.").arg(right + 1);
    if (here.done && gave && !here.right.value_or(false)) // each wrong answer errs in its own way
        m_verdictText += reasonOf(runner, state);
    paintVerdict();
}

QString QuestionBox::reasonOf(const LessonRunner& runner, const LessonState& state) const
{
    const double answer = *state.steps[state.step].answer;
    const auto& choices = m_step->question->choices;
    if (choices.empty()) {
        const auto ratio = runner.guessRatio(state);
        if (!ratio)
            return {};
        return u' ' + (*ratio > 1 ? tr("Your guess is too high.") : tr("Your guess is too low."));
    }
    const auto own = static_cast<std::size_t>(answer);
    return own < choices.size() && !choices[own].reason.empty()
               ? QString(u' ' + lessonPlain(runner.textAtEnd(state, choices[own].reason)))
               : QString();
}

void QuestionBox::paintVerdict()
{
    const Theme& colours = themeOf(palette());
    const QColor colour = !m_right ? colours.text : *m_right ? colours.good : colours.warning;
    m_verdict->setText(
        QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), toRichText(m_verdictText)));
    m_verdict->setAccessibleName(m_verdictText);
    m_verdict->setVisible(!m_verdictText.isEmpty());
}

void QuestionBox::answerNumber()
{
    const auto figure = lessonFigure(m_step->question->figure);
    const QString typed = m_field->text();
    auto number =
        figure ? typedNumber(typed, figure->format, figure->format == ValueFormat::Integer, false) : std::nullopt;
    if (const auto unit = lessonUnit(m_step->question->unit); number && unit && isBareNumber(typed))
        *number *= *unit;
    if (number && *number > 0) {
        emit answered(number);
        return;
    }
    m_verdictText = m_field->text().trimmed().isEmpty() ? tr("Type a number.")
                                                        : tr("“%1” is not a number above zero.").arg(m_field->text());
    m_right = false;
    paintVerdict();
    m_field->selectAll();
}

void QuestionBox::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_verdictText.isEmpty())
        paintVerdict();
}

} // namespace headroom::ui
