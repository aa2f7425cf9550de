// SPDX-License-Identifier: GPL-3.0-or-later
// Prices of a scenario: looked up where it states none, and where they came from.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

/// Fills in the price per GPU-hour where the scenario states none: of its kind (on demand, unless it says) in the own
/// list, else the catalogue's on demand; with spot, the hours between interruptions too. Prefill GPUs of another kind
/// have theirs, beside a stated price that of the own list alone. What was looked up before is replaced. prepare()
/// calls it; call it again after the kind has changed.
void lookUpPrice(PreparedScenario& prepared);
/// The same after `parameter` was changed in a copy of `base`; does nothing unless it is the price or its kind.
void followPriceKind(PreparedScenario& changed, std::string_view parameter, const PreparedScenario& base);

/// What is behind the price of a GPU-hour; null: it is stated, or unknown.
[[nodiscard]] const KnownPrice* lookedUpPrice(const PreparedScenario& prepared);
/// The same of GPUs of another kind that read prompts in a pool of their own.
[[nodiscard]] const KnownPrice* lookedUpPrefillPrice(const PreparedScenario& prepared);

/// For people, a sentence for each price that was looked up: "$2.95 a GPU-hour: on demand, catalogue, …; US dollars."
[[nodiscard]] std::vector<std::string> priceSources(const PreparedScenario& prepared);

} // namespace headroom
