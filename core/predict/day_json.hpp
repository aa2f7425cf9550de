// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/predict (it includes fmt): the part of a result's JSON that is about a day's load.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/support/json_writer.hpp"

namespace headroom
{

/// "day", null where the load is the same all day.
void appendDay(JsonText& json, const PreparedScenario& prepared, const Evaluation& evaluation);

} // namespace headroom
