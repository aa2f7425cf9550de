// SPDX-License-Identifier: GPL-3.0-or-later
// Residual bands: 80 % ranges of predicted ÷ measured by group, from residuals that were held out.
#pragma once

#include "core/fit/fit_task.hpp"

namespace headroom
{

struct ResidualBandRow {
    std::string group, metric;
    double low = 1, high = 1; ///< of predicted ÷ measured
    double stretch = 1;       ///< more where sources differ more than the runs of one
    double inside = 0;        ///< share of the runs in the band that others make (insideOthersBands); 0 without others
    std::size_t rows = 0, sources = 0;
};

/// How a band is drawn about its residuals. A band must also hold runs that did not help to draw it: it is stretched
/// until nearly 80 % of them lie inside. Not quite: a user's run resembles known runs more than those left out do.
enum class BandShape {
    /// 10th and 90th percentile, stretched about the median; judged without the run's source, or without its
    /// model where one source is all there is. For sources that are split by what they vary (FitTask::campaign).
    Percentiles,
    /// As far down as up, eight in ten inside: a source left out errs to a side of its own, which the next one need not
    /// share. Judged without the runs of its source and model: few sources speak for a kind, and one may be most of it.
    /// Of fewer than thirty runs it is not stretched.
    Balanced
};

/// One row for each group and metric, in alphabetical order.
[[nodiscard]] std::vector<ResidualBandRow> residualBands(std::span<const HeldOutResidual> residuals,
                                                         BandShape shape = BandShape::Percentiles);

/// For each residual, whether it lies in the band that the others of its group and metric make (BandShape says which).
/// Empty where there is no other.
[[nodiscard]] std::vector<std::optional<bool>> insideOthersBands(std::span<const HeldOutResidual> residuals,
                                                                 BandShape shape = BandShape::Percentiles);

/// The band of a source that nobody has seen, whatever it measures, as far down as up: eight in ten of the runs of a
/// new source lie in it, where sources are drawn alike. Conformal prediction over sources (Lee, Barber and Willett
/// 2023, "Distribution-free inference with hierarchical data"): each source has one vote, and the new one counts as
/// infinitely far off. Empty of fewer than four sources, which say nothing of eight in ten.
[[nodiscard]] std::optional<ResidualBandRow> newSourceBand(std::span<const HeldOutResidual> residuals);

} // namespace headroom
