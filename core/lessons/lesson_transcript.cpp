// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_transcript.hpp"

#include "core/lessons/lesson_text.hpp"

namespace headroom
{
namespace
{

/// Glossary links become their words: the page may stand where there is no glossary.
std::string plain(const std::string& text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto target = text.find("](glossary:", i);
        const auto open = target == std::string::npos ? target : text.rfind('[', target);
        if (target == std::string::npos || open == std::string::npos || open < i)
            return result + text.substr(i);
        result += text.substr(i, open - i) + text.substr(open + 1, target - open - 1);
        const auto close = text.find(')', target);
        i = close == std::string::npos ? text.size() : close + 1;
    }
    return result;
}

std::string questionText(const LessonRunner& runner, const LessonState& state)
{
    const LessonQuestion& question = *runner.step(state).question;
    std::string text = "**Predict:** " + runner.textAtEntry(state, question.text) + "\n\n";
    const auto right = runner.rightChoice(state);
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        text +=
            std::string(right == i ? "- [x] " : "- [ ] ") + runner.textAtEntry(state, question.choices[i].text) + "\n";
    if (!question.choices.empty())
        return text + "\n";
    return text + "It was " + runner.figureAtEnd(state) + ".\n\n";
}

std::string stepText(const LessonRunner& runner, const LessonState& state)
{
    const LessonStep& step = runner.step(state);
    std::string text = runner.textAtEntry(state, step.text) + "\n\n";
    if (step.question)
        text += questionText(runner, state);
    if (!step.task.empty())
        text += "**Do:** " + runner.textAtEntry(state, step.task) + "\n\n";
    for (const std::string& hint : step.hints)
        text += "*Hint:* " + runner.textAtEntry(state, hint) + "\n\n";
    if (!step.explanation.empty())
        text += "> " + runner.textAtEnd(state, step.explanation) + "\n\n";
    return plain(text);
}

} // namespace

LessonState solved(const LessonRunner& runner, LessonState state)
{
    const LessonStep& step = runner.step(state);
    if (step.question)
        state = runner.after(std::move(state), lesson_event::Answered{step.solution.answer});
    if (!step.solution.edits.empty()) {
        Scenario moved = edited(state.scenario, step.solution.edits);
        state = runner.after(std::move(state), lesson_event::ScenarioChanged{std::move(moved), true});
    }
    return state;
}

std::string lessonTranscript(const Lesson& lesson, const LessonWorld& world, int level)
{
    const std::string heading(static_cast<std::size_t>(level), '#');
    const LessonRunner runner(lesson, world);
    LessonState state = runner.begin();
    std::string text = heading + " " + lesson.title + "\n\n" + plain(runner.textAtEntry(state, lesson.goal)) + "\n\n";
    while (!state.finished) {
        state = solved(runner, std::move(state));
        text += heading + "# " + runner.textAtEntry(state, runner.step(state).title) + "\n\n" + stepText(runner, state);
        const std::size_t before = state.step;
        state = runner.after(std::move(state), lesson_event::Next{});
        if (!state.finished && state.step == before)
            break; // the solution does not solve it: the test over all lessons says so
    }
    text += heading + "# On your own scenario\n\n" + plain(runner.textAtEnd(state, lesson.own)) + "\n\n";
    text += "Sources: ";
    for (std::size_t i = 0; i < lesson.sources.size(); ++i)
        text += (i > 0 ? "; " : "") + lesson.sources[i];
    return text + ".\n";
}

} // namespace headroom
