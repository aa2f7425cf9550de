// SPDX-License-Identifier: GPL-3.0-or-later
// Residual bands: 80 % ranges of predicted ÷ measured by group, from residuals that were held out.
#pragma once

#include "core/calibrate/fit_task.hpp"

namespace headroom
{

struct ResidualBandRow {
    std::string group, metric;
    double low = 1, high = 1; ///< 10th and 90th percentile of predicted ÷ measured, stretched about the median
    double stretch = 1;       ///< more where the sources differ more than the runs of one
    double inside = 0;        ///< share of the runs inside the band that all other sources make; 0 with one source
    std::size_t rows = 0, sources = 0;
};

/// One row for each group and metric, in alphabetical order. A band must also hold the runs of a source that did not
/// help to draw it: it is stretched until nearly 80 % of them lie inside. Nearly: a user's run is mostly less of a
/// stranger than a source left out whole.
[[nodiscard]] std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals);

} // namespace headroom
