// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/predict (it includes fmt): the part of a result's JSON that is about the hosts' memory.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/support/json_writer.hpp"

namespace headroom
{

/// "kv_tiers", null where all of the cache is in the accelerators' memory.
void appendTiers(JsonText& json, const Evaluation& evaluation);
/// "host_weights", null where all weights are there.
void appendHostWeights(JsonText& json, const Evaluation& evaluation);
/// "host_states", null where a training offloads nothing.
void appendHostStates(JsonText& json, const Evaluation& evaluation);

} // namespace headroom
