// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: StoredWay: one of several ways in which a checkpoint stores weights, and how they mix.
#pragma once

#include "core/model/model_architecture.hpp"

#include <span>
#include <string>
#include <vector>

namespace headroom::hf
{

/// Weights of a model that a checkpoint may quantise, by part; shared experts are `dense`, `experts` the routed ones,
/// `head` an output head of its own.
struct ModelParts {
    std::int64_t layers = 0;
    double attention = 0, dense = 0, experts = 0, head = 0;
    double attentionLayers = 0, denseLayers = 0, expertLayers = 0; ///< that have such a part
};

/// Of an architecture whose layers are known.
[[nodiscard]] ModelParts modelParts(const ModelArchitecture& model);

struct StoredWay {
    Quantization how;
    /// Names of modules or layers, patterns ("re:.*self_attn.*", "*.mlp.*"), or classes ("Linear"): those stand for
    /// whatever no name of any way covers.
    std::vector<std::string> modules;
};

/// The way that most weights are stored in becomes `result`, with the bits of each part that takes others and without
/// the parts that no way names. `ways` must not be empty.
void mixWays(std::span<const StoredWay> ways, const ModelParts& model, Quantization& result);

} // namespace headroom::hf
