// SPDX-License-Identifier: GPL-3.0-or-later
// derive(): how a figure of a scenario came about, with what would move it most.
#pragma once

#include "core/metrics/derivation.hpp"
#include "core/predict/evaluate.hpp"

#include <string_view>

namespace headroom
{

/// The derivation of a metric of the registry; every metric has one. The last step's value equals the metric's.
[[nodiscard]] Derivation derive(std::string_view metricId, const PreparedScenario& prepared,
                                const Evaluation& evaluation);

} // namespace headroom
