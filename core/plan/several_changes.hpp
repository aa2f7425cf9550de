// SPDX-License-Identifier: GPL-3.0-or-later
// Several changes: what the planner finds where one next step no longer helps, as an advice.
#pragma once

#include "core/explore/advice.hpp"

#include <optional>
#include <stop_token>

namespace headroom
{

/// The layout that reaches the highest MFU on the same GPUs with the same work (tokens a step, sequence, number
/// formats, optimizer), as edits of this scenario: "Tensor parallel 2, context parallel 2 and sharding FSDP". Of a
/// training that fits; empty where the best is not a hundredth better than every single next step, or `stop` came
/// first. Of a serving that fits: the layout (and, without a load, the sequences in flight) that answers a request
/// sooner under the stated load; that serves a load which now is beyond what can be served; or that without a load
/// writes more tokens a second, none of them later than now or than its targets ask. Empty with a prefill pool.
/// Of a step of reinforcement learning: the split of as many GPUs, the copies and the layout with which it takes least.
/// What is held stays. A search on one thread: for beside the window's.
[[nodiscard]] std::optional<Advice> severalChanges(const PreparedScenario& prepared, const Evaluation& evaluation,
                                                   const IsHeld& held = {}, const std::stop_token& stop = {});

} // namespace headroom
