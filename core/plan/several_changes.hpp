// SPDX-License-Identifier: GPL-3.0-or-later
// Several changes: what the planner finds where one next step no longer helps, as an advice.
#pragma once

#include "core/explore/advice.hpp"

#include <optional>
#include <stop_token>

namespace headroom
{

/// Several changes that together do more than any single one, as edits of this scenario: "Tensor parallel 2, context
/// parallel 2 and sharding FSDP". The same GPUs do the same work (tokens a step, lengths, number formats, optimizer).
/// - A training: the layout with the highest MFU.
/// - Reinforcement learning: the split of the GPUs, the copies and the layout with the shortest step.
/// - Serving under a load: the layout that serves it, or answers a request sooner where it is served already.
/// - Serving without a load: layout and batch with the most tokens a second, none later than now or than the targets.
/// Empty: it does not fit, it has a prefill pool, the best is less than a hundredth better than a single change, or
/// `stop` came first. What is held stays. Runs on the calling thread alone.
[[nodiscard]] std::optional<Advice> severalChanges(const PreparedScenario& prepared, const Evaluation& evaluation,
                                                   const IsHeld& held = {}, const std::stop_token& stop = {});

} // namespace headroom
