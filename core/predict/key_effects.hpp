// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that a scenario states and that change nothing in it: said, not passed over.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>

namespace headroom
{

/// Whether the scenario states a key that has no effect in it.
[[nodiscard]] bool hasKeyWithoutEffect(const PreparedScenario& prepared) noexcept;
/// A sentence for each such key: which it is and why; empty where there is none.
[[nodiscard]] std::string keysWithoutEffectText(const PreparedScenario& prepared);

} // namespace headroom
