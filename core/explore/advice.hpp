// SPDX-License-Identifier: GPL-3.0-or-later
// Advice: edits that would make a scenario fit or lift its leading metric, each checked by evaluating it.
#pragma once

#include "core/predict/evaluate.hpp"

#include <functional>
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

/// For a scenario that fits: the single next steps that lift the leading metric most, best first, at most `count`, each
/// of which still fits. Empty where none gains a hundredth of it.
[[nodiscard]] std::vector<Advice> improvements(const PreparedScenario& prepared, const Evaluation& evaluation,
                                               std::size_t count = 3);

/// What to change next: remedies() where the scenario does not fit, else improvements(). Edits of parameters for which
/// `held` is true are left out.
[[nodiscard]] std::vector<Advice> whatNext(const PreparedScenario& prepared, const Evaluation& evaluation,
                                           const std::function<bool(std::string_view parameterId)>& held,
                                           std::size_t count = 3);

/// Applies an advice's edits as evaluating them did.
void apply(Setup& setup, const Advice& advice);

/// One sentence on what would move a metric most, or an empty string where nothing moves it.
[[nodiscard]] std::string whatWouldHelp(const PreparedScenario& prepared, const Evaluation& evaluation,
                                        std::string_view metricId);

} // namespace headroom
