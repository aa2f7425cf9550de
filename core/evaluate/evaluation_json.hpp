// SPDX-License-Identifier: GPL-3.0-or-later
// The result format (scenario.md 3): Evaluation as JSON, CSV row and text table.
#pragma once

#include "core/evaluate/evaluate.hpp"

#include <string>
#include <string_view>

namespace headroom {

/// indent < 0: one line. Undefined values are null. `name` is null when empty.
[[nodiscard]] std::string evaluationJson(std::string_view name, const PreparedScenario& prepared,
                                         const Evaluation& evaluation, int indent);
/// {"name": …, "error": {"code", "path", "message", "hint"}} on one line.
[[nodiscard]] std::string errorJson(std::string_view name, const Diagnostics& diagnostics);

/// The table that `evaluate` prints by default.
[[nodiscard]] std::string evaluationText(std::string_view name, const PreparedScenario& prepared,
                                         const Evaluation& evaluation);

} // namespace headroom
