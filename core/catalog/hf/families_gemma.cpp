// SPDX-License-Identifier: GPL-3.0-or-later
// The Gemma families: tied embedding, norms on both sides of each half (from Gemma 2 on), local and global layers.
#include "core/catalog/hf/family.hpp"
#include "core/catalog/hf/per_layer.hpp"
#include "core/support/say.hpp"

namespace headroom::hf
{
namespace
{

void readGemma1(Draft& d)
{
    classDefault(d, d.model.headDim, "head_dim", 256);
    setLayers(d, "full", MlpKind::Dense);
}

void readGemma2(Draft& d)
{
    d.model.normsPerLayer = 4;
    d.model.sliding.window = 4096;
    classDefault(d, d.model.headDim, "head_dim", 256);
    setLayers(d, layerTypesOr(d, [](std::int64_t i) { return i % 2 == 0 ? "sliding" : "full"; }),
              allMlp(MlpKind::Dense));
}

/// Gemma 1's block, and Gemma 2's layers: each second one slides.
void readVaultGemma(Draft& d)
{
    d.model.sliding.window = 512;
    classDefault(d, d.model.headDim, "head_dim", 256);
    setLayers(d, layerTypesOr(d, [](std::int64_t i) { return i % 2 == 0 ? "sliding" : "full"; }),
              allMlp(MlpKind::Dense));
}

/// What Gemma3TextConfig and Gemma4TextConfig have alike, but for the number of layers.
void fillShape(Draft& d, std::int64_t layers)
{
    ModelArchitecture& m = d.model;
    classDefault(d, m.layers, "num_hidden_layers", layers);
    classDefault(d, m.hidden, "hidden_size", 2304);
    classDefault(d, m.ffn, "intermediate_size", 9216);
    classDefault(d, m.heads, "num_attention_heads", 8);
    if (!d.keys.has("num_key_value_heads")) {
        m.kvHeads = 0;
        classDefault(d, m.kvHeads, "num_key_value_heads", 4);
    }
}

/// Multimodal files name only what differs from the class, so any key may be absent.
void readGemma3(Draft& d)
{
    ModelArchitecture& m = d.model;
    fillShape(d, 26);
    classDefault(d, m.headDim, "head_dim", 256);
    classDefault(d, m.vocab, "vocab_size", 262208);
    classDefault(d, m.maxContext, "max_position_embeddings", 131072);
    m.normsPerLayer = 4;
    m.attention.qkNorm = QkNorm::Head;
    m.sliding.window = 4096;
    const std::int64_t period = d.keys.size({"_sliding_window_pattern", "sliding_window_pattern"}, 6);
    const MixerOf pattern = [period](std::int64_t i) { return (i + 1) % period == 0 ? "full" : "sliding"; };
    setLayers(d, layerTypesOr(d, pattern), allMlp(MlpKind::Dense));
}

/// Full layers have their own head width and may use the keys as values; in the small ones the last layers read the
/// cache of an earlier layer. `kind` names a layer's attention, "full" or "sliding".
void setGemma4Variants(Draft& d, const MixerOf& kind)
{
    ModelArchitecture& m = d.model;
    AttentionVariant full, sliding;
    const bool keysAreValues = d.keys.flag({"attention_k_eq_v"}, false);
    if (auto listed = readPerLayerConfig(d, kind)) { // transformers 5.15 on writes this in place of the two keys below
        full = (*listed)["full"];
        sliding = (*listed)["sliding"];
    } else {
        full.headDim = sizeOr(d, "global_head_dim", 512);
        if (keysAreValues)
            full.kvHeads = d.keys.size({"num_global_key_value_heads"}, m.kvHeads);
    }
    if (keysAreValues)
        full.kEqV = true;
    AttentionVariant fullShared = full, slidingShared = sliding;
    fullShared.kvShared = slidingShared.kvShared = true;
    m.attentionVariants = {{"full", full}, {"full_kvshared", fullShared}, {"sliding_kvshared", slidingShared}};
    if (sliding != AttentionVariant{})
        m.attentionVariants["sliding"] = sliding;
}

/// What Gemma4TextConfig says where a multimodal file names only what differs from it.
void fillGemma4(Draft& d)
{
    ModelArchitecture& m = d.model;
    if (!d.keys.path().empty()) {
        fillShape(d, 30);
        classDefault(d, m.vocab, "vocab_size", 262144);
        classDefault(d, m.maxContext, "max_position_embeddings", 131072);
    }
    classDefault(d, m.headDim, "head_dim", 256);
    m.sliding.window = 512;
}

/// Per-layer embeddings: a table of small vectors, one for each token and layer, and what brings them into a layer.
void readPerLayerInputs(Draft& d)
{
    ModelArchitecture& m = d.model;
    std::int64_t perLayer = d.keys.count({"hidden_size_per_layer_input"});
    if (!d.keys.mentions("hidden_size_per_layer_input"))
        classDefault(d, perLayer, "hidden_size_per_layer_input", 256);
    if (perLayer == 0)
        return;
    const std::int64_t width = times(m.layers, perLayer);
    m.extraMatricesPerLayer = times(2 * m.hidden, perLayer); // a gate, and the way back to the width
    m.extraPerLayer += m.extraMatricesPerLayer + m.hidden;
    m.extraTables = times(sizeOr(d, "vocab_size_per_layer_input", 262144), width);
    m.extraMatrices = times(m.hidden, width);
    m.extra = m.extraTables + m.extraMatrices + perLayer;
}

void readGemma4(Draft& d)
{
    ModelArchitecture& m = d.model;
    fillGemma4(d);
    m.normsPerLayer = 4;
    m.attention.qkNorm = QkNorm::Head;
    m.extraPerLayer = 1; // one scalar scales a layer's output

    const std::int64_t ownCache = m.layers - d.keys.count({"num_kv_shared_layers"});
    const bool wide = d.keys.flag({"use_double_wide_mlp"}, false);
    const bool moe = d.keys.flag({"enable_moe_block"}, false);
    if (moe) {
        readExperts(d, {"num_experts"}, {"top_k_experts"});
        m.moe.extra = m.hidden + m.moe.experts; // a scale vector before the router, a scale per expert
        m.normsPerLayer = 7;
    }
    readPerLayerInputs(d);
    if (!d.keys.has("layer_types"))
        d.warn("layer_types", said("layer_types is absent: every sixth layer and the last attend to everything"));
    const std::int64_t last = m.layers - 1; // which the class makes a full one whatever the list says
    const MixerOf listed = layerTypesOr(d, [](std::int64_t i) { return (i + 1) % 6 == 0 ? "full" : "sliding"; });
    const auto kind = [&](std::int64_t i) { return i == last ? std::string("full") : listed(i); };
    setGemma4Variants(d, kind);
    const MixerOf mixer = [&](std::int64_t i) { return kind(i) + (i >= ownCache ? "_kvshared" : ""); };
    const MlpOf mlp = [&](std::int64_t i) {
        if (moe)
            return MlpKind::DenseAndMoe;
        return wide && i >= ownCache ? MlpKind::DenseDouble : MlpKind::Dense;
    };
    setLayers(d, mixer, mlp);
}

constexpr Family gemmaRows[] = {
    {"gemma", "Gemma", TiedDefault::Yes, readGemma1},          {"gemma2", "Gemma", TiedDefault::Yes, readGemma2},
    {"gemma3", "Gemma", TiedDefault::Yes, readGemma3},         {"gemma3_text", "Gemma", TiedDefault::Yes, readGemma3},
    {"gemma4", "Gemma", TiedDefault::Yes, readGemma4},         {"gemma4_text", "Gemma", TiedDefault::Yes, readGemma4},
    {"vaultgemma", "Gemma", TiedDefault::Yes, readVaultGemma},
};

} // namespace

std::span<const Family> gemmaFamilies()
{
    return gemmaRows;
}

} // namespace headroom::hf
