// SPDX-License-Identifier: GPL-3.0-or-later
// The peak that a source divides by, beside the machine's own.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string_view>

namespace headroom
{

/// The machine's peak over the one that the source of the measurement divides by (`measured.peak_tflops`); 1 where none
/// is stated. Observed MFU and HFU are shares of the source's, so that a published figure comes out as it was
/// published; predictions are shares of the machine's. Beside an observed share stands a predicted one times this; on
/// an axis of predictions an observed one is divided by it.
[[nodiscard]] inline double sourcePeakRatio(const PreparedScenario& prepared, const Evaluation& evaluation) noexcept
{
    const auto& stated = prepared.measured.peakTflops;
    return stated && *stated > 0 && evaluation.peakFlops > 0 ? evaluation.peakFlops / (*stated * 1e12) : 1;
}

/// Whether the figures of a metric are shares of that peak.
[[nodiscard]] inline bool isOfSourcePeak(std::string_view metricId) noexcept
{
    return metricId == "observed.mfu" || metricId == "observed.hfu";
}

} // namespace headroom
