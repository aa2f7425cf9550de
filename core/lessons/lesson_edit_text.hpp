// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson edits in words: "method=lora", "batch=64", "model=llama-3-8b", as placeholders and lesson files write them.
#pragma once

#include "core/lessons/lesson.hpp"
#include "core/scenario/parameter_registry.hpp"
#include "core/support/diagnostic.hpp"

#include <optional>
#include <string_view>

namespace headroom
{

/// A choice's index by its id, a number within the row's range; empty where it is neither.
[[nodiscard]] std::optional<double> parameterValue(const ParameterRow& row, std::string_view text);

/// One change by name and value; "auto" leaves a parameter to itself. Fails with what is wrong at `path`.
[[nodiscard]] Expected<LessonEdit> lessonEdit(std::string_view name, std::string_view value, const std::string& path);

} // namespace headroom
