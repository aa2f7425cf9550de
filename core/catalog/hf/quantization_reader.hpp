// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: reading quantization_config, MLX's "quantization" and NVIDIA's hf_quant_config.json.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/model/model_architecture.hpp"

namespace headroom::hf
{

/// A quantization_config object of any format. An unknown method gives its name and no bits, with a warning.
[[nodiscard]] Quantization readQuantization(const ConfigKeys& keys, Diagnostics& warnings);

/// The whole of an hf_quant_config.json: {"quantization": {…}}, or the inner object alone.
[[nodiscard]] Quantization readQuantizationFile(const ConfigKeys& file, Diagnostics& warnings);

} // namespace headroom::hf
