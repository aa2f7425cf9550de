// SPDX-License-Identifier: GPL-3.0-or-later
// Families descended from Llama: RMSNorm twice a layer, gated feed-forward, rotary positions.
#include "core/catalog/count_words.hpp"
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace headroom::hf
{
namespace
{

void readLlama(Draft& d)
{
    setLayers(d, layerTypesOr(d, [](std::int64_t) { return "full"; }), allMlp(MlpKind::Dense));
}

/// Code World Model: three layers slide, the fourth sees everything, where layer_types does not say.
void readCwm(Draft& d)
{
    d.model.sliding.window = 8192;
    setLayers(d, layerTypesOr(d, [](std::int64_t i) { return i % 4 == 0 ? "full" : "sliding"; }),
              allMlp(MlpKind::Dense));
}

void readMistral(Draft& d)
{
    const bool silent = std::ranges::none_of(windowKeys, [&](std::string_view key) { return d.keys.mentions(key); });
    const bool classWindow = silent && (d.modelType == "mistral" || d.modelType == "ministral");
    if (classWindow)
        d.model.sliding.window = 4096; // what MistralConfig and MinistralConfig have where the key is absent
    if (d.modelType == "ministral3")
        classDefault(d, d.model.headDim, "head_dim", 128);
    std::string mixer = classWindow ? "sliding" : windowedMixer(d);
    setLayers(d, layerTypesOr(d, [mixer = std::move(mixer)](std::int64_t) { return mixer; }), allMlp(MlpKind::Dense));
}

void readInternLm(Draft& d)
{
    const bool biased = d.keys.flag({"bias"}, d.modelType == "internlm");
    setBiases(d, biased, biased);
    readLlama(d);
}

void readQkvBiased(Draft& d)
{
    d.model.attention.qkvBias = d.model.attention.qkvBias || d.keys.flag({"qkv_bias"}, false);
    readLlama(d);
}

/// InternLM 3: biases of query, key and value have a key of their own, `bias` is that of all other matrices.
void readInternLm3(Draft& d)
{
    d.model.attention.outBias = d.model.mlpBias = d.keys.flag({"bias"}, false);
    readQkvBiased(d);
}

void readSeedOss(Draft& d)
{
    classDefault(d, d.model.headDim, "head_dim", 128);
    setBiases(d, d.keys.flag({"attention_bias"}, true), d.keys.flag({"attention_out_bias"}, false));
    readLlama(d);
}

void readOlmo1(Draft& d)
{
    d.model.norm = NormKind::NonParametric;
    readLlama(d);
}

void readArcee(Draft& d)
{
    d.model.gated = false;
    readLlama(d);
}

void readLayerNormLlama(Draft& d)
{
    d.model.norm = NormKind::LayerNorm;
    readLlama(d);
}

void readStableLm(Draft& d)
{
    d.model.norm = NormKind::LayerNorm;
    setBiases(d, d.keys.flag({"use_qkv_bias"}, false), false);
    d.model.parallelBlock = d.keys.flag({"use_parallel_residual"}, false);
    d.model.normsPerLayer = d.model.parallelBlock ? 1 : 2;
    if (d.keys.flag({"qk_layernorm"}, false))
        d.model.attention.qkNorm = QkNorm::Full; // one LayerNorm without bias for every head
    setLayers(d, "full", MlpKind::Dense);
}

void readBaichuan(Draft& d)
{
    d.model.kvHeads = d.model.heads;
    if (d.model.hidden >= 5120) // 13B
        d.model.position = PositionKind::Alibi;
    setLayers(d, "full", MlpKind::Dense);
}

void readPhi3(Draft& d)
{
    setLayers(d, windowedMixer(d), MlpKind::Dense);
}

void readPhi3Small(Draft& d)
{
    setGptStyle(d);
    d.model.gated = true;
    d.model.ffn = d.keys.required({"ff_intermediate_size", "intermediate_size"});
    if (d.model.activation.empty())
        d.model.activation = "gegelu";
    d.warn("blocksparse_num_local_blocks",
           said("every other layer's block-sparse attention is counted as full attention"));
    setLayers(d, "full", MlpKind::Dense);
}

/// Command R, Aya, Command A: one LayerNorm without bias feeds both halves of a parallel block.
void readCohere(Draft& d)
{
    d.model.norm = NormKind::LayerNormNoBias;
    d.model.normsPerLayer = 1;
    d.model.parallelBlock = true;
    if (d.keys.flag({"use_qk_norm"}, false))
        d.model.attention.qkNorm = QkNorm::Full;
    if (d.modelType == "cohere") {
        setLayers(d, "full", MlpKind::Dense);
        return;
    }
    const std::int64_t period = d.keys.size({"sliding_window_pattern", "_sliding_window_pattern"}, 4);
    d.model.sliding.window = 4096;
    const MixerOf pattern = [period](std::int64_t i) { return (i + 1) % period == 0 ? "full" : "sliding"; };
    setLayers(d, layerTypesOr(d, pattern), allMlp(MlpKind::Dense));
}

/// OLMo 2 and 3: norms after the blocks, query and key norms over the full width.
void readOlmo2(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Full;
    d.model.sliding.window = 4096;
    const bool slides = d.modelType == "olmo3";
    const MixerOf pattern = [slides](std::int64_t i) { return slides && (i + 1) % 4 != 0 ? "sliding" : "full"; };
    setLayers(d, layerTypesOr(d, pattern), allMlp(MlpKind::Dense));
}

/// sliding_window_pattern is a text such as "LLLG": local, local, local, global.
void readExaone4(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Head;
    d.model.sliding.window = 4096;
    if (d.keys.count({"num_nextn_predict_layers"}) > 0)
        d.warn("num_nextn_predict_layers",
               say("{} is not counted: what it means in this family is not known", "num_nextn_predict_layers"));
    std::string pattern = "G";
    if (d.keys.has("sliding_window") && !d.keys.has("layer_types"))
        pattern = d.keys.text({"sliding_window_pattern"}, "LLLG");
    setLayers(d, layerTypesOr(d, windowLetters(d, std::move(pattern))), allMlp(MlpKind::Dense));
}

void readChatGlm(Draft& d)
{
    for (const char* key : {"inner_hidden_size", "position_encoding_2d"})
        if (d.keys.has(key)) {
            d.keys.problem("unsupported-model", key, said("this is the first ChatGLM-6B, whose block is not modelled"),
                           said("ChatGLM2, ChatGLM3 and GLM-4 can be counted"));
            return;
        }
    const bool linear = d.keys.flag({"add_bias_linear"}, false);
    const bool grouped = d.keys.flag({"multi_query_attention"}, true);
    d.model.kvHeads = grouped ? d.keys.size({"multi_query_group_num"}, d.model.heads) : d.model.heads;
    d.model.norm = d.keys.flag({"rmsnorm"}, true) ? NormKind::RmsNorm : NormKind::LayerNorm;
    d.model.activation = "swiglu";
    d.model.mlpBias = linear;
    setBiases(d, linear || d.keys.flag({"add_qkv_bias"}, false), linear);
    setLayers(d, "full", MlpKind::Dense);
}

/// GLM-4 0414 and its vision models: norms before and after each half of the block.
void readGlm4(Draft& d)
{
    if (d.modelType != "glm")
        d.model.normsPerLayer = 4;
    classDefault(d, d.model.headDim, "head_dim", 128);
    if (!d.keys.has("attention_bias") && !d.modelType.starts_with("glm4v"))
        d.warn("attention_bias",
               said("attention_bias is absent: query, key and value have biases, as the class has it"));
    setBiases(d, d.keys.flag({"attention_bias"}, true), false);
    setLayers(d, "full", MlpKind::Dense);
}

/// Hunyuan's dense models: norms of query and key. Layers that share keys and values (CLA) are not modelled.
void readHunyuan(Draft& d)
{
    if (d.keys.flag({"use_cla"}, false))
        d.keys.problem("unsupported-model", "use_cla", said("layers that share keys and values are not modelled"));
    if (d.keys.flag({"use_qk_norm"}, true))
        d.model.attention.qkNorm = QkNorm::Head;
    readLlama(d);
}

/// ERNIE 4.5: one key for all biases.
void readErnie(Draft& d)
{
    const bool biased = d.keys.flag({"use_bias"}, false);
    d.model.mlpBias = biased;
    setBiases(d, biased, biased);
    readLlama(d);
}

/// Four vectors a layer weigh the two halves of its differential attention.
void readDiffLlama(Draft& d)
{
    const std::int64_t width = d.model.heads > 0 ? d.model.hidden / d.model.heads : 0;
    d.model.extraPerLayer = 4 * (d.model.headDim > 0 ? d.model.headDim : width);
    readLlama(d);
}

/// Norms of query and key, two matrices, and an activation (xIELU) with two numbers of its own.
void readApertus(Draft& d)
{
    d.model.gated = false;
    d.model.attention.qkNorm = QkNorm::Head;
    d.model.extraPerLayer = 2;
    readLlama(d);
}

/// BitNet: a norm before the output projection and one before the last matrix of the feed-forward.
void readBitNetDecoder(Draft& d)
{
    d.model.extraPerLayer = d.model.hidden + d.model.ffn;
    readLlama(d);
}

/// nanochat: two matrices, and norms without weights.
void readNanochat(Draft& d)
{
    d.model.gated = false;
    readOlmo1(d);
}

void readMiniCpm(Draft& d)
{
    const bool moe = d.keys.count({"num_experts"}) > 0;
    if (moe)
        readExperts(d, {"num_experts"}, {"num_experts_per_tok"}, d.model.ffn);
    setLayers(d, "full", moe ? MlpKind::Moe : MlpKind::Dense);
}

/// Llama 3.2 Vision: cross-attention layers read the image; each has q/k norms and two scalar gates.
void readMllama(Draft& d)
{
    if (!d.keys.mentions("cross_attention_layers"))
        d.keys.missing({"cross_attention_layers"}, said("they are the layers that read the image, counted from 0"));
    const std::vector<std::int64_t> list = d.keys.numbers("cross_attention_layers");
    const std::set<std::int64_t> cross(list.begin(), list.end());
    AttentionVariant variant;
    variant.qkNorm = QkNorm::Head;
    d.model.attentionVariants["cross"] = variant;
    d.model.embeddingRowsExtra = 8; // special tokens that have an input row and no output row
    const MixerOf mixer = [cross](std::int64_t i) { return cross.contains(i) ? "cross" : "full"; };
    setLayers(d, mixer, allMlp(MlpKind::Dense));
    for (const LayerEntry& layer : d.layers)
        d.model.extra += layer.mixer == "cross" ? 2 : 0;
}

/// Nemotron NAS: a width from the multiplier as the model's own code rounds it, up to a multiple of 256.
std::int64_t nasWidth(double multiplier, std::int64_t hidden)
{
    const auto width = static_cast<std::int64_t>(2 * multiplier * double(hidden) / 3);
    return width % 256 == 0 ? width : width + 256 - width % 256;
}

void readNemotronNas(Draft& d)
{
    const std::vector<ConfigKeys> blocks = d.keys.objects("block_configs");
    if (blocks.empty() || (d.model.layers > 0 && static_cast<std::int64_t>(blocks.size()) != d.model.layers)) {
        d.keys.problem("inconsistent", "block_configs",
                       say("{} for {}", blocksText(std::ssize(blocks)), layersText(d.model.layers)),
                       said("give one block per layer"));
        return;
    }
    d.model.layers = static_cast<std::int64_t>(blocks.size());
    d.model.kvHeads = d.model.ffn = 0;
    for (const ConfigKeys& block : blocks) {
        const ConfigKeys attention = block.object("attention"), ffn = block.object("ffn");
        std::string mixer = "none";
        if (attention.flag({"replace_with_linear"}, false) || ffn.flag({"replace_with_linear"}, false)) {
            block.problem("unsupported-model", "replace_with_linear",
                          said("a block replaced by a linear layer is not counted"));
        } else if (!attention.flag({"no_op"}, false)) {
            const std::int64_t group = attention.required({"n_heads_in_group"});
            const std::int64_t kvHeads = d.model.heads / group;
            mixer = fmt::format("full_g{}", group);
            d.model.attentionVariants[mixer].kvHeads = std::max<std::int64_t>(kvHeads, 1);
            d.model.kvHeads = std::max(d.model.kvHeads, kvHeads);
        }
        std::int64_t width = 0;
        if (!ffn.flag({"no_op"}, false)) {
            if (!ffn.has("ffn_mult"))
                ffn.missing({"ffn_mult"});
            width = nasWidth(ffn.real({"ffn_mult"}, 1, 0.001, 1000), d.model.hidden);
        }
        d.model.customBlocks.emplace_back(mixer, width);
        d.layers.push_back({std::move(mixer), MlpKind::None});
        d.model.ffn = std::max(d.model.ffn, width);
    }
}

constexpr Family llamaRows[] = {
    {"llama", "Llama", TiedDefault::No, readQkvBiased},
    {"mistral", "Mistral", TiedDefault::No, readMistral},
    {"ministral", "Mistral", TiedDefault::No, readMistral},
    {"ministral3", "Mistral", TiedDefault::No, readMistral},
    {"mistral3", "Mistral", TiedDefault::No, readMistral},
    {"pixtral", "Mistral", TiedDefault::No, readMistral},
    {"xverse", "XVERSE", TiedDefault::No, readLlama},
    {"internlm", "InternLM", TiedDefault::No, readInternLm},
    {"internlm2", "InternLM", TiedDefault::No, readInternLm},
    {"internlm3", "InternLM", TiedDefault::No, readInternLm3},
    {"exaone", "EXAONE", TiedDefault::Yes, readLlama}, // ExaoneConfig: tie_word_embeddings=True
    {"exaone4", "EXAONE", TiedDefault::No, readExaone4},
    {"exaone4_5", "EXAONE", TiedDefault::No, readExaone4},
    {"exaone4_5_text", "EXAONE", TiedDefault::No, readExaone4},
    {"yi", "Yi", TiedDefault::No, readLlama},
    {"Yi", "Yi", TiedDefault::No, readLlama},
    {"aquila", "Aquila", TiedDefault::No, readLlama},
    {"smollm", "SmolLM", TiedDefault::No, readLlama},
    {"smollm3", "SmolLM", TiedDefault::Yes, readLlama},
    {"granite", "Granite", TiedDefault::No, readLlama},
    {"llava", "Llama", TiedDefault::No, readLlama},
    {"llava_llama", "Llama", TiedDefault::No, readLlama},
    {"multi_modality", "Llama", TiedDefault::No, readLlama},
    {"transformer", "Llama", TiedDefault::No, readQkvBiased},
    {"seed_oss", "Seed-OSS", TiedDefault::No, readSeedOss},
    {"olmo", "OLMo", TiedDefault::No, readOlmo1},
    {"olmo2", "OLMo", TiedDefault::No, readOlmo2},
    {"olmo3", "OLMo", TiedDefault::No, readOlmo2},
    {"arcee", "Arcee", TiedDefault::No, readArcee},
    {"orion", "Orion", TiedDefault::No, readLayerNormLlama},
    {"stablelm", "StableLM", TiedDefault::No, readStableLm},
    {"stablelm_epoch", "StableLM", TiedDefault::No, readStableLm},
    {"baichuan", "Baichuan", TiedDefault::No, readBaichuan},
    {"phi3", "Phi", TiedDefault::No, readPhi3},
    {"phi3_v", "Phi", TiedDefault::No, readPhi3},
    {"phi4", "Phi", TiedDefault::No, readPhi3},
    {"phi4mm", "Phi", TiedDefault::No, readPhi3},
    {"phi3small", "Phi", TiedDefault::Yes, readPhi3Small},
    {"cohere", "Command", TiedDefault::Yes, readCohere},
    {"cohere2", "Command", TiedDefault::Yes, readCohere},
    {"chatglm", "GLM", TiedDefault::No, readChatGlm},
    {"glm", "GLM", TiedDefault::No, readGlm4},
    {"glm4", "GLM", TiedDefault::No, readGlm4},
    {"glm4v", "GLM", TiedDefault::No, readGlm4},
    {"glm4v_text", "GLM", TiedDefault::No, readGlm4},
    {"minicpm", "MiniCPM", TiedDefault::Yes, readMiniCpm},
    {"hunyuan_v1_dense", "Hunyuan", TiedDefault::No, readHunyuan},
    {"ernie4_5", "ERNIE", TiedDefault::Yes, readErnie},
    {"diffllama", "DiffLlama", TiedDefault::No, readDiffLlama},
    {"apertus", "Apertus", TiedDefault::No, readApertus},
    {"bitnet", "BitNet", TiedDefault::No, readBitNetDecoder},
    {"nanochat", "nanochat", TiedDefault::No, readNanochat},
    {"helium", "Helium", TiedDefault::No, readLlama},
    {"cwm", "CWM", TiedDefault::No, readCwm},
    {"mllama", "Llama", TiedDefault::No, readMllama},
    {"mllama_text_model", "Llama", TiedDefault::No, readMllama},
    {"nemotron-nas", "Nemotron NAS", TiedDefault::No, readNemotronNas},
};

} // namespace

std::span<const Family> llamaFamilies()
{
    return llamaRows;
}

} // namespace headroom::hf
