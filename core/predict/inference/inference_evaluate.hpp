// SPDX-License-Identifier: GPL-3.0-or-later
// inference: evaluations of one replica under several loads, where what is known of it is kept (private to
// core/predict).
#pragma once

#include "core/predict/inference/inference_serving.hpp"

namespace headroom::inference
{

/// evaluateInference(); `curve` is of the replica, see serve(), and may be null.
void evaluateServing(const PreparedScenario& prepared, Evaluation& result, ServeCurve* curve) noexcept;

/// What requests see, and nothing else: TTFT, TPOT, rates, `queue`, `tail`, `mix`, and `pools` without watts and MFU.
[[nodiscard]] Evaluation evaluateSeen(const PreparedScenario& prepared, ServeCurve* curve) noexcept;

} // namespace headroom::inference
