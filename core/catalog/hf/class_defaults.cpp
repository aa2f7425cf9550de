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
    std::int64_t ffn, heads, kvHeads, headDim, vocab, context; ///< kvHeads 0 = as many as heads, headDim 0 = derived
};

// Source: the configuration classes of transformers (src/transformers/models/*/configuration_*.py), version 4.57.
constexpr ClassDefaults table[] = {
    {"llama", 11008, 32, 0, 0, 32000, 2048},     {"mistral", 14336, 32, 8, 0, 32000, 131072},
    {"mixtral", 14336, 32, 8, 0, 32000, 131072}, {"gemma", 24576, 16, 16, 256, 256000, 8192},
    {"gemma2", 9216, 8, 4, 256, 256000, 8192},   {"phi3", 8192, 32, 0, 0, 32064, 4096},
    {"qwen2", 22016, 32, 32, 0, 151936, 32768},  {"qwen3", 22016, 32, 32, 128, 151936, 32768},
};

} // namespace

void applyClassDefaults(Draft& d)
{
    const auto* const row =
        std::find_if(std::begin(table), std::end(table), [&](const auto& r) { return r.modelType == d.modelType; });
    ModelArchitecture& m = d.model;
    if (row == std::end(table) || d.keys.path().empty() || m.hidden == 0 || m.layers == 0)
        return;
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
