// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/lesson_edit_text.hpp"

#include "core/support/nearest_name.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

namespace headroom
{

std::optional<double> parameterValue(const ParameterRow& row, std::string_view text)
{
    for (std::size_t i = 0; i < row.choices.size(); ++i)
        if (row.choices[i].id == text)
            return static_cast<double>(i);
    if (row.kind == ParameterKind::Choice)
        return std::nullopt;
    if (row.kind == ParameterKind::Toggle)
        return text == "true" ? std::optional(1.0) : text == "false" ? std::optional(0.0) : std::nullopt;
    const auto number = readNumber(text, ValueFormat::Plain, false);
    return number && *number >= row.minimum && *number <= row.maximum ? number : std::nullopt;
}

Expected<LessonEdit> lessonEdit(std::string_view name, std::string_view value, const std::string& path)
{
    if (name == "model")
        return LessonEdit{LessonEdit::Kind::Model, std::string(value)};
    if (name == "accelerator")
        return LessonEdit{LessonEdit::Kind::Accelerator, std::string(value)};
    const ParameterRow* row = parameterRow(name);
    if (!row) {
        auto known = namesOf(parameterRegistry(), &ParameterRow::id);
        known.insert(known.begin(), {"model", "accelerator"});
        return fail("unknown-parameter", path, say("there is no parameter '{}'", name), suggestName(name, known));
    }
    if (value == "auto")
        return LessonEdit{LessonEdit::Kind::Reset, std::string(row->id)};
    const auto number = parameterValue(*row, value);
    if (!number)
        return fail("bad-value", path, say("'{}' is not a value of '{}'", value, row->id),
                    row->choices.empty() ? said("a number within its range") : said("one of its choices"));
    return LessonEdit{LessonEdit::Kind::Set, std::string(row->id), *number};
}

} // namespace headroom
