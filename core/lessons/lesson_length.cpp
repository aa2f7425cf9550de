// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_length.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace headroom
{
namespace
{

/// Silent reading of English non-fiction: 238 words a minute on average (M. Brysbaert, Journal of Memory and Language
/// 109, 2019).
constexpr double wordsPerMinute = 238;
/// Our assumptions: thinking about a question, finding and moving a control.
constexpr double minutesPerQuestion = 0.3, minutesPerTask = 0.5;

double words(const std::string& text)
{
    return text.empty() ? 0 : 1 + static_cast<double>(std::ranges::count(text, ' '));
}

} // namespace

int lessonMinutes(const Lesson& lesson)
{
    double minutes = words(lesson.own) / wordsPerMinute;
    for (const LessonStep& step : lesson.steps) {
        double read = words(step.text) + words(step.task) + words(step.explanation);
        if (step.question) {
            read += words(step.question->text);
            for (const LessonChoice& choice : step.question->choices)
                read += words(choice.text);
            minutes += minutesPerQuestion;
        }
        minutes += read / wordsPerMinute + (step.until.empty() ? 0 : minutesPerTask);
    }
    return std::max(1, static_cast<int>(std::lround(minutes)));
}

} // namespace headroom
