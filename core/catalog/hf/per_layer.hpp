// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: per_layer_config, the sizes of single layers that transformers 5.15 on writes into a
// config.json: {"05": {"head_dim": 512}}.
#pragma once

#include "core/catalog/hf/draft.hpp"

#include <map>
#include <optional>

namespace headroom::hf
{

inline constexpr const char* perLayerKey = "per_layer_config";

/// What the list says of each kind of layer that `kind` names; nothing where the file has no such list. A problem where
/// layers of one kind differ, where a number is no layer's, and for a key that is not counted.
[[nodiscard]] std::optional<std::map<std::string, AttentionVariant>> readPerLayerConfig(const Draft& d,
                                                                                        const MixerOf& kind);

} // namespace headroom::hf
