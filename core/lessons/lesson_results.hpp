// SPDX-License-Identifier: GPL-3.0-or-later
// LearnerResults: what one learner answered in the lessons, as a file; and what those of a class amount to.
#pragma once

#include "core/lessons/lesson_runner.hpp"
#include "core/support/diagnostic.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// Of one step of a lesson.
struct StepResult {
    std::optional<double> answer; ///< index of the choice or the number; empty: no question, or passed over
    std::optional<bool> right;
    int tries = 0; ///< answers, and changes that the learner came to rest on without the task being done
    int hints = 0;
    bool done = false;
    bool operator==(const StepResult&) const = default;
};

/// Of one lesson, as far as it was played.
struct LessonResult {
    std::string lesson; ///< its id
    bool finished = false;
    std::vector<StepResult> steps; ///< those that were come to, from the first
    bool operator==(const LessonResult&) const = default;
};

/// Of one learner: what a file holds.
struct LearnerResults {
    std::string name; ///< the learner's
    std::vector<LessonResult> lessons;
    bool operator==(const LearnerResults&) const = default;
};

inline constexpr std::size_t longestLearnerName = 120; ///< bytes of UTF-8

/// What a learner's state has of answers and tries.
[[nodiscard]] LessonResult resultOf(const Lesson& lesson, const LessonState& state);

/// One JSON object: "format": "headroom-results", "version": 1, "name", "lessons". With a newline at its end.
[[nodiscard]] std::string writeResults(const LearnerResults& results);
/// Refuses another kind of file, unknown keys, wrong types and values out of range; errors have their JSON path. A
/// lesson that this release does not have is kept. Never throws.
[[nodiscard]] Expected<LearnerResults> readResults(std::string_view text);
/// One lesson of it, as the settings keep it.
[[nodiscard]] std::string writeResult(const LessonResult& result);
[[nodiscard]] std::optional<LessonResult> readResult(std::string_view text);

/// What a learner reached.
struct LearnerSum {
    std::string name;
    int finished = 0;            ///< lessons
    int answered = 0, right = 0; ///< questions
    int tries = 0, hints = 0;
    bool operator==(const LearnerSum&) const = default;
};

/// What a class made of a question.
struct QuestionSum {
    std::size_t lesson = 0, step = 0;         ///< places in the lessons and in the lesson
    int answered = 0, right = 0;              ///< learners
    double tries = 0;                         ///< mean of those who came to the step
    std::optional<std::size_t> commonMistake; ///< the wrong choice that most took; the first of equals
    int mistaken = 0;                         ///< how many took it
    bool operator==(const QuestionSum&) const = default;
};

/// What the results of a class amount to.
struct ClassSum {
    std::vector<LearnerSum> learners;   ///< in the order given
    std::vector<QuestionSum> questions; ///< those that somebody answered, in the order of the lessons
    bool operator==(const ClassSum&) const = default;
};

/// Of the same name the later of the given counts. Results of lessons or steps that there are not count for nobody.
[[nodiscard]] ClassSum summedUp(std::span<const LearnerResults> results, const std::vector<Lesson>& lessons);

} // namespace headroom
