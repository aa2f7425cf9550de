// SPDX-License-Identifier: GPL-3.0-or-later
// What each class of a mix of requests sees (docs/method/load.md).
#pragma once

#include "core/predict/inference/inference_tail.hpp"

namespace headroom::inference
{

/// Adds the classes to `result`, which has the figures of the mean request already, and makes its TTFT and latency the
/// mean of theirs: the mean prompt takes that only where time grows in a straight line with a prompt's tokens, which it
/// does not beside weights that come from the host. Precondition: the scenario has a mix.
void addMix(const PreparedScenario& prepared, const Replica& replica, const Serving& v, OtherPrompts& others,
            Evaluation& result) noexcept;

} // namespace headroom::inference
