// SPDX-License-Identifier: GPL-3.0-or-later
// Quantization on import: how a checkpoint's own files say that its weights are stored, and the bits that takes.
#pragma once

#include "core/model/model_architecture.hpp"

#include <string_view>

namespace headroom
{

/// `algorithm` of a checkpoint whose routed experts are in MXFP4 and the rest in FP8 (DeepSeek V4's expert_dtype).
inline constexpr std::string_view fp4Experts = "fp4 experts";

/// Bits that one quantised weight takes in the file, its share of scales and zero points included; 0 where the format
/// is not known well enough. Sources: the formats' own layouts.
[[nodiscard]] double storedBitsPerWeight(const Quantization& quantization);

} // namespace headroom
