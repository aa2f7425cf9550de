// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson texts: placeholders that are filled from evaluations, so that every number a lesson states is computed.
//
//   {mfu}                        a figure of the scenario in hand (lesson_figure.hpp), with its unit
//   {step_time_s in s}           a time in that unit, s or ms, whatever its size
//   {before mfu}  {start mfu}    the same when the step began, when the lesson began
//   {mfu @ method=full}          the same after changes; "model=" and "accelerator=" too
//   {times A / B}                how many times B goes into A: "1.5×"
//   {less A / B}  {more A / B}   by what share A is below, above B: "33 %"
//   {parameter batch}            a parameter's value: "16 sequences"
//   {published id}               a figure with a source, from the lesson's own list
#pragma once

#include "core/lessons/lesson_world.hpp"
#include "core/support/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// What the words "start", "before" and none mean in a placeholder.
struct LessonTimes {
    const Scenario& start;
    const Scenario& before;
    const Scenario& now;
};

/// What is wrong with the placeholders of a text; empty when nothing is. `path` names the text.
[[nodiscard]] Diagnostics checkLessonText(std::string_view text, const Lesson& lesson, const std::string& path);

/// The text with its numbers put in; what is not defined becomes "–". Precondition: checkLessonText() is content.
[[nodiscard]] std::string filledLessonText(std::string_view text, const Lesson& lesson, const LessonTimes& times,
                                           const LessonWorld& world);

/// Ids behind [words](glossary:id).
[[nodiscard]] std::vector<std::string> glossaryLinks(std::string_view text);

} // namespace headroom
