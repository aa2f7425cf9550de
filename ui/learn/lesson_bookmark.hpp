// SPDX-License-Identifier: GPL-3.0-or-later
// LessonBookmark: where a lesson was left, as a map that the settings keep.
#pragma once

#include "core/lessons/lesson_runner.hpp"

#include <QVariantMap>
#include <optional>

namespace headroom::ui
{

/// Whether there is anything to come back to: a step done, an answer given.
[[nodiscard]] bool isWorthKeeping(const LessonState& state);
[[nodiscard]] QVariantMap bookmarkOf(const LessonState& state);
/// Empty where the lesson has other steps by now, or the catalogue no longer has what the scenarios name.
[[nodiscard]] std::optional<LessonState> stateOf(const QVariantMap& bookmark, const Lesson& lesson,
                                                 const Catalog& catalog);

} // namespace headroom::ui
