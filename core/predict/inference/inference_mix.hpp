// SPDX-License-Identifier: GPL-3.0-or-later
// What each class of a mix of requests sees (docs/method/load.md).
#pragma once

#include "core/predict/inference/inference_tail.hpp"

namespace headroom::inference
{

/// `evaluation` has the figures of the mean request already. Precondition: the scenario has a mix.
[[nodiscard]] MixResult mixOf(const PreparedScenario& prepared, const Replica& replica, const Serving& v,
                              const Evaluation& evaluation, OtherPrompts& others) noexcept;

} // namespace headroom::inference
