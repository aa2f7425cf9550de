// SPDX-License-Identifier: GPL-3.0-or-later
// LessonRunner: plays a lesson — a pure state machine, state and event to the next state.
#pragma once

#include "core/lessons/lesson.hpp"
#include "core/lessons/lesson_world.hpp"

#include <string>
#include <variant>
#include <vector>

namespace headroom
{

/// Ask: the question waits for an answer. Act: the task waits to be done. Explained: all said, one can go on.
enum class LessonPhase : std::uint8_t { Ask, Act, Explained };

struct StepProgress {
    bool entered = false;
    Scenario entry, result; ///< the scenario when the step began and when it was done
    bool answered = false;
    std::optional<double> answer; ///< index of the choice or the number; empty: passed over
    std::optional<bool> right;    ///< known once the step is done
    bool done = false;
    int attempts = 0; ///< changes that the learner came to rest on without the task being done
    int hints = 0;    ///< shown so far
    int tries = 0;    ///< answers and attempts, those before the step was begun again too
    bool operator==(const StepProgress&) const = default;
};

/// Where the learner stands; all that has to be kept.
struct LessonState {
    std::size_t step = 0;
    std::vector<StepProgress> steps;
    Scenario scenario; ///< what should be on the screen
    bool finished = false;
    bool operator==(const LessonState&) const = default;
};

namespace lesson_event
{
/// The scenario on the screen is another. `settled`: the hand came to rest.
struct ScenarioChanged {
    Scenario scenario;
    bool settled = false;
};
/// The learner answers the step's question.
struct Answered {
    std::optional<double> answer; ///< empty: "I do not know"
};
/// The learner wants the next hint.
struct HintAsked {
};
/// On to the next step.
struct Next {
};
/// To the step before.
struct Back {
};
/// The step from its beginning, scenario too.
struct Restart {
};
} // namespace lesson_event

using LessonEvent = std::variant<lesson_event::ScenarioChanged, lesson_event::Answered, lesson_event::HintAsked,
                                 lesson_event::Next, lesson_event::Back, lesson_event::Restart>;

/// Holds no state of its own: every call takes one and gives the next.
class LessonRunner final
{
public:
    /// After so many attempts the next hint shows by itself.
    static constexpr int attemptsPerHint = 3;

    /// The lesson and the world must outlive the runner.
    LessonRunner(const Lesson& lesson, const LessonWorld& world) : m_lesson(lesson), m_world(world) {}

    [[nodiscard]] LessonState begin() const;
    /// Events that have no meaning in the state (Next before the step is done) change nothing.
    [[nodiscard]] LessonState after(LessonState state, const LessonEvent& event) const;

    [[nodiscard]] LessonPhase phase(const LessonState& state) const;
    [[nodiscard]] const LessonStep& step(const LessonState& state) const { return m_lesson.steps[state.step]; }
    [[nodiscard]] const Lesson& lesson() const { return m_lesson; }
    /// Index of the choice that is right in the state; empty before the step is done and for numbers.
    [[nodiscard]] std::optional<std::size_t> rightChoice(const LessonState& state) const;

    /// The number that was guessed over what it turned out to be; empty without either, and for choices.
    [[nodiscard]] std::optional<double> guessRatio(const LessonState& state) const;

    /// A text of the step with its numbers: as they were when it began, or for the explanation when it was done.
    [[nodiscard]] std::string textAtEntry(const LessonState& state, std::string_view text) const;
    [[nodiscard]] std::string textAtEnd(const LessonState& state, std::string_view text) const;
    /// What a question for a number asks for, as it turned out, in the unit it asks for.
    [[nodiscard]] std::string figureAtEnd(const LessonState& state) const;

private:
    void enter(LessonState& state) const;
    void judge(LessonState& state) const;

    const Lesson& m_lesson;
    const LessonWorld& m_world;
};

} // namespace headroom
