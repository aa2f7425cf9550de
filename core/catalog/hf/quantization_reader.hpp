// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: reading quantization_config, MLX's "quantization" and NVIDIA's hf_quant_config.json.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/catalog/hf/quantization_mix.hpp"
#include "core/model/model_architecture.hpp"

#include <optional>

namespace headroom::hf
{

/// A quantization_config object of any format, of a model with these parts. An unknown method gives its name and no
/// bits, with a warning; nothing where the object says that nothing is quantised.
[[nodiscard]] std::optional<Quantization> readQuantization(const ConfigKeys& keys, const ModelParts& model,
                                                           Diagnostics& warnings);

/// The whole of an hf_quant_config.json: {"quantization": {…}}, or the inner object alone.
[[nodiscard]] std::optional<Quantization> readQuantizationFile(const ConfigKeys& file, const ModelParts& model,
                                                               Diagnostics& warnings);

} // namespace headroom::hf
