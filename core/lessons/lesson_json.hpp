// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson file format (resources/lessons/*.json): strict reading with JSON paths, and the built-in lessons.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/lessons/lesson.hpp"
#include "core/support/diagnostic.hpp"

#include <string_view>
#include <vector>

namespace headroom
{

/// Reads one lesson. Refuses unknown keys, ids of parameters, figures, tiles, charts, models and glossary terms that do
/// not exist, placeholders that cannot be filled, questions without a right answer, tasks without an end or a solution.
/// `translation` is empty, or an object from the JSON pointers of texts to those texts in another language
/// ({"/title": "…", "/steps/0/text": "…"}): logic and numbers stay those of the lesson itself.
[[nodiscard]] Expected<Lesson> readLesson(std::string_view text, const Catalog& catalog,
                                          std::string_view translation = {});

/// The lessons compiled into the library, in the order of their files, in the language ("de") where they are
/// translated (resources/lessons/de/), else in English. Never fails: the files are checked by tests.
[[nodiscard]] std::vector<Lesson> builtInLessons(const Catalog& catalog, std::string_view language = "en");

} // namespace headroom
