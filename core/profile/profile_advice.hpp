// SPDX-License-Identifier: GPL-3.0-or-later
// ProfileAdvice: what a profile says to change, with the change of the scenario that would mend it, where there is one.
#pragma once

#include "core/explore/advice.hpp"
#include "core/profile/profile_comparison.hpp"

namespace headroom::profile
{

/// A finding of a profile and what to do about it.
struct ProfileAdvice {
    ProfileFinding finding;
    /// The change that shortens this run's step most, of those that are about the part: it fits, trains the same tokens
    /// and takes nothing that is held. Its text says what it would bring. Empty where the scenario has no such change.
    std::optional<Advice> change;
    /// Of a step of this run. With a change: each measured part is taken to shrink and grow as its predicted
    /// counterpart does. Without one: what the part takes longer than predicted.
    double bringsS = 0;
};

/// The findings of profileFindings(), what would bring most first. A change stands beside one finding alone.
[[nodiscard]] std::vector<ProfileAdvice> profileAdvice(const ProfileComparison& comparison,
                                                       const PreparedScenario& prepared, const Evaluation& evaluation,
                                                       const IsHeld& held = {});

} // namespace headroom::profile
