// SPDX-License-Identifier: GPL-3.0-or-later
// headroom-cli lessons: the lessons listed, or some of them played by their solutions as Markdown.
#include "app/cli/command.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/lessons/lesson_transcript.hpp"
#include "core/support/nearest_name.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cli
{
namespace
{

struct LessonsOptions {
    std::vector<std::string> ids;
    bool all = false;
};

void runLessons(const LessonsOptions& options, Context& context)
{
    const std::vector<Lesson> lessons = builtInLessons(context.catalog());
    const auto known = namesOf(lessons, &Lesson::id);
    for (const std::string& id : options.ids)
        if (std::ranges::find(known, id) == known.end())
            throw CLI::ValidationError("ID", '\'' + id + "' is not a lesson; " + suggestName(id, known));
    const LessonWorld world(context.catalog(), context.calibration());
    for (const Lesson& lesson : lessons) {
        if (options.all || std::ranges::find(options.ids, lesson.id) != options.ids.end())
            print(lessonTranscript(lesson, world) + "\n");
        else if (options.ids.empty())
            print(fmt::format("{:<24} {}\n", lesson.id, lesson.title));
    }
}

} // namespace

void addLessons(CLI::App& app, Context& context)
{
    const auto options = std::make_shared<LessonsOptions>();
    CLI::App* command = app.add_subcommand("lessons", "List the lessons, or print some of them as Markdown");
    command->add_option("ID", options->ids, "Lessons to print, with their numbers computed");
    command->add_flag("--all", options->all, "Print every lesson");
    command->callback([options, &context] { runLessons(*options, context); });
}

} // namespace headroom::cli
