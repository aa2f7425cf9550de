// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: MLX's "quantization": {"group_size": 64, "bits": 4, "mode": "affine"}.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/catalog/hf/quantization_mix.hpp"

namespace headroom::hf
{

/// MLX quantises what has a to_quantized(): every Linear and every Embedding, so the head and the table of a token's
/// vectors too (mlx.nn.quantize), but for what an entry of its own name says: {"bits": 8}, or false for 16 bit.
void readMlx(const ConfigKeys& keys, const ModelParts& model, Quantization& result);

} // namespace headroom::hf
