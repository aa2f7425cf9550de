// SPDX-License-Identifier: GPL-3.0-or-later
// Advice: edits that would make a scenario fit or lift its leading metric, each checked by evaluating it.
#pragma once

#include "core/evaluate/evaluate.hpp"

#include <string>
#include <utility>
#include <vector>

namespace headroom
{

struct Advice {
    std::string text;                                  ///< "KV cache fp8: 61 GB of 80 GB"
    std::vector<std::pair<std::string, double>> edits; ///< parameter id and value, to apply in this order
    Evaluation after;
};

/// For a scenario that does not fit: single edits (then pairs) after which it does, fastest per GPU first, at most
/// `count`. Empty where it fits already, or where nothing in reach helps.
[[nodiscard]] std::vector<Advice> remedies(const PreparedScenario& prepared, const Evaluation& evaluation,
                                           std::size_t count = 3);

/// One sentence on what would move a metric most, or an empty string where nothing moves it.
[[nodiscard]] std::string whatWouldHelp(const PreparedScenario& prepared, const Evaluation& evaluation,
                                        std::string_view metricId);

} // namespace headroom
