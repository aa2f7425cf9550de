// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/lessons (it includes nlohmann/json): one step of a lesson file, read strictly.
#pragma once

#include "core/catalog/catalog.hpp"
#include "core/lessons/lesson.hpp"
#include "core/support/json_reader.hpp"

#include <optional>

namespace headroom
{

/// A key that holds a scenario: the name of a built-in example without its number, or the object of a scenario file.
[[nodiscard]] std::optional<Scenario> readLessonScenario(ObjectReader& reader, std::string_view key,
                                                         const Catalog& catalog, Presence presence);

[[nodiscard]] LessonStep readLessonStep(ObjectReader& step, const Catalog& catalog);

} // namespace headroom
