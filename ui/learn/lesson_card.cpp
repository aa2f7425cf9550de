// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lesson_card.hpp"

#include "core/explain/glossary.hpp"
#include "core/metrics/words.hpp"
#include "ui/base/text.hpp"
#include "ui/learn/choice_button.hpp"
#include "ui/learn/lesson_labels.hpp"
#include "ui/learn/lesson_markup.hpp"
#include "ui/learn/question_box.hpp"
#include "ui/learn/step_bar.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/spoken_notice.hpp"
#include "ui/widgets/thin_scroll_bar.hpp"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::ui
{

LessonCard::LessonCard(LessonPlayer& player, QWidget* parent)
    : Card(parent), m_player(player), m_where(lessonCaption({})), m_bar(new StepBar), m_leave(new QToolButton),
      m_scroll(new QScrollArea), m_title(lessonLabel(TextStyle::ChartTitle)), m_text(lessonLabel()),
      m_term(lessonLabel()), m_taskCaption(lessonCaption(tr("Your move"))), m_task(lessonLabel()),
      m_hints(lessonLabel()), m_explanation(lessonLabel()), m_sources(lessonLabel(TextStyle::Caption)),
      m_question(new QuestionBox), m_go(new QPushButton), m_hint(new QPushButton(tr("Hint"))),
      m_back(new QPushButton(tr("Back"))), m_again(new QPushButton(tr("Again"))),
      m_following(new QPushButton(tr("Next lesson"))), m_next(new QPushButton), m_notice(new SpokenNotice(this))
{
    setFocusPolicy(Qt::StrongFocus);
    buildFrame();
    connect(m_question, &QuestionBox::answered, &m_player,
            [this](std::optional<double> answer) { m_player.send(lesson_event::Answered{answer}); });
    connect(m_hint, &QPushButton::clicked, &m_player, [this] { m_player.send(lesson_event::HintAsked{}); });
    connect(m_back, &QPushButton::clicked, &m_player, [this] { m_player.send(lesson_event::Back{}); });
    connect(m_again, &QPushButton::clicked, &m_player, [this] { m_player.send(lesson_event::Restart{}); });
    connect(m_next, &QPushButton::clicked, this, &LessonCard::goOn);
    connect(m_following, &QPushButton::clicked, this, [this] {
        if (const QString next = m_player.following(); !next.isEmpty())
            m_player.start(next);
    });
    connect(m_leave, &QToolButton::clicked, &m_player, &LessonPlayer::leave);
    connect(m_go, &QPushButton::clicked, this, [this] {
        if (const auto control = askedControl())
            emit controlRequested(*control);
    });
    connect(m_text, &QLabel::linkActivated, this, &LessonCard::showTerm);
    connect(m_explanation, &QLabel::linkActivated, this, &LessonCard::showTerm);
    connect(m_term, &QLabel::linkActivated, this,
            [this](const QString& link) { emit glossaryRequested(link.section(u':', 1)); });
    connect(&m_player, &LessonPlayer::started, this, [this] { m_shownStep = -1; });
    connect(&m_player, &LessonPlayer::changed, this, &LessonCard::render);
}

QSize LessonCard::minimumSizeHint() const
{
    constexpr int narrowest = 290; // and room for its buttons, whose words grow with the type
    return Card::minimumSizeHint().expandedTo({narrowest, 0});
}

void LessonCard::buildFrame()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 4, 10);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    m_where->setWordWrap(true);
    head->addWidget(m_where, 1);
    m_leave->setText(tr("Leave"));
    m_leave->setAutoRaise(true);
    m_leave->setToolTip(tr("End the lesson; your scenario comes back"));
    head->addWidget(m_leave);
    column->addLayout(head);
    column->addWidget(m_bar);
    makeQuiet(*m_scroll);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(buildContent());
    m_scroll->widget()->setAutoFillBackground(false);
    column->addWidget(m_scroll, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(0, 0, 8, 0);
    m_again->setToolTip(tr("This step from its beginning"));
    foot->addWidget(m_back);
    foot->addWidget(m_again);
    foot->addStretch(1);
    foot->addWidget(m_following);
    foot->addWidget(m_next);
    column->addLayout(foot);
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setAutoDefault(true); // Enter presses the one in hand; it goes on from elsewhere
}

QWidget* LessonCard::buildContent()
{
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 10, 0);
    column->setSpacing(10);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addWidget(m_term);
    column->addWidget(m_question);
    column->addWidget(m_taskCaption);
    column->addWidget(m_task);
    auto* help = new QHBoxLayout;
    help->addWidget(m_go);
    help->addWidget(m_hint);
    help->addStretch(1);
    column->addLayout(help);
    column->addWidget(m_hints);
    column->addWidget(m_explanation);
    column->addWidget(m_sources);
    column->addStretch(1);
    m_term->setMargin(6);
    m_hints->setForegroundRole(QPalette::PlaceholderText);
    m_sources->setForegroundRole(QPalette::PlaceholderText);
    return content;
}

void LessonCard::goOn()
{
    if (!m_player.isPlaying())
        return;
    if (m_player.state().finished)
        m_player.leave();
    else
        m_player.send(lesson_event::Next{});
}

void LessonCard::render()
{
    if (!m_player.isPlaying())
        return;
    QWidget* const hand = QApplication::focusWidget();
    const bool inside = hand && isAncestorOf(hand);
    m_term->hide();
    if (m_player.state().finished)
        renderEnd();
    else
        renderStep();
    renderFooter();
    if (inside && QApplication::focusWidget() != hand)
        setFocus(Qt::OtherFocusReason); // what was pressed is gone; Qt would put the keyboard on Back
    followStep();
}

void LessonCard::renderStep()
{
    const LessonRunner& runner = m_player.runner();
    const LessonState& state = m_player.state();
    const LessonStep& step = runner.step(state);
    const StepProgress& here = state.steps[state.step];
    const LessonPhase phase = runner.phase(state);
    const QColor accent = themeOf(palette()).accent;
    const auto put = [&](QLabel* label, const std::string& text, bool shown) {
        setLessonText(*label, shown ? lessonHtml(text, accent) : QString(), lessonPlain(text));
    };
    m_where->setText(tr("Lesson %1 · step %2 of %3")
                         .arg(m_player.index() + 1)
                         .arg(state.step + 1)
                         .arg(runner.lesson().steps.size()));
    m_bar->show(static_cast<int>(runner.lesson().steps.size()), static_cast<int>(state.step));
    put(m_title, runner.textAtEntry(state, step.title), true);
    put(m_text, runner.textAtEntry(state, step.text), true);
    m_question->setVisible(step.question.has_value());
    if (step.question)
        m_question->show(runner, state);

    // Before the answer the task would give away what is asked.
    const bool asked = phase != LessonPhase::Ask && !step.task.empty();
    m_taskCaption->setVisible(asked);
    put(m_task, runner.textAtEntry(state, step.task), asked);
    const bool acting = phase == LessonPhase::Act;
    const auto control = askedControl();
    m_go->setVisible(acting && control);
    if (control) {
        const ParameterRow* row = parameterRow(control->id);
        m_go->setText(row ? tr("Go to %1").arg(toQString(inSentence(row->label)))
                      : control->kind == LessonHighlight::Kind::Model ? tr("Choose model…")
                                                                      : tr("Choose accelerator…"));
    }
    m_hint->setVisible(acting && here.hints < static_cast<int>(step.hints.size()));
    std::string hints;
    for (int i = 0; i < here.hints; ++i)
        hints += (i > 0 ? " " : "") + runner.textAtEntry(state, step.hints[static_cast<std::size_t>(i)]);
    put(m_hints, hints, acting && here.hints > 0);
    put(m_explanation, runner.textAtEnd(state, step.explanation),
        phase == LessonPhase::Explained && !step.explanation.empty());
    m_sources->hide();
}

void LessonCard::renderEnd()
{
    const LessonRunner& runner = m_player.runner();
    const LessonState& state = m_player.state();
    const Lesson& lesson = runner.lesson();
    const QColor accent = themeOf(palette()).accent;
    int right = 0, answered = 0;
    for (const StepProgress& step : state.steps) {
        right += step.right.value_or(false) ? 1 : 0;
        answered += step.answer ? 1 : 0;
    }
    m_where->setText(tr("Lesson %1 · done").arg(m_player.index() + 1));
    m_bar->show(static_cast<int>(lesson.steps.size()), static_cast<int>(lesson.steps.size()));
    setLessonText(*m_title, tr("Now on your own scenario"), tr("Now on your own scenario"));
    const QString score =
        answered == 0 ? QString() : tr("You foresaw %1 of %2.").arg(right).arg(answered) + QStringLiteral("<br><br>");
    const std::string own = runner.textAtEnd(state, lesson.own);
    setLessonText(*m_text, score + lessonHtml(own, accent), lessonPlain(own));
    for (QWidget* part : {static_cast<QWidget*>(m_question), static_cast<QWidget*>(m_taskCaption),
                          static_cast<QWidget*>(m_task), static_cast<QWidget*>(m_go), static_cast<QWidget*>(m_hint),
                          static_cast<QWidget*>(m_hints), static_cast<QWidget*>(m_explanation)})
        part->hide();
    QStringList sources;
    for (const std::string& source : lesson.sources)
        sources << toRichText(source);
    const QString list = tr("Sources: %1.").arg(sources.join(QStringLiteral("; ")));
    setLessonText(*m_sources, list, list);
}

void LessonCard::renderFooter()
{
    const LessonState& state = m_player.state();
    const bool last = state.step + 1 == m_player.runner().lesson().steps.size();
    m_back->setEnabled(state.step > 0 || state.finished);
    m_again->setVisible(!state.finished);
    m_following->setVisible(state.finished && !m_player.following().isEmpty());
    m_next->setText(state.finished ? tr("To my scenario") : last ? tr("Finish") : tr("Next"));
    m_next->setEnabled(state.finished || state.steps[state.step].done);
    m_next->setDefault(m_next->isEnabled());
}

void LessonCard::followStep()
{
    const LessonState& state = m_player.state();
    const int step = state.finished ? static_cast<int>(state.steps.size()) : static_cast<int>(state.step);
    const bool done = !state.finished && state.steps[state.step].done;
    const bool fresh = step != m_shownStep, told = done && !m_shownDone;
    m_shownStep = step;
    m_shownDone = done;
    if (fresh) {
        m_scroll->verticalScrollBar()->setValue(0);
        const QString title = m_title->accessibleName();
        const bool closed = title.endsWith(u'?') || title.endsWith(u'.');
        const QString words = title + (closed ? QStringLiteral(" ") : QStringLiteral(". ")) + m_text->accessibleName();
        setAccessibleName(m_where->text() + QStringLiteral(": ") + words);
        announce(words, true);
        setFocus(Qt::OtherFocusReason);
        return;
    }
    QLabel* news = told ? m_explanation : !m_task->isHidden() ? (m_hints->isHidden() ? m_task : m_hints) : nullptr;
    if (told)
        announce(m_question->isHidden() ? m_explanation->accessibleName()
                                        : m_question->verdict() + u' ' + m_explanation->accessibleName());
    else if (news == m_task && !m_question->isHidden())
        announce(m_question->verdict() + u' ' + m_task->accessibleName());
    else if (news)
        announce(news->accessibleName());
    // Once the layout knows the new heights.
    QTimer::singleShot(0, this, [this, news] {
        if (news && news->isVisible())
            m_scroll->ensureWidgetVisible(news, 0, 8);
    });
}

void LessonCard::announce(const QString& words, bool comesHere)
{
    if (words == m_spoken)
        return;
    m_spoken = words;
    // Qt 6.4 has no announcement event. Screen readers speak a changed description of what has the keyboard, and what
    // comes as a notification wherever the keyboard is: on a slider, while the verdict stands here.
    setAccessibleDescription(words);
    if (hasFocus() || comesHere) {
        QAccessibleEvent description(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&description);
    } else {
        m_notice->notify(words);
    }
    emit announced(words);
}

void LessonCard::showTerm(const QString& link)
{
    const QString id = link.section(u':', 1);
    const GlossaryTerm* term = glossaryTerm(toUtf8(id));
    if (!term)
        return;
    const Theme& colours = themeOf(palette());
    const QString html = QStringLiteral("<b>%1.</b> %2 <a href='%3' style='color:%4'>%5</a>")
                             .arg(toRichText(term->term), toRichText(term->definition), link, colours.accent.name(),
                                  tr("More in the glossary"));
    const QString spoken = toQString(term->term) + QStringLiteral(": ") + toQString(term->definition);
    setLessonText(*m_term, html, spoken);
    announce(spoken);
    QTimer::singleShot(0, this, [this] { m_scroll->ensureWidgetVisible(m_term, 0, 8); });
}

std::optional<LessonHighlight> LessonCard::askedControl() const
{
    const LessonStep& step = m_player.runner().step(m_player.state());
    for (const LessonHighlight& each : step.highlights)
        if (each.kind != LessonHighlight::Kind::Metric && each.kind != LessonHighlight::Kind::Chart)
            return each;
    for (const LessonEdit& edit : step.solution.edits)
        return edit.kind == LessonEdit::Kind::Model ? LessonHighlight{LessonHighlight::Kind::Model, {}}
               : edit.kind == LessonEdit::Kind::Accelerator
                   ? LessonHighlight{LessonHighlight::Kind::Accelerator, {}}
                   : LessonHighlight{LessonHighlight::Kind::Parameter, edit.name};
    return std::nullopt;
}

QString LessonCard::text() const
{
    QStringList parts;
    for (const QLabel* label : findChildren<QLabel*>())
        if (label->isVisibleTo(this))
            parts << (label->accessibleName().isEmpty() ? label->text() : label->accessibleName());
    return parts.join(u'\n');
}

void LessonCard::keyPressEvent(QKeyEvent* event)
{
    const int digit = event->key() - Qt::Key_1;
    const auto& choices = m_question->choices();
    if (event->modifiers() == Qt::NoModifier && m_question->isVisible() && digit >= 0 &&
        digit < static_cast<int>(choices.size()))
        choices[static_cast<std::size_t>(digit)]->click();
    else if (m_question->field()->isVisible() && !m_question->field()->hasFocus() && !event->text().isEmpty() &&
             (event->text().front().isDigit() || event->text().front() == u'.')) {
        m_question->field()->setFocus(Qt::OtherFocusReason); // a number is asked for: a digit begins it
        m_question->field()->insert(event->text());
    } else if (m_question->field()->hasFocus())
        event->accept(); // Enter answered the question, and that only
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        goOn();
    else
        Card::keyPressEvent(event);
}

void LessonCard::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        render();
}

void LessonCard::paintEvent(QPaintEvent*)
{
    const Theme& colours = themeOf(palette());
    paintCard(*this, hasFocus() ? colours.accent : colours.border, hasFocus() ? 2 : 1);
}

void LessonCard::focusInEvent(QFocusEvent* event)
{
    Card::focusInEvent(event);
    update();
}

void LessonCard::focusOutEvent(QFocusEvent* event)
{
    Card::focusOutEvent(event);
    update();
}

} // namespace headroom::ui
