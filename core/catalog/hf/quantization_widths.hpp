// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: modules that a quantised checkpoint stores in a width of their own.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/model/model_architecture.hpp"

#include <set>

namespace headroom::hf
{

inline constexpr std::int64_t unquantisedBits = 16;

/// Of Quark's name of a format: fp4, int8, uint4; of "fp8_e4m3" the first number. 0: not known.
[[nodiscard]] double quarkBits(const std::string& type);

/// Bits of modules with a width of their own: GPTQModel's dynamic, AutoRound's extra_config, Quark's
/// layer_quant_config, MLX's entries by name (`byName`). Embedding and head are apart in any case.
[[nodiscard]] std::set<double> otherWidths(const ConfigKeys& keys, bool byName);

/// Of an output head of its own in GPTQModel's and AutoRound's checkpoints, bits of a weight with its scales: 0, which
/// is 16 bit, unless `lm_head` is true or an entry of its name in `dynamic` or `extra_config` has fewer. `usual`: how
/// the other matrices are stored.
[[nodiscard]] double headBits(const ConfigKeys& keys, const Quantization& usual);

} // namespace headroom::hf
