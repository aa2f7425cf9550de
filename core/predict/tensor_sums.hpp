// SPDX-License-Identifier: GPL-3.0-or-later
// TensorSums: what tensor-parallel ranks have to add up in a layer (docs/method/communication.md).
#pragma once

#include "core/model/model_architecture.hpp"

namespace headroom
{

/// Tensors of a token's hidden values: the results of blocks, summed forward, and the gradients of what blocks read,
/// summed backward.
struct TensorSums {
    double results = 0, inputs = 0;
};

/// Of a layer with a mixer that is divided, a feed-forward block that is, or both. Where both read the same hidden
/// state (GPT-J, PaLM, Falcon), their results meet in one sum, and the gradients of a norm that they share in another.
[[nodiscard]] inline TensorSums tensorSums(const ModelArchitecture& model, bool mixer, bool feedForward) noexcept
{
    const double blocks = (mixer ? 1 : 0) + (feedForward ? 1 : 0);
    if (!model.parallelBlock || blocks < 2)
        return {blocks, blocks};
    return {1, model.normsPerLayer > 1 ? 2.0 : 1.0};
}

} // namespace headroom
