// SPDX-License-Identifier: GPL-3.0-or-later
// inference: how far published runs were from such predictions.
#pragma once

#include "core/predict/inference/inference_replica.hpp"

namespace headroom::inference
{

/// Fills the 80 % intervals of `result`, whose times and throughput are known. A bound has none.
void addIntervals(const PreparedScenario& prepared, const Replica& replica, const Serving& v,
                  Evaluation& result) noexcept;

} // namespace headroom::inference
