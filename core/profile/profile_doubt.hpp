// SPDX-License-Identifier: GPL-3.0-or-later
// Why a profile cannot be of the scenario beside it.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/profile/profile_reading.hpp"

namespace headroom::profile
{

/// Whether a profiled training step is faster than the speed of light of its scenario, or its matmuls are: no device
/// did that, so model, sizes or precision are others.
[[nodiscard]] bool beatsLight(const MeasuredProfile& profile, const PreparedScenario& prepared);

/// Warnings: "other-device" where the profile names another chip than the scenario's, "faster-than-ideal" as
/// beatsLight().
[[nodiscard]] Diagnostics profileDoubts(const ProfileReading& reading, const MeasuredProfile& profile,
                                        const PreparedScenario& prepared);

} // namespace headroom::profile
