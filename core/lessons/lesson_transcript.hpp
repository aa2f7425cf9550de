// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson transcript: a lesson played by its recorded solution, as Markdown: for the guide, the command line and proof.
#pragma once

#include "core/lessons/lesson_runner.hpp"

#include <string>

namespace headroom
{

/// The state after the recorded solution of the step in hand: answered, and moved as the solution moves.
[[nodiscard]] LessonState solved(const LessonRunner& runner, LessonState state);

/// The whole lesson: words with their numbers, questions with the right answer, what was done, explanations, sources.
/// `level` is the Markdown level of its title.
[[nodiscard]] std::string lessonTranscript(const Lesson& lesson, const LessonWorld& world, int level = 1);

} // namespace headroom
