// SPDX-License-Identifier: GPL-3.0-or-later
// RunDoubt: a measured run that cannot be what its scenario says, whatever the predictor's constants are.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string_view>

namespace headroom
{

/// What a measurement contradicts. Rows that somebody converted wrongly mostly do, so that reading finds them.
enum class RunDoubt : std::uint8_t {
    None,
    TooFast, ///< below the strict bound of time
    Weights, ///< the weights alone are larger than the memory of the devices that hold them
    Queues   ///< weights and the cache of so many requests are: some of them waited, and the batch was smaller
};

/// Counts nothing that an engine could save: no activations, no overhead, all of the memory, of continuous batching
/// half of each answer. A run that is said to have run out of memory is not in doubt, nor is training's memory, which
/// depends on what a recipe keeps.
[[nodiscard]] RunDoubt runDoubt(const PreparedScenario& prepared, const Evaluation& evaluation) noexcept;

/// "the weights are larger than the memory"; empty for None.
[[nodiscard]] std::string_view doubtText(RunDoubt doubt) noexcept;

} // namespace headroom
