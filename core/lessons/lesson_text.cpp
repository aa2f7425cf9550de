// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_text.hpp"

#include "core/explain/glossary.hpp"
#include "core/lessons/lesson_edit_text.hpp"
#include "core/lessons/lesson_figure.hpp"
#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

constexpr std::string_view undefined = "\u2013", glossaryScheme = "](glossary:", unitWord = " in ";

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Takes `word` and a space off the front.
bool takeWord(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != ' ')
        return false;
    text = trimmed(text.substr(word.size()));
    return true;
}

enum class Time : std::uint8_t { Now, Before, Start };

/// "before mfu @ method=full"
struct Term {
    Time time = Time::Now;
    std::string_view name;
    std::vector<LessonEdit> edits;
};

Expected<Term> readTerm(std::string_view text, const std::string& path)
{
    Term term;
    text = trimmed(text);
    term.time = takeWord(text, "before") ? Time::Before : takeWord(text, "start") ? Time::Start : Time::Now;
    const auto at = text.find('@');
    term.name = trimmed(text.substr(0, at));
    std::string_view changes = at == std::string_view::npos ? std::string_view{} : trimmed(text.substr(at + 1));
    while (!changes.empty()) {
        const auto comma = changes.find(',');
        const std::string_view change = trimmed(changes.substr(0, comma));
        changes = comma == std::string_view::npos ? std::string_view{} : trimmed(changes.substr(comma + 1));
        const auto equals = change.find('=');
        if (equals == std::string_view::npos)
            return fail("bad-placeholder", path, say("'{}' is not a change", change), said("write batch=64"));
        auto edit = lessonEdit(trimmed(change.substr(0, equals)), trimmed(change.substr(equals + 1)), path);
        if (!edit)
            return tl::unexpected(edit.error());
        term.edits.push_back(std::move(*edit));
    }
    return term;
}

Expected<Term> readFigureTerm(std::string_view text, const std::string& path)
{
    auto term = readTerm(text, path);
    if (term && !lessonFigure(term->name)) {
        const auto known = lessonFigureIds();
        return fail("unknown-figure", path, say("there is no figure '{}'", term->name), suggestName(term->name, known));
    }
    return term;
}

enum class Form : std::uint8_t { Figure, Times, Less, More, Parameter, Published };

struct Placeholder {
    Form form = Form::Figure;
    Term term, other;
    std::string_view name; ///< of Published
    std::string_view unit; ///< of Figure: what a time is written in
};

Expected<Placeholder> readPlaceholder(std::string_view text, const Lesson& lesson, const std::string& path)
{
    Placeholder result;
    text = trimmed(text);
    if (takeWord(text, "published")) {
        result.form = Form::Published;
        result.name = text;
        if (std::ranges::find(lesson.published, text, &PublishedFigure::id) == lesson.published.end())
            return fail("unknown-figure", path, say("'{}' is not in this lesson's 'published'", text));
        return result;
    }
    if (takeWord(text, "parameter")) {
        result.form = Form::Parameter;
        auto term = readTerm(text, path);
        if (!term)
            return tl::unexpected(term.error());
        if (!parameterRow(term->name))
            return fail("unknown-parameter", path, say("there is no parameter '{}'", term->name));
        result.term = std::move(*term);
        return result;
    }
    result.form = takeWord(text, "times")  ? Form::Times
                  : takeWord(text, "less") ? Form::Less
                  : takeWord(text, "more") ? Form::More
                                           : Form::Figure;
    if (const auto in = text.rfind(unitWord); result.form == Form::Figure && in != std::string_view::npos) {
        result.unit = trimmed(text.substr(in + unitWord.size()));
        text = trimmed(text.substr(0, in));
    }
    const auto slash = result.form == Form::Figure ? std::string_view::npos : text.find('/');
    if (result.form != Form::Figure && slash == std::string_view::npos)
        return fail("bad-placeholder", path, said("a ratio needs two figures"), said("write {times hfu / mfu}"));
    auto term = readFigureTerm(text.substr(0, slash), path);
    if (!term)
        return tl::unexpected(term.error());
    result.term = std::move(*term);
    if (!result.unit.empty() &&
        (!lessonUnit(result.unit) || lessonFigure(result.term.name)->format != ValueFormat::Seconds))
        return fail("bad-placeholder", path, said("only a time is written in a unit"),
                    said("write {step_time_s in ms}"));
    if (result.form == Form::Figure)
        return result;
    auto other = readFigureTerm(text.substr(slash + 1), path);
    if (!other)
        return tl::unexpected(other.error());
    result.other = std::move(*other);
    return result;
}

/// Calls `words(part)` and `placeholder(inner)` along the text; false where a brace has no partner.
template <typename Words, typename Inner>
bool walk(std::string_view text, Words words, Inner placeholder)
{
    while (!text.empty()) {
        const auto open = text.find('{');
        words(text.substr(0, open));
        if (open == std::string_view::npos)
            return true;
        const auto close = text.find('}', open);
        if (close == std::string_view::npos)
            return false;
        placeholder(text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
    return true;
}

class Filler final
{
public:
    Filler(const Lesson& lesson, const LessonTimes& times, const LessonWorld& world)
        : m_lesson(lesson), m_times(times), m_world(world)
    {
    }

    [[nodiscard]] std::string text(std::string_view inner) const
    {
        const auto placeholder = readPlaceholder(inner, m_lesson, {});
        return placeholder ? text(*placeholder) : std::string(undefined);
    }

private:
    [[nodiscard]] std::string text(const Placeholder& placeholder) const
    {
        if (placeholder.form == Form::Published)
            return std::ranges::find(m_lesson.published, placeholder.name, &PublishedFigure::id)->text;
        const Scenario scenario = scenarioOf(placeholder.term);
        if (placeholder.form == Form::Parameter) {
            const ParameterRow* row = parameterRow(placeholder.term.name);
            return parameterText(*row, row->get(scenario));
        }
        const auto value = m_world.figure(placeholder.term.name, scenario);
        if (!value)
            return std::string(undefined);
        if (placeholder.form == Form::Figure)
            return textOf(*lessonFigure(placeholder.term.name), *value, placeholder.unit);
        const auto other = m_world.figure(placeholder.other.name, scenarioOf(placeholder.other));
        if (!other || *other == 0)
            return std::string(undefined);
        const double ratio = *value / *other;
        if (placeholder.form == Form::Times)
            return numberText(ratio) + "×";
        return percentText(placeholder.form == Form::Less ? 1 - ratio : ratio - 1);
    }

    [[nodiscard]] Scenario scenarioOf(const Term& term) const
    {
        return edited(term.time == Time::Now      ? m_times.now
                      : term.time == Time::Before ? m_times.before
                                                  : m_times.start,
                      term.edits);
    }

    const Lesson& m_lesson;
    const LessonTimes& m_times;
    const LessonWorld& m_world;
};

} // namespace

Diagnostics checkLessonText(std::string_view text, const Lesson& lesson, const std::string& path)
{
    Diagnostics problems;
    const auto add = [&](Diagnostics more) { problems.insert(problems.end(), more.begin(), more.end()); };
    const bool closed = walk(
        text, [](std::string_view) {},
        [&](std::string_view inner) {
            if (const auto placeholder = readPlaceholder(inner, lesson, path); !placeholder)
                add(placeholder.error());
        });
    if (!closed)
        add(fail("bad-placeholder", path, say("a '{}' has no '{}'", '{', '}')).value());
    for (const std::string& id : glossaryLinks(text))
        if (!glossaryTerm(id))
            add(fail("unknown-term", path, say("the glossary has no term '{}'", id)).value());
    return problems;
}

std::string filledLessonText(std::string_view text, const Lesson& lesson, const LessonTimes& times,
                             const LessonWorld& world)
{
    const Filler filler(lesson, times, world);
    std::string result;
    walk(
        text, [&](std::string_view words) { result += words; },
        [&](std::string_view inner) { result += filler.text(inner); });
    return result;
}

std::vector<std::string> glossaryLinks(std::string_view text)
{
    std::vector<std::string> ids;
    for (auto link = text.find(glossaryScheme); link != std::string_view::npos;
         link = text.find(glossaryScheme, link + 1)) {
        const auto first = link + glossaryScheme.size();
        ids.emplace_back(text.substr(first, text.find(')', first) - first));
    }
    return ids;
}

} // namespace headroom
