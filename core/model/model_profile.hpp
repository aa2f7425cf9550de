// SPDX-License-Identifier: GPL-3.0-or-later
// ModelProfile: an architecture compiled to numbers, one entry per kind of layer, ready for millions of evaluations.
#pragma once

#include "core/model/model_architecture.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom
{

enum class MixerKind : std::uint8_t { None, Attention, Linear, StateSpace };

/// Layers that are alike in mixer and feed-forward. Counts and widths as doubles: they enter formulas only.
/// "Matmul weights" are weights that meet every token in a matrix product (norms, biases, convolutions left out).
struct LayerKind {
    double count = 0; ///< layers of this kind
    MixerKind mixer = MixerKind::None;
    AttentionShape attention; ///< when mixer == Attention
    double window = 0;        ///< keys a query sees at most; 0 = all. With attention.compress > 0 it is 0: the
                              ///< layer keeps one entry per `compress` tokens beside architecture.sliding.window
    bool chunked = false;     ///< window is a chunk (Llama 4), not a sliding one
    bool cross = false;       ///< cross attention (Llama 3.2 Vision): no cache growth with text
    std::optional<IndexerShape> indexer; ///< heads == 0: reuses an earlier layer's choice (top-k holds, nothing is
                                         ///< scored or cached here). Set for DeepSeek V4's compress 4 layers too
    LinearShape linear;
    MambaShape mamba;
    double ffn = 0; ///< dense feed-forward width, 0 = none
    bool gated = true;
    bool hasMoe = false;
    MoeShape moe;

    // Parameters of ONE layer of this kind, everything stored:
    double parameters = 0, activeParameters = 0;
    // Matmul weights of ONE layer, by part:
    double mixerWeights = 0;   ///< attention / linear / state-space projections, indexer included
    double indexerWeights = 0; ///< of these, the indexer's
    double denseWeights = 0;   ///< dense feed-forward
    double routerWeights = 0;  ///< h·E (shared gate and latent projections not included)
    double sharedWeights = 0;  ///< shared experts, their gate and latent projections
    double expertWeights = 0;  ///< ONE routed expert
    double extraWeights = 0;   ///< further matrices that every token meets, with a layer's part of those outside
    double joinWeights = 0;    ///< the projection that joins hidden state and embedding, of a layer that predicts

    double missLog = 0; ///< expertMissLog(), with experts

    /// Index in ModelProfile::kinds of the first kind with the same mixer, and of the first with the same feed-forward.
    std::size_t mixerOf = 0, feedForwardOf = 0;
    /// Layers of all kinds that have this mixer, or feed-forward; 0 where an earlier kind has it.
    double mixerLayers = 0, feedForwardLayers = 0;
};

/// Parameter counts, exact (every count is below 2^53, so a double holds it exactly).
struct ParameterCounts {
    double total = 0;                    ///< every stored weight; MTP and vision left out
    double active = 0;                   ///< total with top-k instead of all experts, both embeddings in
    double activeNoInputEmbedding = 0;   ///< the same, input embedding out (a tied one stays: it is the head)
    double nonEmbedding = 0;             ///< total less embedding, positions, look-up tables and head
    double matmul = 0, matmulActive = 0; ///< weights that multiply, output head in
    double router = 0;                   ///< h·E summed over layers
    double mtp = 0, mtpCopies = 0;
    double tables = 0; ///< of `other`: tables that tokens look rows up in
    // components of total:
    double embedding = 0, position = 0, embedProjection = 0, embedNorm = 0, lmHead = 0, attention = 0, linear = 0,
           stateSpace = 0, dense = 0, moe = 0, norms = 0, indexer = 0, other = 0, finalNorm = 0;
    bool operator==(const ParameterCounts&) const = default;
};

/// An architecture compiled for evaluation. Built once per model by compileModel().
struct ModelProfile {
    ModelArchitecture architecture;
    std::vector<LayerKind> kinds; ///< in order of first appearance
    ParameterCounts parameters;
    double layers = 0, hidden = 0, vocab = 0;
    double headWeights = 0;          ///< output head as a matmul: hidden × vocab (embedDim where it differs)
    double embeddingParameters = 0;  ///< stored input embedding (positions and other look-up tables, too)
    double untiedHeadParameters = 0; ///< stored output head, 0 when tied
    double outsideParameters = 0;    ///< beside layers, head and an input embedding of its own: final norm, positions
    double moeLayers = 0, attentionLayers = 0;
    double experts = 0, topK = 0;     ///< 0 for dense models
    std::vector<std::uint32_t> order; ///< of each layer in turn the index of its kind
    /// The multi-token-prediction layer, count = number of them. Its parameters include its norms and joinWeights.
    std::optional<LayerKind> mtp;
    /// The same model as a training runs it that trains those layers, too: they follow the others in `kinds`, `order`,
    /// `layers` and all counts. Null where the model has none.
    std::shared_ptr<const ModelProfile> predicting;
    double predictionLayers = 0; ///< of such a profile, how many of `layers` predict; each runs the head once more
};

/// ln(1 − k/E) of `topK` out of `experts`: of the chance that a token goes past an expert; −∞ where it meets all.
[[nodiscard]] double expertMissLog(double experts, double topK) noexcept;

/// Expands the schedule, counts parameters, merges equal layers. Precondition: the architecture was validated by the
/// reader that produced it (sizes > 0, schedule sums to `layers`).
[[nodiscard]] ModelProfile compileModel(ModelArchitecture architecture);

/// Exact counts alone (docs/method/counting.md).
[[nodiscard]] ParameterCounts countParameters(const ModelArchitecture& architecture);

} // namespace headroom
