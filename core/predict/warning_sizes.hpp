// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/predict: what a result warns of where sizes do not go together.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>

namespace headroom
{

/// Layers that do not divide into the pieces of a pipeline.
[[nodiscard]] std::string piecesText(const PreparedScenario& p);
/// Heads that do not divide by the tensor ranks.
[[nodiscard]] std::string headsText(const PreparedScenario& p);
/// Experts that do not divide by their groups.
[[nodiscard]] std::string expertsText(const PreparedScenario& p);
/// Groups that do not divide the `ranks` that share the experts; 0: the ranks are fewer than the groups.
[[nodiscard]] std::string expertGroupText(const PreparedScenario& p, double ranks);

} // namespace headroom
