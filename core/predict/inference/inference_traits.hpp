// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine of a scenario does, whatever it was fitted to (private to core).
#pragma once

#include "core/calibration/inference_calibration.hpp"
#include "core/scenario/effective.hpp"

#include <cstddef>

namespace headroom::inference
{

/// Whether the workload's engine reads prompts in the passes that write answers, and not in passes of their own.
[[nodiscard]] inline bool mixesPrompts(const InferenceCalibration& calibration, const InferenceWorkload& w)
{
    return calibration.engines[static_cast<std::size_t>(effectiveSoftware(w))].mixesPrompts;
}

} // namespace headroom::inference
