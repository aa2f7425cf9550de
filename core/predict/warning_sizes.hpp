// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/predict: what a result warns of where sizes do not go together, and what decides them.
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
/// What the stack saves to fit, `share` of what it can. Names only what it can save of this scenario.
[[nodiscard]] std::string savesText(const PreparedScenario& p, double share);
/// What a load keeps in flight. Where prompts are read apart, they have no place among those that decode.
[[nodiscard]] std::string loadText(const PreparedScenario& p, double inFlight);

} // namespace headroom
