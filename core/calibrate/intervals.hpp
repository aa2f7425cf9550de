// SPDX-License-Identifier: GPL-3.0-or-later
// Residual bands: 80 % ranges of predicted ÷ measured by group, from residuals that were held out.
#pragma once

#include "core/calibrate/fit_task.hpp"

namespace headroom
{

struct ResidualBandRow {
    std::string group, metric;
    double low = 1, high = 1; ///< 10th and 90th percentile of predicted ÷ measured
    std::size_t rows = 0, sources = 0;
};

/// One row for each group and metric, in alphabetical order.
[[nodiscard]] std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals);

} // namespace headroom
