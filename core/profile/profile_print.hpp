// SPDX-License-Identifier: GPL-3.0-or-later
// What headroom-cli import-profile prints of profiles: as text for people, in English, and as JSON.
#pragma once

#include "core/profile/profile_advice.hpp"

#include <string>

namespace headroom::profile
{

/// The comparison is left out where there is no scenario (null); `advice` is what it says to change.
[[nodiscard]] std::string profileText(const ProfileReading& reading, const ProfileComparison* comparison,
                                      const std::vector<ProfileAdvice>& advice = {});
/// Seconds throughout; `shared` divides each instant among the classes running, `own` gives it to computation first.
[[nodiscard]] std::string profileJson(const ProfileReading& reading, const MeasuredProfile& measured,
                                      const ProfileComparison* comparison,
                                      const std::vector<ProfileAdvice>& advice = {});

} // namespace headroom::profile
