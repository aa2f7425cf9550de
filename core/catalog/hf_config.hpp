// SPDX-License-Identifier: GPL-3.0-or-later
// HfImport: what a Hugging Face config.json says about a language model, turned into our own architecture.
#pragma once

#include "core/model/model_architecture.hpp"
#include "core/support/diagnostic.hpp"

#include <string>
#include <string_view>

namespace headroom
{

struct HfImport {
    ModelArchitecture architecture;
    Diagnostics warnings;         ///< what was assumed; the same sentences stand in architecture.warnings
    bool exact = true;            ///< false: the family is unknown and was counted as Llama-like
    std::string activeDefinition; ///< how our active count compares with the figure this family's maker quotes
};

inline constexpr std::string_view hfQuantFile = "hf_quant_config.json";

/// Reads the text of a config.json (any known family; bare, or wrapped in text_config and its kin), and NVIDIA's
/// separate hf_quant_config.json where the model has one. Never throws. Errors: "bad-json", "duplicate-key",
/// "too-large", "too-deep", "missing-key", "wrong-type", "out-of-range", "inconsistent", "unsupported-model",
/// "not-hugging-face". Bounds: 16 MiB, nesting 32, sizes below 2^40, at most 100 000 layers, 2^53 parameters.
/// Messages about `quantText` have hfQuantFile as their file, the others none.
[[nodiscard]] Expected<HfImport> importHfConfig(std::string_view configText, std::string_view quantText = {});

} // namespace headroom
