// SPDX-License-Identifier: GPL-3.0-or-later
// Families descended from GPT-2: LayerNorm, plain feed-forward, biases, often a parallel block.
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

/// n_inner null means four times the width.
void widthOrFourfold(Draft& d)
{
    if (d.model.ffn == 0)
        d.model.ffn = 4 * d.model.hidden;
}

void learnedPositions(Draft& d, std::int64_t standardContext)
{
    d.model.position = PositionKind::Learned;
    classDefault(d, d.model.maxContext, "max_position_embeddings", standardContext);
}

void readGpt2(Draft& d)
{
    setGptStyle(d);
    widthOrFourfold(d);
    learnedPositions(d, 1024);
    d.model.kvHeads = d.model.heads;
    setLayers(d, "full", MlpKind::Dense);
}

void readGptBigCode(Draft& d)
{
    readGpt2(d);
    if (d.keys.flag({"multi_query"}, true))
        d.model.kvHeads = 1;
}

/// "global" and "local" for each layer: as a list, or as [[["global", "local"], 12]], a pattern and how often it comes.
std::vector<std::string> gptNeoLayers(const Draft& d)
{
    std::vector<std::string> layers = d.keys.words("attention_layers");
    const auto* groups = d.keys.find("attention_types");
    if (!layers.empty() || groups == nullptr || !groups->is_array())
        return layers;
    for (const auto& group : *groups) {
        if (!group.is_array() || group.size() != 2 || !group[0].is_array() || !group[1].is_number_unsigned() ||
            group[1] > layerCounts.high)
            return {};
        for (std::size_t i = 0; i < group[1].get<std::size_t>() && std::ssize(layers) < d.model.layers; ++i)
            for (const auto& word : group[0])
                layers.push_back(word.is_string() ? word.get<std::string>() : std::string());
    }
    return layers;
}

void readGptNeo(Draft& d)
{
    readGpt2(d);
    setBiases(d, false, true);
    d.model.sliding.window = 256;
    const std::vector<std::string> layers = gptNeoLayers(d);
    const auto known = [](const std::string& word) { return word == "global" || word == "local"; };
    if (std::ssize(layers) < d.model.layers || !std::ranges::all_of(layers, known)) {
        d.keys.problem("inconsistent", d.keys.has("attention_layers") ? "attention_layers" : "attention_types",
                       said("it does not say for each layer whether its attention is global or local"),
                       said("give attention_layers, one word a layer"));
        return;
    }
    setLayers(
        d, [&](std::int64_t i) { return layers[static_cast<std::size_t>(i)] == "local" ? "sliding" : "full"; },
        allMlp(MlpKind::Dense));
}

void readGptJ(Draft& d)
{
    widthOrFourfold(d);
    d.model.gated = false;
    d.model.norm = NormKind::LayerNorm;
    d.model.normsPerLayer = 1; // attention and feed-forward read the same normalised input
    d.model.mlpBias = d.model.lmHeadBias = d.model.parallelBlock = true;
    d.model.tied = false;
    d.model.kvHeads = d.model.heads;
    setLayers(d, "full", MlpKind::Dense);
}

void readGptNeoX(Draft& d)
{
    setGptStyle(d);
    const bool biased = d.keys.flag({"attention_bias"}, true);
    setBiases(d, biased, biased);
    d.model.kvHeads = d.model.heads;
    d.model.parallelBlock = d.keys.flag({"use_parallel_residual"}, true); // it keeps both norms all the same
    setLayers(d, "full", MlpKind::Dense);
}

void readPersimmon(Draft& d)
{
    setGptStyle(d);
    d.model.kvHeads = d.model.heads;
    if (d.keys.flag({"qk_layernorm"}, true)) // as Phi's
        d.model.extraPerLayer = 4 * (d.model.heads > 0 ? d.model.hidden / d.model.heads : 0);
    setLayers(d, "full", MlpKind::Dense);
}

void readOpt(Draft& d)
{
    setGptStyle(d);
    learnedPositions(d, 2048);
    d.model.positionOffset = 2;                             // the table has two rows that no position uses
    const bool biased = d.keys.flag({"enable_bias"}, true); // Galactica has neither biases nor weights in its norms
    d.model.mlpBias = biased;
    setBiases(d, biased, biased);
    if (!d.keys.flag({"layer_norm_elementwise_affine"}, true))
        d.model.norm = NormKind::NonParametric;
    d.model.kvHeads = d.model.heads;
    const std::int64_t embedding = d.keys.size({"word_embed_proj_dim"}, d.model.hidden);
    d.model.embedDim = embedding == d.model.hidden ? 0 : embedding;
    d.model.finalNorm =
        d.keys.flag({"do_layer_norm_before"}, true) && !d.keys.flag({"_remove_final_layer_norm"}, false);
    setLayers(d, "full", MlpKind::Dense);
}

void readBloom(Draft& d)
{
    setGptStyle(d);
    d.model.ffn = 4 * d.model.hidden;
    d.model.activation = "gelu";
    d.model.position = PositionKind::Alibi;
    d.model.embedNorm = true;
    d.model.kvHeads = d.model.heads;
    setLayers(d, "full", MlpKind::Dense);
}

void readMpt(Draft& d)
{
    const ConfigKeys attention = d.keys.object("attn_config");
    const ConfigKeys ffn = d.keys.object("ffn_config");
    const bool biased = !d.keys.flag({"no_bias"}, true);
    setGptStyle(d);
    setBiases(d, biased, biased);
    d.model.mlpBias = biased;
    d.model.gated = ffn.text({"ffn_type"}) == "mptglu";
    d.model.norm = biased ? NormKind::LayerNorm : NormKind::LayerNormNoBias;
    d.model.activation = "gelu";
    const double ratio = d.keys.real({"expansion_ratio"}, 4, 0.01, 1000);
    d.model.ffn = ffn.size({"ffn_hidden_size"}, static_cast<std::int64_t>(double(d.model.hidden) * ratio));
    const std::string type = attention.text({"attn_type"});
    d.model.kvHeads = type == "multiquery_attention" ? 1 : attention.size({"kv_n_heads"}, d.model.heads);
    const bool alibi = attention.flag({"alibi"}, d.keys.flag({"alibi"}, true));
    if (alibi)
        d.model.position = PositionKind::Alibi;
    else
        learnedPositions(d, 2048);
    if (attention.flag({"qk_ln"}, false))
        d.model.attention.qkNorm = QkNorm::Full;
    setLayers(d, "full", MlpKind::Dense);
}

void readFalcon(Draft& d)
{
    const bool newBlock = d.keys.flag({"new_decoder_architecture"}, d.modelType == "RefinedWeb");
    const bool parallel = d.keys.flag({"parallel_attn"}, true) || newBlock;
    const bool biased = d.keys.flag({"bias"}, false);
    const bool multiQuery = d.keys.flag({"multi_query"}, true);
    d.model.gated = false;
    d.model.norm = NormKind::LayerNorm;
    d.model.activation = "gelu";
    d.model.ffn = d.keys.size({"ffn_hidden_size"}, 4 * d.model.hidden);
    d.model.mlpBias = biased;
    setBiases(d, biased, biased);
    if (newBlock)
        d.model.kvHeads = d.keys.size({"num_kv_heads", "n_head_kv"}, d.model.heads);
    else
        d.model.kvHeads = multiQuery ? 1 : d.model.heads;
    d.model.parallelBlock = parallel;
    const bool oneNorm = newBlock ? d.keys.count({"num_ln_in_parallel_attn"}, 2) == 1 : parallel;
    d.model.normsPerLayer = oneNorm ? 1 : 2;
    d.model.position = d.keys.flag({"alibi"}, false) ? PositionKind::Alibi : PositionKind::Rope;
    if (d.model.maxContext == 0)
        d.model.maxContext = 2048; // the class has no key for it in its first versions
    setLayers(d, "full", MlpKind::Dense);
}

void readPhi(Draft& d)
{
    setGptStyle(d);
    widthOrFourfold(d);
    d.model.normsPerLayer = 1;
    d.model.lmHeadBias = d.model.parallelBlock = true;
    d.model.tied = false;
    if (d.keys.flag({"qk_layernorm"}, false)) // a LayerNorm with bias over one head, for queries and for keys
        d.model.extraPerLayer = 4 * (d.model.heads > 0 ? d.model.hidden / d.model.heads : 0);
    setLayers(d, "full", MlpKind::Dense);
}

void readStarCoder2(Draft& d)
{
    const bool biased = d.keys.flag({"use_bias"}, true);
    d.model.gated = wordOr(d, "mlp_type", "default", {"default", "gated"}) != "default";
    const bool layerNorm = wordOr(d, "norm_type", "layer_norm", {"layer_norm", "rms_norm"}) == "layer_norm";
    d.model.norm = layerNorm ? NormKind::LayerNorm : NormKind::RmsNorm;
    d.model.mlpBias = biased;
    setBiases(d, biased, biased);
    setLayers(d, windowedMixer(d), MlpKind::Dense);
}

void readNemotron4(Draft& d)
{
    d.model.gated = false;
    d.model.norm = NormKind::LayerNorm;
    if (d.model.activation.empty())
        d.model.activation = "relu2";
    setLayers(d, "full", MlpKind::Dense);
}

constexpr Family gptRows[] = {
    {"gpt2", "GPT-2", TiedDefault::Yes, readGpt2},
    {"gpt_bigcode", "GPT-BigCode", TiedDefault::Yes, readGptBigCode},
    {"gpt_neo", "GPT-Neo", TiedDefault::Yes, readGptNeo},
    {"gptj", "GPT-J", TiedDefault::No, readGptJ},
    {"codegen", "CodeGen", TiedDefault::No, readGptJ},
    {"gpt_neox", "GPT-NeoX", TiedDefault::No, readGptNeoX},
    {"persimmon", "Persimmon", TiedDefault::No, readPersimmon},
    {"opt", "OPT", TiedDefault::Yes, readOpt},
    {"bloom", "BLOOM", TiedDefault::Yes, readBloom},
    {"mpt", "MPT", TiedDefault::Yes, readMpt},
    {"falcon", "Falcon", TiedDefault::Yes, readFalcon},
    {"RefinedWeb", "Falcon", TiedDefault::Yes, readFalcon},
    {"RefinedWebModel", "Falcon", TiedDefault::Yes, readFalcon},
    {"phi", "Phi", TiedDefault::No, readPhi},
    {"phi-msft", "Phi", TiedDefault::No, readPhi},
    {"mixformer-sequential", "Phi", TiedDefault::No, readPhi},
    {"starcoder2", "StarCoder2", TiedDefault::Yes, readStarCoder2},
    {"nemotron", "Nemotron-4", TiedDefault::No, readNemotron4},
};

} // namespace

std::span<const Family> gptFamilies()
{
    return gptRows;
}

} // namespace headroom::hf
