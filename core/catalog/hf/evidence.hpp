// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: keys of a config.json that say of a model what the counted architecture does not have.
#pragma once

#include "core/catalog/hf/draft.hpp"

namespace headroom::hf
{

/// Of a family that is known: a problem where the file names experts, latent attention or a kind of layer that its
/// reader did not count, as in a file that lost the key which switches them on.
void refuseWhatIsNotCounted(const Draft& d);

/// Of a family that is unknown: a problem for the first key, in nested objects too, that a Llama does not have
/// (experts, state-space, linear or convolution layers, low ranks, LayerNorm, another activation, layers that repeat or
/// share keys and values, kinds of norm, feed-forward, position or attention that are no Llama's, key-value heads or
/// windows placed in unknown words, values that differ from layer to layer). False where there
/// is one.
[[nodiscard]] bool looksLikeLlama(const Draft& d);

} // namespace headroom::hf
