// SPDX-License-Identifier: GPL-3.0-or-later
// FitReport: what a fit changed, how well it meets each group before and after, and when their source is left out.
#pragma once

#include "core/fit/fit_problem.hpp"

namespace headroom
{

struct FactorReport {
    std::string path;
    double prior = 1, before = 1, after = 1;
    std::size_t runs = 0;                  ///< whose prediction it moves
    std::vector<std::string> sources;      ///< of those runs
    std::optional<double> lowest, highest; ///< over the fits that leave one source out
};

/// How well one group of runs (of validation's) is met: before the fit, after it, and when its source is left out.
/// Kinds and sources whatever their size, other groups of thirty runs or more.
struct GroupReport {
    std::string by, group, metric;
    std::size_t rows = 0;
    double medianBefore = 0, p90Before = 0, medianAfter = 0, p90After = 0; ///< as ValidationFigure::error()
    std::optional<double> medianLeftOut, p90LeftOut;                       ///< fitted without the run's source
    std::optional<double> medianModelOut, p90ModelOut; ///< fitted without the run's model, whoever measured it
    std::optional<double> insideLeftOut; ///< share of the left-out runs in intervals drawn by others (intervals.hpp)
};

/// The whole outcome of a fit, as printed and as kept in the calibration's record.
struct FitReport {
    Task task = Task::Training;
    double objectiveBefore = 0, objectiveAfter = 0;
    /// The mean loss of the objective, without the pull of the priors, of runs whose source, or whose model, the fit
    /// never saw: what a term must lower to stay. Empty without cross-validation.
    std::optional<double> lossSourceOut, lossModelOut;
    std::size_t freeConstants = 0; ///< that the runs may move, and do
    std::vector<FactorReport> factors;
    std::vector<GroupReport> groups;
    std::vector<HeldOutResidual> heldOut; ///< empty without cross-validation
};

/// Fits `task` to the runs of that task and puts the values, what they were fitted to and the residuals into
/// `document`. With `crossValidate` each source is also left out once: its runs are then predicted by constants that
/// never saw it, and the 80 % intervals come from those residuals.
[[nodiscard]] FitReport fitTask(const FitTask& task, CalibrationDocument& document, const std::vector<FitRun>& runs,
                                bool crossValidate);

/// The report as plain text.
[[nodiscard]] std::string fitReportText(const FitReport& report);

} // namespace headroom
