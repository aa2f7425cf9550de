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
    std::string name;        ///< "compute", "scale-up link", "network", "decode", "prefill"
    double factor = 1;       ///< above 1: the machine is faster than the built-in constants say
    std::size_t figures = 0; ///< measurements that decided it
};

/// The multipliers found and what they do to the runs they were found on.
struct UserFit {
    Efficiency efficiency; ///< for Setup::efficiency
    FittedOn fittedOn;     ///< for Scenario::fittedOn
    std::vector<FittedShift> shifts;
    std::vector<std::string> notes; ///< runs and multipliers that were left out, and why, in the language in force
    std::size_t runs = 0;           ///< that were looked at: all but the impossible ones
    std::size_t leftOut = 0;        ///< that cannot have been as they say: faster than the speed of light
    /// Median |predicted ÷ measured − 1| over the times of whole runs: steps, those of profiles too, decoding, prefill.
    double errorBefore = 0, errorAfter = 0;
};

/// Fits multipliers to runs with "measured": for training one on compute (matmuls, attention and memory alike), one on
/// the link inside a domain and one on the network between domains; for inference one on decode (from TPOT or
/// throughput) and one on prefill (from TTFT). A link has one only where at least three runs differ in how long they
/// wait for it, and compute is not made faster to pay back a slow link; where runs cannot tell the two apart, compute
/// takes it all, with a note. Runs with a profile of a training step tell the parts apart: matmuls, attention, what
/// memory bounds (with the optimizer) and exposed communication get each their own, and a step time moves the first
/// three together. Least loss of ln(predicted ÷ measured), squares up to 5 % (Huber): one run is met exactly where its
/// time can be reached at all, several in the mean. What nothing was measured for stays 1, and so does what brings the
/// runs no nearer. Left out are runs faster than the speed of light and those three times off beside others that agree
/// (a note names them; `names` stand beside the runs, else their numbers do). Errors: no run says anything that is
/// predicted; all are faster than the speed of light; a run is so far off that no multiplier explains it; accelerators
/// want other multipliers; none brings the runs nearer.
[[nodiscard]] Expected<UserFit> fitToRuns(std::span<const PreparedScenario> runs,
                                          std::span<const std::string> names = {});

/// `{"matmul": 0.91, …}`: the object for "efficiency" in a scenario file, with what it was fitted on; multipliers of 1
/// are left out.
[[nodiscard]] std::string efficiencyJson(const Efficiency& efficiency, const FittedOn& fittedOn = {});

/// "compute ×0.91 from 4 runs, median error 12 % → 3 %"
[[nodiscard]] std::string userFitText(const UserFit& fit);

} // namespace headroom
