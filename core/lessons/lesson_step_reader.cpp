// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_step_reader.hpp"

#include "core/charts/chart_registry.hpp"
#include "core/lessons/lesson_edit_text.hpp"
#include "core/lessons/lesson_figure.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>

namespace headroom
{
namespace
{

using Kind = LessonHighlight::Kind;
using Relation = LessonCondition::Relation;

struct HighlightPrefix {
    std::string_view prefix;
    Kind kind;
};
constexpr std::array<HighlightPrefix, 3> highlightPrefixes{
    {{"parameter:", Kind::Parameter}, {"metric:", Kind::Metric}, {"chart:", Kind::Chart}}};

bool isKnown(const LessonHighlight& highlight)
{
    switch (highlight.kind) {
    case Kind::Parameter:
        return parameterRow(highlight.id) != nullptr;
    case Kind::Metric:
        return metricRow(highlight.id) != nullptr && metricRow(highlight.id)->tile;
    case Kind::Chart:
        return chartRow(highlight.id) != nullptr;
    case Kind::Model:
    case Kind::Accelerator:
        return true;
    }
    return false;
}

LessonHighlight highlightOf(std::string_view text)
{
    if (text == "model")
        return {Kind::Model, {}};
    if (text == "accelerator")
        return {Kind::Accelerator, {}};
    for (const HighlightPrefix& each : highlightPrefixes)
        if (text.starts_with(each.prefix))
            return {each.kind, std::string(text.substr(each.prefix.size()))};
    return {Kind::Parameter, {}};
}

void readHighlights(ObjectReader& step, std::vector<LessonHighlight>& highlights)
{
    std::vector<std::string> names;
    step.strings("highlight", names);
    for (const std::string& name : names) {
        highlights.push_back(highlightOf(name));
        if (!isKnown(highlights.back()))
            step.error("highlight", "unknown-highlight", say("there is nothing called '{}' to highlight", name),
                       said("write parameter:ID, metric:ID (a tile), chart:ID, model or accelerator"));
    }
}

/// A JSON value as placeholders would write it.
std::string plainText(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "true" : "false";
    return value.is_number() ? exactNumber(value.get<double>()) : "auto";
}

bool isInCatalog(const LessonEdit& edit, const Catalog& catalog)
{
    return edit.kind == LessonEdit::Kind::Model         ? catalog.model(edit.name) != nullptr
           : edit.kind == LessonEdit::Kind::Accelerator ? catalog.accelerator(edit.name) != nullptr
                                                        : true;
}

void readEdits(ObjectReader& reader, std::string_view key, const Catalog& catalog, std::vector<LessonEdit>& edits)
{
    const Json* object = reader.value(key);
    if (!object)
        return;
    if (!object->is_object()) {
        reader.wrongType(key, *object, said("an object of parameters and their values"));
        return;
    }
    for (const auto& [name, value] : object->items()) {
        const std::string path = childPath(reader.pathOf(key), name);
        auto edit = lessonEdit(name, plainText(value), path);
        if (!edit)
            reader.diagnostics().insert(reader.diagnostics().end(), edit.error().begin(), edit.error().end());
        else if (!isInCatalog(*edit, catalog))
            addDiagnostic(reader.diagnostics(), "unknown-id", path, say("the catalogue has no '{}'", edit->name));
        else
            edits.push_back(std::move(*edit));
    }
}

struct RelationKey {
    std::string_view key;
    Relation relation;
    bool timesEntry;
};
constexpr std::array<RelationKey, 5> relationKeys{{{"is", Relation::Equal, false},
                                                   {"at_least", Relation::AtLeast, false},
                                                   {"at_most", Relation::AtMost, false},
                                                   {"at_least_times", Relation::AtLeast, true},
                                                   {"at_most_times", Relation::AtMost, true}}};

void readRelation(ObjectReader& reader, LessonCondition& condition)
{
    const ParameterRow* row =
        condition.subject == LessonCondition::Subject::Parameter ? parameterRow(condition.name) : nullptr;
    int found = 0;
    for (const RelationKey& each : relationKeys) {
        const Json* value = reader.value(each.key);
        if (!value)
            continue;
        ++found;
        condition.relation = each.relation;
        condition.timesEntry = each.timesEntry;
        const auto number = row                   ? parameterValue(*row, plainText(*value))
                            : value->is_boolean() ? std::optional(value->get<bool>() ? 1.0 : 0.0)
                            : value->is_number()  ? std::optional(value->get<double>())
                                                  : std::nullopt;
        if (number)
            condition.value = *number;
        else
            reader.wrongType(each.key, *value, say("a value of '{}'", condition.name));
    }
    if (found != 1)
        reader.error("", "bad-condition", said("a condition compares once"),
                     said("one of is, at_least, at_most, …_times"));
    if (row && condition.timesEntry)
        reader.error("", "bad-condition", said("only figures compare with the step's beginning"));
}

LessonCondition readCondition(ObjectReader& reader, const Catalog& catalog)
{
    using Subject = LessonCondition::Subject;
    LessonCondition condition;
    if (reader.string("model", condition.name)) {
        condition.subject = Subject::Model;
        if (!catalog.model(condition.name))
            reader.error("model", "unknown-id", say("the catalogue has no '{}'", condition.name));
        return condition;
    }
    if (reader.string("accelerator", condition.name)) {
        condition.subject = Subject::Accelerator;
        if (!catalog.accelerator(condition.name))
            reader.error("accelerator", "unknown-id", say("the catalogue has no '{}'", condition.name));
        return condition;
    }
    if (reader.string("parameter", condition.name)) {
        condition.subject = Subject::Parameter;
        if (!parameterRow(condition.name))
            reader.unknownName("parameter", condition.name, namesOf(parameterRegistry(), &ParameterRow::id));
    } else if (reader.string("figure", condition.name, Presence::Required)) {
        if (!lessonFigure(condition.name))
            reader.unknownName("figure", condition.name, lessonFigureIds());
    }
    readRelation(reader, condition);
    return condition;
}

void readConditions(ObjectReader& reader, std::string_view key, const Catalog& catalog,
                    std::vector<LessonCondition>& conditions)
{
    reader.objects(key, [&](ObjectReader& each) { conditions.push_back(readCondition(each, catalog)); });
}

LessonQuestion readQuestion(ObjectReader& reader, const Catalog& catalog)
{
    LessonQuestion question;
    reader.string("text", question.text, Presence::Required);
    reader.objects("choices", [&](ObjectReader& each) {
        LessonChoice choice;
        each.string("text", choice.text, Presence::Required);
        each.boolean("right", choice.right);
        each.string("reason", choice.reason);
        readConditions(each, "when", catalog, choice.when);
        question.choices.push_back(std::move(choice));
    });
    const bool number = reader.string("figure", question.figure);
    reader.number("within", question.within, {1, 1000, true});
    const auto figure = lessonFigure(question.figure);
    if (reader.string("unit", question.unit) &&
        (!lessonUnit(question.unit) || !figure || figure->format != ValueFormat::Seconds))
        reader.error("unit", "bad-question", said("only a time is asked for in a unit"), said("s or ms"));
    if (number && !figure)
        reader.unknownName("figure", question.figure, lessonFigureIds());
    if (number == !question.choices.empty() || question.choices.size() == 1)
        reader.error("", "bad-question", said("a question has two or more choices, or a figure to guess"));
    const auto canBeRight = [](const LessonChoice& choice) { return choice.right || !choice.when.empty(); };
    if (!number && std::ranges::none_of(question.choices, canBeRight))
        reader.error("choices", "bad-question", said("no choice can be right"));
    return question;
}

void checkStep(ObjectReader& reader, const LessonStep& step)
{
    if (step.task.empty() != step.until.empty())
        reader.error("until", "bad-step", said("a task has an end and an end has a task"),
                     said("give both 'task' and 'until'"));
    if (!step.until.empty() && step.solution.edits.empty())
        reader.error("solution", "bad-step", said("a step with a task records its solution"));
    if (!step.until.empty() && step.hints.empty())
        reader.error("hints", "bad-step", said("a step with a task has a hint"));
    if (step.question.has_value() != step.solution.answer.has_value())
        reader.error("solution", "bad-step", said("a question has an answer in the solution, and only a question"));
    if ((step.question || !step.until.empty()) && step.explanation.empty())
        reader.error("explanation", "bad-step", said("what the learner did or guessed is explained"));
}

} // namespace

std::optional<Scenario> readLessonScenario(ObjectReader& reader, std::string_view key, const Catalog& catalog,
                                           Presence presence)
{
    const Json* value = reader.value(key, presence);
    if (!value)
        return std::nullopt;
    std::string text = value->is_object() ? value->dump() : std::string();
    if (value->is_string()) {
        constexpr std::string_view numbered = "scenarios/00-";
        for (const EmbeddedFile& file : embeddedFolder("scenarios/"))
            if (file.path.substr(numbered.size()) == value->get<std::string>() + ".headroom")
                text = file.text;
    }
    if (text.empty()) {
        reader.error(key, "unknown-scenario", said("there is no such example scenario"),
                     said("the name of a file in resources/scenarios without its number, or a scenario object"));
        return std::nullopt;
    }
    auto reading = readScenario(text, catalog);
    if (reading) {
        if (value->is_string()) // its words are among those of the examples, not of the lesson
            reading->scenario.name = say(reading->scenario.name);
        return std::move(reading->scenario);
    }
    for (const Diagnostic& problem : reading.error())
        addDiagnostic(reader.diagnostics(), problem.code, reader.pathOf(key) + problem.path, problem.message,
                      problem.hint);
    return std::nullopt;
}

LessonStep readLessonStep(ObjectReader& reader, const Catalog& catalog)
{
    LessonStep step;
    reader.string("title", step.title, Presence::Required);
    reader.string("text", step.text, Presence::Required);
    step.scenario = readLessonScenario(reader, "scenario", catalog, Presence::Optional);
    readEdits(reader, "set", catalog, step.sets);
    readHighlights(reader, step.highlights);
    reader.object("question", [&](ObjectReader& question) { step.question = readQuestion(question, catalog); });
    reader.string("task", step.task);
    readConditions(reader, "until", catalog, step.until);
    reader.strings("hints", step.hints);
    reader.string("explanation", step.explanation);
    reader.object("solution", [&](ObjectReader& solution) {
        solution.number("answer", step.solution.answer);
        readEdits(solution, "set", catalog, step.solution.edits);
    });
    checkStep(reader, step);
    return step;
}

} // namespace headroom
