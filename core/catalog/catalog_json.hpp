// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogue entries as JSON text, for `headroom-cli models` and `accelerators`.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_architecture.hpp"

#include <string>

namespace headroom
{

/// One object with all fields of an entry; keys as in scenario files. Models add "parameters" (our exact
/// counts) beside the published figures.
[[nodiscard]] std::string modelJson(const ModelArchitecture& model, int indent);
[[nodiscard]] std::string acceleratorJson(const Accelerator& accelerator, int indent);

} // namespace headroom
