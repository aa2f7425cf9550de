// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingPhase: a stretch of a long training with a sequence length, a batch and devices of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom
{

/// What is left out is as in the scenario.
struct TrainingPhase {
    std::string name;
    double tokens = 0; ///< that the phase processes, above 0
    std::optional<std::int64_t> sequenceLength, microBatch, globalBatch;
    std::optional<std::int64_t> count; ///< accelerators
    std::optional<std::int64_t> tensor, pipeline, context, expert;
    bool operator==(const TrainingPhase&) const = default;
};

/// In the order in which they run.
using TrainingPhases = std::vector<TrainingPhase>;

/// More phases than anybody publishes; a chart and a table still show them all.
inline constexpr std::size_t mostPhases = 16;

} // namespace headroom
