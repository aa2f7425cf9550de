// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogue entries as JSON text: what a user's catalogue file holds, and what the command line prints.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_architecture.hpp"
#include "core/support/diagnostic.hpp"

#include <string_view>

namespace headroom
{

/// One record as the "accelerator" or "architecture" object of a scenario file, comments allowed, marked custom. Fields
/// of publication (hf_id, year, published counts with their sources) are kept. Errors carry path and line.
[[nodiscard]] Expected<Accelerator> parseAccelerator(std::string_view text);
[[nodiscard]] Expected<ModelArchitecture> parseArchitecture(std::string_view text);

/// Canonical JSON, two spaces deep, with a final newline; the parsers above give the same value back (marked custom).
[[nodiscard]] std::string acceleratorText(const Accelerator& accelerator);
[[nodiscard]] std::string architectureText(const ModelArchitecture& architecture);

/// `base` with the fields of a JSON object put over it, as a scenario's override form reads them. Errors carry the
/// paths of those fields ("/moe/experts").
[[nodiscard]] Expected<ModelArchitecture> changedArchitecture(const ModelArchitecture& base, std::string_view changes);

/// The text of a scenario's model that describes this architecture in full: {"architecture": …}.
[[nodiscard]] std::string architectureChoice(const ModelArchitecture& architecture);

} // namespace headroom
