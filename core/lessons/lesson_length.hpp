// SPDX-License-Identifier: GPL-3.0-or-later
// How long a lesson takes: what a list of lessons says beside its title.
#pragma once

#include "core/lessons/lesson.hpp"

namespace headroom
{

/// Minutes, at least one, for reading every step and doing what it asks.
[[nodiscard]] int lessonMinutes(const Lesson& lesson);

} // namespace headroom
