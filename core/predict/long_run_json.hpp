// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/predict (it includes fmt): the parts of a result's JSON that are about a long training.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/support/json_writer.hpp"

namespace headroom
{

/// "seconds_to_train" and "goodput", null where failures are not counted.
void appendGoodput(JsonText& json, const Evaluation& evaluation);
/// "phases", null where the run is of one piece.
void appendPhases(JsonText& json, const PreparedScenario& prepared, const Evaluation& evaluation);
/// "rl", null where no step of reinforcement learning is asked for.
void appendRl(JsonText& json, const PreparedScenario& prepared, const Evaluation& evaluation);

} // namespace headroom
