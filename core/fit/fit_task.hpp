// SPDX-License-Identifier: GPL-3.0-or-later
// FitTask: what is fitted to published runs for one task: the factors, the figures that judge them, the groups.
#pragma once

#include "core/fit/calibration_document.hpp"
#include "core/predict/evaluate.hpp"

#include <span>
#include <string>
#include <vector>

namespace headroom
{

struct FitRun;

enum class FitScale {
    Ratio, ///< searched by factors: rates, times, bytes
    Share  ///< searched by steps: an overlap between 0 and 1, where 0 is a value like any other
};

/// One constant of calibration.json that the runs may move. `prior` is what is believed without them.
struct FittedFactor {
    std::string path; ///< CalibrationDocument
    double prior = 1, low = 0.1, high = 10;
    FitScale scale = FitScale::Ratio;
    std::vector<std::string> same{}; ///< further constants that take the value: a stack that runs another's kernels
};

/// A figure that the fit looks at, with its weight beside the others of the same run.
struct FitMetric {
    std::string name;
    double weight = 1;
    /// predicted ÷ measured; empty where the run has no such figure.
    std::optional<double> (*ratio)(const PreparedScenario&, const Evaluation&) = nullptr;
};

/// A residual made without the run's own source: what an 80 % interval is read from.
struct HeldOutResidual {
    std::string group, metric, origin, model;
    std::size_t run = 0; ///< index into the runs that were given
    double ratio = 1;    ///< predicted ÷ measured
};

/// Everything a fit of one task needs to know besides the runs.
struct FitTask {
    Task task = Task::Training;
    std::vector<FittedFactor> factors;
    std::vector<FitMetric> metrics;
    /// The group a run is reported in and takes its interval from.
    std::string (*group)(const PreparedScenario&) = nullptr;
    /// What is left out together, from the source and the run; null: the source.
    std::string (*campaign)(const std::string& origin, const PreparedScenario&) = nullptr;
    /// Whether the run can have been as it says; null: all are believed.
    bool (*credible)(const PreparedScenario&, const Evaluation&) = nullptr;
    /// The profile whose constants the run speaks for; null where sources share all constants.
    std::string (*profile)(const PreparedScenario&) = nullptr;
    /// Writes the intervals of this task; `how` says how the residuals were made.
    void (*writeIntervals)(CalibrationDocument&, std::span<const HeldOutResidual>, std::string_view how) = nullptr;
    /// Writes the intervals of what no factor moves, from the runs that have such a figure; null: there are none.
    void (*writeUnfitted)(CalibrationDocument&, const std::vector<FitRun>&) = nullptr;
    /// Models are left out one by one too, whoever measured them: what a model's shape alone tells.
    bool leavesModelsOut = false;
    bool balancedBands = false; ///< the shape of the intervals (intervals.hpp)
    double clip = 0.7; ///< of |ln(predicted ÷ measured)|: a run that the formulas do not describe pulls no more
    double sourceExponent = 0.4; ///< a source weighs its rows to this power, however many it has
    double pull = 0.0012;        ///< × |ln(value ÷ prior)|: a factor leaves its prior only when the runs insist
};

/// One file each: training_factors.cpp, inference_factors.cpp.
[[nodiscard]] FitTask trainingFitTask();
[[nodiscard]] FitTask inferenceFitTask();

} // namespace headroom
