// SPDX-License-Identifier: GPL-3.0-or-later
// User fit: a few multipliers that bring the predictions onto somebody's own runs; the built-in constants stay.
#pragma once

#include "core/predict/evaluate.hpp"

#include <span>
#include <string>
#include <vector>

namespace headroom
{

/// A multiplier that was fitted, as the "efficiency" object names it.
struct FittedShift {
    std::string name;        ///< "compute", "communication", "decode", "prefill"
    double factor = 1;       ///< above 1: the machine is faster than the built-in constants say
    std::size_t figures = 0; ///< measurements that decided it
};

/// The multipliers found and what they do to the runs they were found on.
struct UserFit {
    Efficiency efficiency; ///< for Setup::efficiency
    std::vector<FittedShift> shifts;
    std::size_t runs = 0;                   ///< that decided
    std::size_t leftOut = 0;                ///< that cannot have been as they say: faster than the speed of light
    double errorBefore = 0, errorAfter = 0; ///< median |predicted ÷ measured − 1| over all figures
};

/// Fits multipliers to runs with "measured": for training one on compute (matmuls, attention and memory alike) and,
/// where at least three runs on several GPUs differ enough to tell the two apart, one on communication; for inference
/// one on decode (from TPOT or throughput) and one on prefill (from TTFT). Runs with a profile of a training step tell
/// the parts apart: matmuls, attention, what memory bounds (with the optimizer) and exposed communication get each
/// their own, and a step time moves the first three together. Least squares of ln(predicted ÷ measured):
/// one run is met exactly where its time can be reached at all, several in the mean. What nothing was measured for
/// stays 1. Runs faster than the speed of light are left out. Errors: no run says anything that is predicted; all are
/// faster than the speed of light.
[[nodiscard]] Expected<UserFit> fitToRuns(std::span<const PreparedScenario> runs);

/// `{"matmul": 0.91, …}`: the object for "efficiency" in a scenario file; multipliers of 1 are left out.
[[nodiscard]] std::string efficiencyJson(const Efficiency& efficiency);

/// "compute ×0.91 from 4 runs, median error 12 % → 3 %"
[[nodiscard]] std::string userFitText(const UserFit& fit);

} // namespace headroom
