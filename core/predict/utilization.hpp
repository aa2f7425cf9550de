// SPDX-License-Identifier: GPL-3.0-or-later
// Utilisation: MFU, HFU and MBU, and the conventions by which publications count FLOP.
#pragma once

#include "core/model/model_profile.hpp"
#include "core/scenario/scenario.hpp"

#include <array>
#include <string_view>

namespace headroom
{

struct ConventionRow {
    Convention convention;
    std::string_view id;      ///< name in files: "megatron_causal"
    std::string_view label;   ///< for people: "Megatron, causal"
    std::string_view formula; ///< FLOP per token of a full training step: "6·M + 3·core(s)"
    std::string_view usedBy;  ///< who publishes with it
    bool causalHalved;        ///< false: attention over the full square, so MFU may exceed 1
};
/// All conventions in the order of the enumeration; the row of one of them.
[[nodiscard]] const std::array<ConventionRow, conventionCount>& conventionTable();
[[nodiscard]] const ConventionRow& conventionRow(Convention convention);

/// How keys per query are counted.
enum class KeyCount : std::uint8_t { FullSquare, HalfCausal, ExactCausal };

/// A figure for each convention, in the order of the enumeration.
using ByConvention = std::array<double, conventionCount>;

/// What a convention needs besides the model.
struct TrainingCount {
    double sequence = 0;     ///< tokens
    double sampleTokens = 0; ///< tokens attention sees (packed samples), = sequence otherwise
    Method method = Method::Full;
    double loraRank = 0;
    LoraTargets loraTargets;
    Checkpointing checkpointing = Checkpointing::None;
    double checkpointEvery = 2;
    bool flashAttention = true;
    bool multiTokenPrediction = false; ///< its layers are trained: `megatron_causal` and `exact` count them
    double projectAgain = 0; ///< share of the layers of latent attention that project their latents up once more
};

/// FLOP per token of one training step under each convention. What conventions share is counted once.
class TrainingFlopPerToken final
{
public:
    /// The model must outlive it.
    TrainingFlopPerToken(const ModelProfile& model, const TrainingCount& count) noexcept;

    [[nodiscard]] double model(Convention convention) const noexcept; ///< the MFU numerator
    [[nodiscard]] ByConvention models() const noexcept;               ///< all of them
    /// The same plus what is executed again: the HFU numerator.
    [[nodiscard]] double hardware(Convention convention) const noexcept;
    /// Of these, exactly: FLOP of the attention core forward, the indexer's scores in.
    [[nodiscard]] double exactCore() const noexcept { return m_exactCausal; }
    /// Adapter parameters that multiply a token, 0 without adapters.
    [[nodiscard]] double adapterParameters() const noexcept { return m_adapters; }

private:
    /// Weights that multiply, and FLOP of the attention core: both forward.
    struct Forward {
        double weights = 0, core = 0;
    };
    [[nodiscard]] Forward forward(Convention convention) const noexcept;

    const ModelProfile& m_model;
    TrainingCount m_count;
    double m_fullSquare = 0, m_halfCausal = 0, m_exactCausal = 0; ///< attention cores; the indexer's with the exact one
    double m_unwindowed = 0;                                      ///< the full square, windows or not
    double m_adapters = 0;
    double m_expansion = 0; ///< weights from latents to queries, keys and values
    double m_furtherWeights = 0, m_furtherRouters = 0, m_furtherHalfCausal = 0; ///< of layers that predict, if trained
};

/// Forward FLOP per token at mean context `keys` (decode or prefill) under each convention: a third of its step, with
/// the attention core at that context; conventions without attention (`six_n`, `matmul`) count none.
class ForwardFlopPerToken final
{
public:
    /// The model must outlive it.
    ForwardFlopPerToken(const ModelProfile& model, double keys) noexcept;
    [[nodiscard]] double operator()(Convention convention) const noexcept;
    [[nodiscard]] ByConvention all() const noexcept;

private:
    const ModelProfile& m_model;
    double m_keys;
    double m_windowed = 0, m_unwindowed = 0, m_indexer = 0; ///< attention cores, and the indexer's scores
};

/// The same for who asks for one convention alone.
[[nodiscard]] inline double modelFlopPerToken(const ModelProfile& model, Convention c, const TrainingCount& count)
{
    return TrainingFlopPerToken(model, count).model(c);
}
[[nodiscard]] inline double hardwareFlopPerToken(const ModelProfile& model, Convention c, const TrainingCount& count)
{
    return TrainingFlopPerToken(model, count).hardware(c);
}
[[nodiscard]] inline double forwardFlopPerToken(const ModelProfile& model, Convention c, double keys)
{
    return ForwardFlopPerToken(model, keys)(c);
}

/// Share of the forward pass of the layers that is run twice, by kind of operator.
struct RecomputeShares {
    double matmul = 0, experts = 0, attention = 0, memoryBound = 0;
};
/// `unknown` counts as `none`; who knows more resolves it first. `flash`: attention is one fused operator.
[[nodiscard]] RecomputeShares recomputeShares(Checkpointing checkpointing, double every, bool flash) noexcept;

/// Parameters that LoRA adapters add: Σ r·(in + out) over the adapted matrices, each expert's too.
[[nodiscard]] double loraParameters(const ModelProfile& model, double rank, LoraTargets targets);
/// The same with the experts a token goes to instead of all: what multiplies per token.
[[nodiscard]] double activeLoraParameters(const ModelProfile& model, double rank, LoraTargets targets);

/// Parameters of one layer's adapters.
struct AdapterParameters {
    double parameters = 0; ///< mixer, dense and shared feed-forward
    double perExpert = 0;  ///< of one routed expert
};
[[nodiscard]] AdapterParameters adapterParameters(const LayerKind& kind, double hidden, double rank,
                                                  LoraTargets targets) noexcept;

/// Adapters of one layer, and what they move.
struct LayerAdapters : AdapterParameters {
    double matrices = 0; ///< adapted matrices outside the experts
    /// Values that the adapters move per token beside the matrices' own: of hidden width, and of widths that tensor
    /// parallelism splits. Routed experts count as often as a token goes to one.
    struct Traffic {
        double whole = 0, split = 0;
    };
    Traffic forward, backward;
};
[[nodiscard]] LayerAdapters layerAdapters(const LayerKind& kind, double hidden, double rank,
                                          LoraTargets targets) noexcept;

} // namespace headroom
