// SPDX-License-Identifier: GPL-3.0-or-later
// Residual bands: 80 % ranges of predicted ÷ measured by group, from residuals that were held out.
#pragma once

#include "core/calibrate/fit_task.hpp"

namespace headroom
{

struct ResidualBandRow {
    std::string group, metric;
    double low = 1, high = 1; ///< of predicted ÷ measured
    double stretch = 1;       ///< percentiles: more where the sources differ more than the runs of one
    double inside = 0; ///< share of the runs inside the band (percentiles: that all other sources make, 0 with one)
    std::size_t rows = 0, sources = 0;
};

/// How a band is drawn about its residuals.
enum class BandShape {
    /// 10th and 90th percentile, stretched about the median. A band must also hold the runs of a source that did not
    /// help to draw it: it is stretched until nearly 80 % of them lie inside. Nearly: a user's run is mostly less of a
    /// stranger than a source left out whole.
    Percentiles,
    /// As far down as up, eight in ten inside: a source left out errs to a side of its own, which the next one need not
    /// share.
    Balanced
};

/// One row for each group and metric, in alphabetical order.
[[nodiscard]] std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals,
                                                         BandShape shape = BandShape::Percentiles);

} // namespace headroom
