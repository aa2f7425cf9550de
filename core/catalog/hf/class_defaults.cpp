// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/class_defaults.hpp"

#include <algorithm>
#include <iterator>

namespace headroom::hf
{
namespace
{

struct ClassDefaults {
    std::string_view modelType;
    std::int64_t hidden, layers, ffn, heads, kvHeads, headDim, vocab,
        context; ///< kvHeads 0 = as many as heads, headDim 0 = derived
};

// Source: the configuration classes of transformers (src/transformers/models/*/configuration_*.py), version 4.57.
constexpr ClassDefaults table[] = {
    {"llama", 4096, 32, 11008, 32, 0, 0, 32000, 2048},     {"mistral", 4096, 32, 14336, 32, 8, 0, 32000, 131072},
    {"mixtral", 4096, 32, 14336, 32, 8, 0, 32000, 131072}, {"gemma", 3072, 28, 24576, 16, 16, 256, 256000, 8192},
    {"gemma2", 2304, 26, 9216, 8, 4, 256, 256000, 8192},   {"phi3", 3072, 32, 8192, 32, 0, 0, 32064, 4096},
    {"qwen2", 4096, 32, 22016, 32, 32, 0, 151936, 32768},  {"qwen3", 4096, 32, 22016, 32, 32, 128, 151936, 32768},
};

struct KeyValueHeads {
    std::string_view modelType;
    std::int64_t heads;
};
// Of the same classes: what an absent num_key_value_heads means, where that is not "as many as query heads". A null
// means that everywhere.
constexpr KeyValueHeads keyValueHeads[] = {
    {"mistral", 8},    {"mixtral", 8},     {"gemma", 16},      {"gemma2", 4},      {"qwen2", 32},
    {"qwen3", 32},     {"qwen3_moe", 4},   {"starcoder2", 2},  {"smollm3", 4},     {"phimoe", 8},
    {"gpt_oss", 8},    {"glm4", 2},        {"jamba", 8},       {"glm", 2},         {"seed_oss", 8},
    {"ministral3", 8}, {"llama4", 8},      {"llama4_text", 8}, {"minimax_m2", 8},  {"nemotron_h", 8},
    {"gemma4", 4},     {"gemma4_text", 4}, {"glm4_moe", 8},    {"qwen3_5_moe", 2}, {"qwen3_5_moe_text", 2},
};

/// Facts at the top of a file are the model's own and mostly complete: only key-value heads are filled in there.
void applyKeyValueHeads(Draft& d)
{
    ModelArchitecture& m = d.model;
    const auto* const row = std::find_if(std::begin(keyValueHeads), std::end(keyValueHeads),
                                         [&](const auto& r) { return r.modelType == d.modelType; });
    const bool given = std::ranges::any_of(kvHeadKeys, [&](std::string_view key) { return d.keys.mentions(key); });
    if (given || row == std::end(keyValueHeads) || m.heads < row->heads || m.heads % row->heads != 0)
        return;
    m.kvHeads = 0;
    classDefault(d, m.kvHeads, "num_key_value_heads", row->heads);
}

} // namespace

void applyClassDefaults(Draft& d, bool saved)
{
    const auto* const row =
        std::find_if(std::begin(table), std::end(table), [&](const auto& r) { return r.modelType == d.modelType; });
    ModelArchitecture& m = d.model;
    const bool sized = saved || (m.hidden > 0 && m.layers > 0);
    if (row == std::end(table) || d.keys.path().empty() || !sized) {
        applyKeyValueHeads(d);
        return;
    }
    classDefault(d, m.layers, "num_hidden_layers", row->layers);
    classDefault(d, m.hidden, "hidden_size", row->hidden);
    classDefault(d, m.heads, "num_attention_heads", row->heads);
    if (!d.keys.mentions("num_key_value_heads")) {
        const bool fits = row->kvHeads > 0 && m.heads % row->kvHeads == 0;
        m.kvHeads = fits ? 0 : m.heads;
        classDefault(d, m.kvHeads, "num_key_value_heads", row->kvHeads);
    } else if (m.kvHeads == 0) { // null
        m.kvHeads = m.heads;
    }
    classDefault(d, m.ffn, "intermediate_size", row->ffn);
    if (row->headDim > 0)
        classDefault(d, m.headDim, "head_dim", row->headDim);
    classDefault(d, m.vocab, "vocab_size", row->vocab);
    classDefault(d, m.maxContext, "max_position_embeddings", row->context);
}

} // namespace headroom::hf
