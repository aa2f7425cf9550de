// SPDX-License-Identifier: GPL-3.0-or-later
// BlockSize: parameters and matmul weights of one building block of a layer, by the formulas of each published design.
#pragma once

#include "core/model/model_architecture.hpp"

namespace headroom
{

/// Sizes of one block. Doubles hold them exactly up to 2^53, and cannot overflow as integers would.
struct BlockSize {
    double parameters = 0; ///< everything stored
    double weights = 0;    ///< of these, what meets every token in a matrix product
};

/// Weights of one normalisation over `width` values.
[[nodiscard]] double normSize(NormKind kind, double width);

/// Attention over a hidden size: projections, biases, q/k norms, sinks, gates. For DeepSeek V4 with its indexer.
[[nodiscard]] BlockSize attentionSize(double hidden, const AttentionShape& shape);

/// The indexer inside DeepSeek V4's attention where every `compress` = 4 tokens become one entry; 0 elsewhere.
[[nodiscard]] BlockSize dsv4IndexerSize(double hidden, const AttentionShape& shape);

/// A sparse-attention indexer (DeepSeek V3.2, GLM-5, MiniMax M3); all zero where the shape has no heads.
[[nodiscard]] BlockSize indexerSize(double hidden, const IndexerShape& shape);

/// The mixers that are no attention, for a model of so many hidden values.
[[nodiscard]] BlockSize linearSize(double hidden, const LinearShape& shape);
[[nodiscard]] BlockSize mambaSize(double hidden, const MambaShape& shape);

/// A feed-forward block of `width`, with or without gate and biases.
[[nodiscard]] BlockSize denseSize(double hidden, double width, bool gated, bool bias);

/// A mixture-of-experts block by part; `expert` is one routed expert.
struct MoeSize {
    BlockSize router, shared, expert;
    double other = 0; ///< router bias and further parameters
    [[nodiscard]] double parameters(double experts) const
    {
        return router.parameters + shared.parameters + other + experts * expert.parameters;
    }
};
[[nodiscard]] MoeSize moeSize(double hidden, const MoeShape& shape);

} // namespace headroom
