// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: what a checkpoint's own list keeps out of its quantisation.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/model/model_architecture.hpp"

namespace headroom::hf
{

/// Whether the name of a module is of a part beside the language model: a tower, a projector, layers that predict.
[[nodiscard]] bool isBesideLanguage(std::string_view module);

/// Sets the flags of `result` by the lists of modules that are not quantised (ignore, exclude_modules,
/// modules_to_not_convert and their like): a part counts as kept in 16 bit where most of `layers` keep it. A name
/// without a layer's number counts where it is a pattern or the bare name of a module ("self_attn", "mlp.down_proj").
/// Lists that name a part's small matrices alone, a router or a norm change nothing.
void readExceptions(const ConfigKeys& keys, std::int64_t layers, Quantization& result);

} // namespace headroom::hf
