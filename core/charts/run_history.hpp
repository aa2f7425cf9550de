// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of a history of runs: the share of the peak that each reached, in order of time.
#pragma once

#include "core/charts/chart_spec.hpp"
#include "core/runs/measured_run.hpp"

#include <string>
#include <vector>

namespace headroom::charts
{

/// A run and when it was kept ("2026-11-25T03:40:00Z"; may be empty).
struct DatedRun {
    const MeasuredRun* run = nullptr; ///< never null
    std::string at;
};

/// MFU of training, MBU of serving, as measured. `runs` in order of time; what measured neither is left out.
[[nodiscard]] ChartSpec runHistory(const std::vector<DatedRun>& runs);

} // namespace headroom::charts
