// SPDX-License-Identifier: GPL-3.0-or-later
// What a figure lacks to be defined: the input that would bring it, or why nothing does.
#pragma once

#include "core/metrics/metric_registry.hpp"

#include <string>

namespace headroom
{

/// One sentence about a figure that the evaluation does not have: "Enter a price per GPU-hour."
[[nodiscard]] std::string missingFigure(const MetricRow& row, const PreparedScenario& prepared,
                                        const Evaluation& evaluation);

} // namespace headroom
