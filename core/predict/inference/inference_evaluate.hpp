// SPDX-License-Identifier: GPL-3.0-or-later
// inference: evaluations of one replica under several loads, where what is known of it is kept (private to
// core/predict).
#pragma once

#include "core/predict/inference/inference_replica.hpp"

namespace headroom::inference
{

/// evaluateInference(); `replica` is the scenario's.
void evaluateServing(const PreparedScenario& prepared, const Replica& replica, Evaluation& result) noexcept;

/// What requests see, and nothing else: TTFT, TPOT, rates, `queue`, `tail`, `mix`, and `pools` without watts and MFU.
/// `prepared` is the replica's scenario under another load, with another number of replicas and of readers.
[[nodiscard]] Evaluation evaluateSeen(const PreparedScenario& prepared, Replica& replica) noexcept;

} // namespace headroom::inference
