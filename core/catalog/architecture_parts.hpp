// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog (nlohmann types): parts that an architecture object states (experts, a window, a state space
// …) and the layers that have them.
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/diagnostic.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headroom
{

/// Of an object that changes another model and gives no schedule: layers take the experts, the window or the latents
/// that the object states and that no layer had, as the layers of a new object do.
void takeStatedParts(const nlohmann::json& object, ModelArchitecture& architecture);

/// An error for each part that `object` states and no layer has: its sizes would count for nothing.
void checkStatedParts(const nlohmann::json& object, const ModelArchitecture& architecture, const std::string& path,
                      Diagnostics& diagnostics);

} // namespace headroom
