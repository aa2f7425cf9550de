// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_runner.hpp"

#include "core/lessons/lesson_text.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace

LessonState LessonRunner::begin() const
{
    LessonState state;
    state.steps.resize(m_lesson.steps.size());
    state.scenario = m_lesson.start;
    enter(state);
    return state;
}

LessonState LessonRunner::after(LessonState state, const LessonEvent& event) const
{
    StepProgress& here = state.steps[state.step];
    const LessonStep& lessonStep = step(state);
    const int hintCount = static_cast<int>(lessonStep.hints.size());
    std::visit(Overloaded{
                   [&](const lesson_event::ScenarioChanged& changed) {
                       const bool moved = changed.scenario != here.entry;
                       state.scenario = changed.scenario;
                       judge(state);
                       if (changed.settled && moved && phase(state) == LessonPhase::Act) {
                           ++here.attempts;
                           ++here.tries;
                           here.hints = std::max(here.hints, std::min(hintCount, here.attempts / attemptsPerHint));
                       }
                   },
                   [&](const lesson_event::Answered& answered) {
                       if (phase(state) != LessonPhase::Ask)
                           return;
                       here.answered = true;
                       here.answer = answered.answer;
                       here.tries += answered.answer ? 1 : 0;
                       judge(state);
                   },
                   [&](const lesson_event::HintAsked&) {
                       if (phase(state) == LessonPhase::Act)
                           here.hints = std::min(hintCount, here.hints + 1);
                   },
                   [&](const lesson_event::Next&) {
                       if (!here.done)
                           return;
                       if (state.step + 1 == m_lesson.steps.size()) {
                           state.finished = true;
                           return;
                       }
                       ++state.step;
                       enter(state);
                   },
                   [&](const lesson_event::Back&) {
                       if (state.finished)
                           state.finished = false;
                       else if (state.step > 0)
                           --state.step;
                   },
                   [&](const lesson_event::Restart&) {
                       const Scenario entry = here.entry;
                       const int tries = here.tries;
                       here = {};
                       here.entered = true;
                       here.tries = tries; // whoever answers again has seen the answer: a teacher sees that, too
                       here.entry = state.scenario = entry;
                       judge(state);
                   },
               },
               event);
    return state;
}

LessonPhase LessonRunner::phase(const LessonState& state) const
{
    const StepProgress& here = state.steps[state.step];
    if (here.done)
        return LessonPhase::Explained;
    return step(state).question && !here.answered ? LessonPhase::Ask : LessonPhase::Act;
}

void LessonRunner::enter(LessonState& state) const
{
    StepProgress& here = state.steps[state.step];
    if (here.entered)
        return; // gone back to: it keeps what was said and done
    const LessonStep& lessonStep = step(state);
    state.scenario = edited(lessonStep.scenario.value_or(state.scenario), lessonStep.sets);
    here.entered = true;
    here.entry = state.scenario;
    judge(state);
}

void LessonRunner::judge(LessonState& state) const
{
    StepProgress& here = state.steps[state.step];
    const LessonStep& lessonStep = step(state);
    const bool open = here.entered && !here.done && (!lessonStep.question || here.answered);
    if (!open || !m_world.hold(lessonStep.until, here.entry, state.scenario))
        return;
    here.done = true;
    here.result = state.scenario;
    if (!lessonStep.question || !here.answer)
        return;
    if (!lessonStep.question->choices.empty()) {
        const auto right = rightChoice(state);
        here.right = right && static_cast<double>(*right) == *here.answer;
        return;
    }
    const auto ratio = guessRatio(state);
    here.right = ratio && std::max(*ratio, 1 / *ratio) <= lessonStep.question->within;
}

std::optional<double> LessonRunner::guessRatio(const LessonState& state) const
{
    const StepProgress& here = state.steps[state.step];
    const auto& question = step(state).question;
    if (!here.done || !here.answer || !question || !question->choices.empty())
        return std::nullopt;
    const auto value = m_world.figure(question->figure, here.result);
    return value && *value > 0 && *here.answer > 0 ? std::optional(*here.answer / *value) : std::nullopt;
}

std::optional<std::size_t> LessonRunner::rightChoice(const LessonState& state) const
{
    const StepProgress& here = state.steps[state.step];
    if (!here.done || !step(state).question)
        return std::nullopt;
    const auto& choices = step(state).question->choices;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i].right || (!choices[i].when.empty() && m_world.hold(choices[i].when, here.entry, here.result)))
            return i;
    return std::nullopt;
}

std::string LessonRunner::textAtEntry(const LessonState& state, std::string_view text) const
{
    const StepProgress& here = state.steps[state.step];
    return filledLessonText(text, m_lesson, {m_lesson.start, here.entry, here.entry}, m_world);
}

std::string LessonRunner::textAtEnd(const LessonState& state, std::string_view text) const
{
    const StepProgress& here = state.steps[state.step];
    return filledLessonText(text, m_lesson, {m_lesson.start, here.entry, here.result}, m_world);
}

std::string LessonRunner::figureAtEnd(const LessonState& state) const
{
    const LessonQuestion& question = *step(state).question;
    return textAtEnd(state, "{" + question.figure + (question.unit.empty() ? "" : " in " + question.unit) + "}");
}

} // namespace headroom
