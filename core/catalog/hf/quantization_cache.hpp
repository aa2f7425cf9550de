// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: the number format in which a checkpoint asks to keep the KV cache.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/support/diagnostic.hpp"

namespace headroom::hf
{

/// A scenario says itself in which format the cache is kept, so that of the checkpoint is no part of the model: a
/// warning where `keys` (a quantization_config, or NVIDIA's separate file) ask for another than the weights'.
void noteCacheFormat(const ConfigKeys& keys, Diagnostics& warnings);

} // namespace headroom::hf
