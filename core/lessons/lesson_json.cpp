// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_json.hpp"

#include "core/lessons/lesson_step_reader.hpp"
#include "core/lessons/lesson_text.hpp"
#include "core/support/embedded.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

constexpr std::string_view lessonMarker = "headroom-lesson";
constexpr std::string_view folder = "lessons/";

bool readMarkers(ObjectReader& document)
{
    if (!readFormat(document, lessonMarker))
        return false;
    int version = 0; // every lesson is a part of this release
    return document.integer("version", version, 1, 1, Presence::Required);
}

void readPublished(ObjectReader& document, Lesson& lesson)
{
    document.objects("published", [&](ObjectReader& reader) {
        PublishedFigure figure;
        reader.string("id", figure.id, Presence::Required);
        reader.string("text", figure.text, Presence::Required);
        reader.string("source", figure.source, Presence::Required);
        lesson.published.push_back(std::move(figure));
    });
}

/// Every text with placeholders, with the path it stands at.
template <typename Visit>
void visitTexts(const Lesson& lesson, Visit visit)
{
    visit("/goal", lesson.goal);
    visit("/own", lesson.own);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        const std::string path = "/steps/" + std::to_string(i);
        visit(path + "/title", step.title);
        visit(path + "/text", step.text);
        visit(path + "/task", step.task);
        visit(path + "/explanation", step.explanation);
        for (std::size_t k = 0; k < step.hints.size(); ++k)
            visit(path + "/hints/" + std::to_string(k), step.hints[k]);
        if (!step.question)
            continue;
        visit(path + "/question/text", step.question->text);
        for (std::size_t k = 0; k < step.question->choices.size(); ++k) {
            const std::string choice = path + "/question/choices/" + std::to_string(k);
            visit(choice + "/text", step.question->choices[k].text);
            visit(choice + "/reason", step.question->choices[k].reason);
        }
    }
}

void readDocument(ObjectReader& document, Lesson& lesson, const Catalog& catalog)
{
    if (!document.isObject() || !readMarkers(document))
        return;
    document.string("id", lesson.id, Presence::Required);
    document.string("title", lesson.title, Presence::Required);
    document.string("goal", lesson.goal, Presence::Required);
    document.string("own", lesson.own, Presence::Required);
    document.strings("sources", lesson.sources, Presence::Required);
    if (document.json().contains("sources") && lesson.sources.empty())
        document.error("sources", "missing-source", said("a lesson names where its case comes from"));
    readPublished(document, lesson);
    if (auto start = readLessonScenario(document, "scenario", catalog, Presence::Required))
        lesson.start = std::move(*start);
    document.objects(
        "steps", [&](ObjectReader& step) { lesson.steps.push_back(readLessonStep(step, catalog)); },
        Presence::Required);
    if (document.json().contains("steps") && lesson.steps.empty())
        document.error("steps", "no-steps", said("a lesson has at least one step"));
    document.finish();
    visitTexts(lesson, [&](const std::string& path, const std::string& text) {
        for (Diagnostic& problem : checkLessonText(text, lesson, path))
            document.diagnostics().push_back(std::move(problem));
    });
}

/// Puts the texts of another language in their places.
Diagnostics translate(Json& lesson, std::string_view translation)
{
    Diagnostics problems;
    const auto texts = parseJson(translation);
    if (!texts)
        return texts.error();
    for (const auto& [path, text] : texts->items()) {
        // '~' begins an escape that may be malformed; no key of a lesson needs one.
        const bool known = path.starts_with('/') && path.find('~') == std::string::npos &&
                           lesson.contains(Json::json_pointer(path)) && lesson.at(Json::json_pointer(path)).is_string();
        if (known && text.is_string())
            lesson.at(Json::json_pointer(path)) = text;
        else
            addDiagnostic(problems, "unknown-text", path, said("the lesson has no text here"));
    }
    return problems;
}

} // namespace

Expected<Lesson> readLesson(std::string_view text, const Catalog& catalog, std::string_view translation)
{
    auto json = parseJson(text);
    if (!json)
        return tl::unexpected(json.error());
    Diagnostics diagnostics;
    if (!translation.empty())
        diagnostics = translate(*json, translation);
    Lesson lesson;
    ObjectReader document(*json, "", diagnostics);
    readDocument(document, lesson, catalog);
    if (hasErrors(diagnostics)) {
        addLines(diagnostics, text);
        return tl::unexpected(std::move(diagnostics));
    }
    return lesson;
}

std::vector<Lesson> builtInLessons(const Catalog& catalog, std::string_view language)
{
    std::vector<Lesson> lessons;
    for (const EmbeddedFile& file : embeddedFolder(folder)) {
        const std::string_view name = file.path.substr(folder.size());
        if (name.find('/') != std::string_view::npos)
            continue; // a translation
        const auto translation = embeddedFile(std::string(folder) + std::string(language) + "/" + std::string(name));
        if (auto lesson = readLesson(file.text, catalog, translation.value_or(std::string_view{})))
            lessons.push_back(std::move(*lesson));
    }
    return lessons;
}

} // namespace headroom
