// SPDX-License-Identifier: GPL-3.0-or-later
// The result of `headroom-cli import-config`: an imported architecture and its counts, as JSON and as text.
#pragma once

#include "core/catalog/hf_config.hpp"

#include <string>

namespace headroom
{

/// {"architecture", "parameters", "exact", "active_definition", "warnings"}; `architecture` can stand in a scenario as
/// {"model": {"architecture": …}}. Parameters are whole numbers: total, active, active_no_input_embedding,
/// non_embedding, matmul, matmul_active, mtp.
[[nodiscard]] std::string hfImportJson(const HfImport& imported, int indent);

/// A few aligned lines for a person; warnings are not among them.
[[nodiscard]] std::string hfImportText(const HfImport& imported);

} // namespace headroom
