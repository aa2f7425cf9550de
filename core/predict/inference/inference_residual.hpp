// SPDX-License-Identifier: GPL-3.0-or-later
// Where the runs end that an interval of serving rests on: the releases, and the words of the notes.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <string_view>

namespace headroom::inference
{

/// Number of SoftwareWithoutFit where the engine has runs, but none on such a workstation or consumer card.
inline constexpr double cardWithoutRuns = 1;
/// Numbers of ReplicaBeyondRuns: an exchange between experts, ranks of a layer that meet over the network, a pipeline;
/// 0 otherwise.
inline constexpr double beyondRunsExchange = 1, beyondRunsNetwork = 2, beyondRunsPipeline = 3;

/// The release from which on no run of the scenario's engine on such hardware went into the calibration; empty where
/// none is known, or the scenario states no release, or an older one.
[[nodiscard]] std::string_view beyondNewestRelease(const PreparedScenario& prepared) noexcept;

/// What a note says of a figure that rests on other runs than those of its kind: of SoftwareWithoutFit,
/// ReplicaBeyondRuns, FullBatchBeyondRuns, RunsOfOlderReleases, RunsOfLaterReleases, MixerWithoutRuns and
/// FirstTokenOfBursts, with the number that was added. Empty for other codes.
[[nodiscard]] std::string beyondRunsText(WarningCode code, double value, const PreparedScenario& prepared);

} // namespace headroom::inference
