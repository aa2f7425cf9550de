// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog/hf*: Draft: an architecture while a family's reader fills it in, with the shared steps that
// most families need.
#pragma once

#include "core/catalog/hf/config_keys.hpp"
#include "core/model/model_architecture.hpp"

#include <functional>
#include <string>
#include <vector>

namespace headroom::hf
{

struct LayerEntry {
    std::string mixer = "full";
    MlpKind mlp = MlpKind::Dense;
    bool operator==(const LayerEntry&) const = default;
};

struct Draft {
    const ConfigKeys& keys; ///< the language part of the file
    std::string modelType;
    ModelArchitecture& model; ///< layers, hidden, heads, vocab … are read before the family's turn
    Diagnostics& warnings;
    std::vector<LayerEntry> layers; ///< one entry a layer; becomes the schedule
    bool exact = true;

    void warn(std::string name, std::string message, std::string hint = {});
};

/// "num_kv_groups" is none: some mean key-value heads by it, others the query heads of each.
inline const Names kvHeadKeys{"num_key_value_heads",  "num_kv_heads", "n_head_kv",       "multi_query_group_num",
                              "num_attention_groups", "n_kv_heads",   "n_kv_head",       "kv_n_heads",
                              "num_heads_kv",         "kv_heads",     "num_query_groups"};
/// A list with a number for each layer; where all are equal, it says what the keys above do.
inline constexpr const char* kvHeadsByLayer = "num_key_value_heads_per_layer";
/// Whether the file says how many key-value heads there are, in one of these ways.
[[nodiscard]] bool statesKvHeads(const ConfigKeys& keys);
/// Layers, widths, heads, vocabulary, context and biases under all their usual names; 0 where a key is absent.
void readCommonFacts(Draft& d);

/// Raises the context to what its scaled positions reach, by vLLM's rule (_get_and_verify_max_len): `factor` times the
/// length that yarn, linear or dynamic scaling began with. Files with llama3's or longrope's, and Gemma 3's, state it.
void readScaledContext(Draft& d);

/// Says that the key is absent and that the class's default takes its place.
void warnOfDefault(Draft& d, std::string_view name, std::int64_t standard);
/// A key that the family's class fills in when it is absent, with a warning: `value` is set where it is 0.
void classDefault(Draft& d, std::int64_t& value, std::string_view name, std::int64_t standard);

/// The key's size, or the class's default, with a warning.
[[nodiscard]] std::int64_t sizeOr(Draft& d, std::string_view name, std::int64_t standard);
/// The key's word, `standard` where it is absent; a problem where it is none of `known`.
[[nodiscard]] std::string wordOr(const Draft& d, std::string_view name, std::string_view standard, Names known);
/// The key's number, 0 or null for "none". A problem where it is absent: classes of that name differ in what they make
/// of its absence.
[[nodiscard]] std::int64_t statedCount(const Draft& d, Names names);

/// The type that the file asks for in recurrent states (mamba_ssm_cache_dtype, mamba_ssm_dtype); `ofClass` where it
/// asks for none, and with a warning where it names one that is not known here.
[[nodiscard]] StateType stateTypeOr(Draft& d, StateType ofClass);

/// The product of two sizes, kept below 2^53 so that sums of a few cannot overflow.
[[nodiscard]] std::int64_t times(std::int64_t a, std::int64_t b);

// ---- layers
using MixerOf = std::function<std::string(std::int64_t layer)>;
using MlpOf = std::function<MlpKind(std::int64_t layer)>;
void setLayers(Draft& d, const std::string& mixer, MlpKind mlp);
void setLayers(Draft& d, const MixerOf& mixer, const MlpOf& mlp);

/// layer_types where present, otherwise `otherwise`.
[[nodiscard]] MixerOf layerTypesOr(Draft& d, MixerOf otherwise);
/// The keys of a sliding window: transformers', and what converters make of it.
inline const Names windowKeys{"sliding_window", "sliding_window_size", "window_size"};
/// Of a pattern in letters, repeated: L sees a window, G everything. A problem where there are others.
[[nodiscard]] MixerOf windowLetters(const Draft& d, std::string letters);
/// "sliding" where a window is set, in use and below the context; otherwise "full".
[[nodiscard]] std::string windowedMixer(const Draft& d);
/// A 0/1 or word list with at least one entry per layer; reports a shorter one and returns an empty list.
[[nodiscard]] std::vector<std::int64_t> perLayerNumbers(const Draft& d, std::string_view name, Bounds bounds = counts);
[[nodiscard]] std::vector<std::string> perLayerWords(const Draft& d, std::string_view name);
[[nodiscard]] MlpOf allMlp(MlpKind kind);
/// decoder_sparse_step and mlp_only_layers (Qwen).
[[nodiscard]] MlpOf qwenSparseLayers(Draft& d);
/// mlp_layer_types, or first_k_dense_replace with moe_layer_freq (DeepSeek, GLM).
[[nodiscard]] MlpOf deepseekSparseLayers(Draft& d);

// ---- blocks
/// A problem at `name` where more experts are chosen than there are.
void checkChosenExperts(const Draft& d, std::string_view name);
/// Experts, chosen experts and expert width; `ffn` 0 reads moe_intermediate_size.
void readExperts(Draft& d, Names experts, Names topK, std::int64_t ffn = 0);
/// Number of shared experts times their width.
void readSharedExperts(Draft& d, Names number);
/// Query, key, value (and output) biases as given; forgets what attention_bias said.
void setBiases(Draft& d, bool qkv, bool out);
/// Plain two-matrix feed-forward and LayerNorm with biases, attention biases, as in GPT-2.
void setGptStyle(Draft& d);

} // namespace headroom::hf
