// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_results.hpp"

#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <map>

namespace headroom
{
namespace
{

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view resultsMarker = "headroom-results";
constexpr int newestVersion = 1, mostTries = 1'000'000, mostHints = 1000;
constexpr std::size_t mostLessons = 1000, mostSteps = 1000;

OrderedJson stepJson(const StepResult& step)
{
    OrderedJson json = OrderedJson::object();
    if (step.answer)
        json["answer"] = *step.answer;
    if (step.right)
        json["right"] = *step.right;
    if (step.tries > 0)
        json["tries"] = step.tries;
    if (step.hints > 0)
        json["hints"] = step.hints;
    if (step.done)
        json["done"] = true;
    return json;
}

OrderedJson lessonJson(const LessonResult& result)
{
    OrderedJson steps = OrderedJson::array();
    for (const StepResult& step : result.steps)
        steps.push_back(stepJson(step));
    OrderedJson json{{"lesson", result.lesson}};
    if (result.finished)
        json["finished"] = true;
    json["steps"] = std::move(steps);
    return json;
}

std::string dumped(const OrderedJson& json, int indent)
{
    return json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
}

StepResult readStep(ObjectReader& reader)
{
    StepResult step;
    reader.number("answer", step.answer);
    reader.boolean("right", step.right);
    reader.integer("tries", step.tries, 0, mostTries);
    reader.integer("hints", step.hints, 0, mostHints);
    reader.boolean("done", step.done);
    return step;
}

LessonResult readLesson(ObjectReader& reader)
{
    LessonResult result;
    reader.string("lesson", result.lesson, Presence::Required);
    reader.boolean("finished", result.finished);
    reader.objects(
        "steps", [&](ObjectReader& step) { result.steps.push_back(readStep(step)); }, Presence::Required);
    if (result.steps.size() > mostSteps)
        reader.error("steps", "too-many", say("a lesson has at most {} steps", mostSteps), {});
    return result;
}

void readDocument(ObjectReader& document, LearnerResults& results)
{
    if (!document.isObject() || !readFormat(document, resultsMarker) || !readVersion(document, newestVersion))
        return;
    document.string("name", results.name, Presence::Required);
    if (results.name.empty() || results.name.size() > longestLearnerName)
        document.error("name", "out-of-range", say("a name has 1 to {} bytes", longestLearnerName), {});
    document.objects(
        "lessons", [&](ObjectReader& lesson) { results.lessons.push_back(readLesson(lesson)); }, Presence::Required);
    if (results.lessons.size() > mostLessons)
        document.error("lessons", "too-many", say("there are at most {} lessons", mostLessons), {});
    document.finish();
}

} // namespace

LessonResult resultOf(const Lesson& lesson, const LessonState& state)
{
    LessonResult result{lesson.id, state.finished, {}};
    for (const StepProgress& step : state.steps) {
        if (!step.entered)
            break;
        result.steps.push_back({step.answer, step.right, step.tries, step.hints, step.done});
    }
    return result;
}

std::string writeResults(const LearnerResults& results)
{
    OrderedJson document{{"format", resultsMarker}, {"version", newestVersion}, {"name", results.name}};
    document["lessons"] = OrderedJson::array();
    for (const LessonResult& lesson : results.lessons)
        document["lessons"].push_back(lessonJson(lesson));
    return dumped(document, 2) + '\n';
}

Expected<LearnerResults> readResults(std::string_view text)
{
    const auto json = parseJson(text);
    if (!json)
        return tl::unexpected(json.error());
    Diagnostics problems;
    LearnerResults results;
    ObjectReader document(*json, "", problems);
    readDocument(document, results);
    if (!hasErrors(problems))
        return results;
    addLines(problems, text);
    return tl::unexpected(std::move(problems));
}

std::string writeResult(const LessonResult& result)
{
    return dumped(lessonJson(result), -1);
}

std::optional<LessonResult> readResult(std::string_view text)
{
    const auto json = parseJson(text);
    if (!json)
        return std::nullopt;
    Diagnostics problems;
    ObjectReader reader(*json, "", problems);
    if (!reader.isObject())
        return std::nullopt;
    LessonResult result = readLesson(reader);
    reader.finish();
    return hasErrors(problems) ? std::nullopt : std::optional(std::move(result));
}

namespace
{

/// Of the same name the later of the given.
std::vector<const LearnerResults*> eachOnce(std::span<const LearnerResults> results)
{
    std::vector<const LearnerResults*> learners;
    for (const LearnerResults& each : results) {
        const auto same = std::ranges::find(learners, each.name, [](const LearnerResults* one) { return one->name; });
        if (same == learners.end())
            learners.push_back(&each);
        else
            *same = &each;
    }
    return learners;
}

const LessonResult* resultFor(const LearnerResults& learner, const Lesson& lesson)
{
    const auto played = std::ranges::find(learner.lessons, lesson.id, &LessonResult::lesson);
    return played == learner.lessons.end() ? nullptr : &*played;
}

/// What learners made of one step, which each of `learners` gets added.
struct StepSum {
    QuestionSum asked;
    int came = 0;
    std::map<std::size_t, int> wrong; ///< by choice

    void add(const StepResult& here, const LessonStep& step, LearnerSum& learner)
    {
        ++came;
        asked.tries += here.tries;
        learner.tries += here.tries;
        learner.hints += here.hints;
        if (!step.question || !here.answer || !here.right)
            return;
        ++asked.answered;
        ++learner.answered;
        asked.right += *here.right ? 1 : 0;
        learner.right += *here.right ? 1 : 0;
        if (!*here.right && *here.answer >= 0 && *here.answer < double(step.question->choices.size()))
            ++wrong[static_cast<std::size_t>(*here.answer)];
    }
    /// Precondition: somebody came.
    [[nodiscard]] QuestionSum mean() const
    {
        QuestionSum sum = asked;
        sum.tries /= came;
        for (const auto& [choice, count] : wrong)
            if (count > sum.mistaken) {
                sum.commonMistake = choice;
                sum.mistaken = count;
            }
        return sum;
    }
};

} // namespace

ClassSum summedUp(std::span<const LearnerResults> results, const std::vector<Lesson>& lessons)
{
    const auto learners = eachOnce(results);
    ClassSum sum;
    for (const LearnerResults* each : learners)
        sum.learners.push_back({each->name, 0, 0, 0, 0, 0});
    for (std::size_t lesson = 0; lesson < lessons.size(); ++lesson) {
        const auto& steps = lessons[lesson].steps;
        std::vector<StepSum> sums(steps.size());
        for (std::size_t i = 0; i < learners.size(); ++i) {
            const LessonResult* played = resultFor(*learners[i], lessons[lesson]);
            if (!played)
                continue;
            sum.learners[i].finished += played->finished ? 1 : 0;
            for (std::size_t step = 0; step < std::min(steps.size(), played->steps.size()); ++step)
                sums[step].add(played->steps[step], steps[step], sum.learners[i]);
        }
        for (std::size_t step = 0; step < steps.size(); ++step) {
            sums[step].asked.lesson = lesson;
            sums[step].asked.step = step;
            if (sums[step].asked.answered > 0)
                sum.questions.push_back(sums[step].mean());
        }
    }
    return sum;
}

} // namespace headroom
