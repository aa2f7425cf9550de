// SPDX-License-Identifier: GPL-3.0-or-later
// ModelArchitecture: the shape of one decoder-only language model, as its config.json or paper gives it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom
{

enum class NormKind : std::uint8_t { RmsNorm, LayerNorm, LayerNormNoBias, NonParametric };
enum class PositionKind : std::uint8_t { Rope, Learned, Alibi, Relative, None };
enum class AttentionKind : std::uint8_t { None, Mha, Gqa, Mqa, Mla, Dsv4 };
enum class QkNorm : std::uint8_t { None, Head, Full }; ///< Full covers the "matrix" spelling too
enum class OutputGate : std::uint8_t { None, Element, Head };
enum class MlpKind : std::uint8_t { None, Dense, DenseDouble, Moe, DenseAndMoe };
/// Type that config.json asks for in a recurrent state while it is kept between tokens.
enum class StateType : std::uint8_t { Unstated, Float32, Bfloat16, Float16 };

/// Multi-head latent attention, widths in values.
struct MlaShape {
    std::int64_t qLoraRank = 0; ///< 0 = queries are projected directly
    std::int64_t kvLoraRank = 0, qkNope = 0, qkRope = 0, vHeadDim = 0;
    bool operator==(const MlaShape&) const = default;
};

/// DeepSeek V4's shared-head attention with grouped low-rank output.
struct Dsv4Shape {
    std::int64_t qLoraRank = 0, oLoraRank = 0, oGroups = 0, indexHeads = 0, indexHeadDim = 0, indexTopk = 0, rope = 0;
    bool operator==(const Dsv4Shape&) const = default;
};

/// The attention of one kind of layer.
struct AttentionShape {
    AttentionKind kind = AttentionKind::Gqa;
    std::int64_t heads = 0, kvHeads = 0, headDim = 0;
    std::int64_t vHeadDim = 0; ///< 0 = headDim
    QkNorm qkNorm = QkNorm::None;
    OutputGate gate = OutputGate::None;
    bool sinks = false, qkvBias = false, outBias = false, relativePosition = false;
    bool kvShared = false;     ///< reads an earlier layer's keys and values, has none of its own
    bool kEqV = false;         ///< values are the keys: no value projection
    std::int64_t compress = 0; ///< DeepSeek V4 compression ratio, 0 = window only
    MlaShape mla;
    Dsv4Shape dsv4;
    bool operator==(const AttentionShape&) const = default;
    [[nodiscard]] std::int64_t valueDim() const { return vHeadDim > 0 ? vHeadDim : headDim; }
};

/// Fields of AttentionShape that one layer kind changes ("sliding": other head counts).
struct AttentionVariant {
    std::optional<std::int64_t> heads, kvHeads, headDim, vHeadDim, compress;
    std::optional<QkNorm> qkNorm;
    std::optional<bool> sinks, kvShared, kEqV;
    bool operator==(const AttentionVariant&) const = default;
};

/// A mixture of experts: `topK` of `experts` feed-forward blocks of width `ffn` see a token.
struct MoeShape {
    std::int64_t experts = 0, topK = 0, ffn = 0;
    std::int64_t groupLimit = 0; ///< groups of experts (nodes of the design) that a token goes to at most; 0 = any
    std::int64_t sharedFfn = 0;  ///< width of all shared experts together, 0 = none
    std::int64_t latent = 0;     ///< width the experts work in, 0 = hidden
    std::int64_t extra = 0;      ///< further parameters of the block
    bool sharedGate = false, routerBias = false, expertBias = false, gated = true;
    bool operator==(const MoeShape&) const = default;
};

enum class LinearKind : std::uint8_t { GatedDeltaNet, Lightning, Kda };
/// Linear attention: heads, sizes and the width of its short convolution.
struct LinearShape {
    LinearKind kind = LinearKind::GatedDeltaNet;
    std::int64_t keyHeads = 0, valueHeads = 0, keyDim = 0, valueDim = 0, conv = 0;
    std::int64_t heads = 0, headDim = 0; ///< Lightning and KDA
    bool fullRankGate = false;
    StateType stateType = StateType::Unstated;
    bool operator==(const LinearShape&) const = default;
};

/// A state-space mixer (Mamba 1 or 2), sizes as its config names them.
struct MambaShape {
    int version = 2;
    std::int64_t inner = 0, heads = 0, headDim = 0, state = 0, groups = 0, conv = 0, dtRank = 0;
    bool convBias = true, projBias = false, innerNorms = false;
    StateType stateType = StateType::Unstated;
    bool operator==(const MambaShape&) const = default;
};

/// Sparse-attention indexer. Msa = MiniMax M3's block-sparse kind.
struct IndexerShape {
    bool msa = false;
    std::int64_t heads = 0, headDim = 0, topk = 0, qLoraRank = 0, block = 0, topkBlocks = 0;
    bool operator==(const IndexerShape&) const = default;
};

/// Attention over the last `window` tokens, or within chunks of so many.
struct SlidingShape {
    std::int64_t window = 0;
    bool chunked = false;
    bool operator==(const SlidingShape&) const = default;
};

/// Multi-token-prediction block(s).
struct MtpShape {
    std::int64_t layers = 0;
    std::string mixer;                                    ///< empty = "full"
    std::optional<MlpKind> mlp;                           ///< empty = that of the last layer
    std::vector<std::pair<std::string, MlpKind>> pattern; ///< Nemotron 3: explicit blocks
    std::int64_t norms = 3, extra = 0;
    bool ehProjection = true, storesEmbedAndHead = false;
    bool operator==(const MtpShape&) const = default;
};

/// `count` equal layers. mixer: full, full_*, sliding, sliding_*, chunked, cross, linear, mamba, none.
struct LayerSegment {
    std::int64_t count = 1;
    std::string mixer = "full";
    MlpKind mlp = MlpKind::Dense;
    bool operator==(const LayerSegment&) const = default;
};

/// A group of segments, repeated.
struct LayerRun {
    std::int64_t repeat = 1;
    std::vector<LayerSegment> segments;
    bool operator==(const LayerRun&) const = default;
};

/// How the published checkpoint stores its weights.
struct Quantization {
    std::string method, format, algorithm;
    double bits = 0; ///< per weight, without scales where the maker states it so; 0 = unstated
    std::int64_t group = 0;
    std::vector<std::int64_t> block;
    /// Which matrices are stored so; the others are in 16 bit. Shared experts are `dense`, `experts` the routed ones.
    bool attention = true, dense = true, experts = true;
    bool weightOnly = false; ///< multiplied in 16 bit: activations are not quantised
    /// Of a checkpoint that mixes formats, bits of a weight of that part with its scales; 0 = as most weights, whose
    /// format the other members tell. `head` is an output head of its own, `embed` the input embedding: 0 = 16 bit.
    double attentionBits = 0, denseBits = 0, expertBits = 0, headBits = 0, embedBits = 0;
    bool operator==(const Quantization&) const = default;
};

/// A parameter figure somebody published; `basis` is the expression over our counts that it should equal.
struct PublishedCount {
    std::string what, kind, basis, source, cause;
    double value = 0, unit = 0;
    bool operator==(const PublishedCount&) const = default;
};

/// One model; sizes are counts of elements, optional parts are empty where the design has none.
struct ModelArchitecture {
    std::string id, name, family, hfId, modelType, dataType = "bfloat16", activation, notes;
    std::string source; ///< where this shape was read; begins "recalled" where it was not
    int year = 0;
    std::int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, headDim = 0;
    std::int64_t vHeadDim = 0; ///< 0 = headDim
    std::int64_t ffn = 0;      ///< 0 = no dense feed-forward
    std::int64_t vocab = 0;
    std::int64_t maxContext = 0; ///< 0 = unstated
    bool gated = true, tied = false, parallelBlock = false;
    NormKind norm = NormKind::RmsNorm;
    std::int64_t normsPerLayer = 2;
    bool finalNorm = true, embedNorm = false;
    PositionKind position = PositionKind::Rope;
    std::int64_t positionOffset = 0, embedDim = 0 /* 0 = hidden */;
    AttentionShape attention; ///< repeats the heads and their size, for the default layer kind
    std::map<std::string, AttentionVariant> attentionVariants; ///< by mixer name
    SlidingShape sliding;
    MoeShape moe;
    LinearShape linear;
    MambaShape mamba;
    std::optional<IndexerShape> indexer;
    std::optional<MtpShape> mtp;
    bool mlpBias = false, lmHeadBias = false;
    std::int64_t extra = 0, extraPerLayer = 0, embeddingRowsExtra = 0, storedIntegers = 0;
    std::int64_t extraTables = 0; ///< of `extra`: tables that tokens look rows up in (Gemma's per-layer embeddings)
    std::int64_t extraMatrices = 0, extraMatricesPerLayer = 0; ///< of each: matrices that every token meets
    /// Nemotron NAS: one entry per layer, mixer name and feed-forward width (0 = no feed-forward).
    /// Then `schedule` carries the mixers, a missing branch has no norm, and `extra` includes neither these widths nor
    /// the missing norms (in JSON `extra` does, as in the facts files: architecture_json converts).
    std::vector<std::pair<std::string, std::int64_t>> customBlocks;
    std::vector<LayerRun> schedule;
    std::optional<Quantization> quantization;
    std::vector<PublishedCount> published;
    std::vector<std::string> warnings; ///< what an import assumed
    bool exact = true;                 ///< false: counted as Llama-like because the family is unknown
    bool custom = false;               ///< from a scenario object or the user's catalogue, not built in

    bool operator==(const ModelArchitecture&) const = default;
};

} // namespace headroom
