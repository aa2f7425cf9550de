// SPDX-License-Identifier: GPL-3.0-or-later
// The table of families: look-up over all groups, what is refused and why, and names that stand in for a model_type.
#include "core/catalog/hf/evidence.hpp"
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>

namespace headroom::hf
{
namespace
{

constexpr std::string_view encoderDecoder = phrase("it is an encoder-decoder model");
constexpr std::string_view encoder = phrase("it is an encoder, not a decoder");
constexpr std::string_view recurrent =
    phrase("its recurrent layers are not attention, Mamba or a linear attention known here");

constexpr RefusedFamily refused[] = {
    {"t5", encoderDecoder},
    {"mt5", encoderDecoder},
    {"umt5", encoderDecoder},
    {"bart", encoderDecoder},
    {"mbart", encoderDecoder},
    {"pegasus", encoderDecoder},
    {"marian", encoderDecoder},
    {"m2m_100", encoderDecoder},
    {"whisper", encoderDecoder},
    {"t5gemma", encoderDecoder},
    {"bert", encoder},
    {"roberta", encoder},
    {"xlm-roberta", encoder},
    {"albert", encoder},
    {"deberta-v2", encoder},
    {"modernbert", encoder},
    {"electra", encoder},
    {"distilbert", encoder},
    {"camembert", encoder},
    {"xlm", encoder},
    {"mpnet", encoder},
    {"nomic_bert", encoder},
    {"longformer", encoder},
    {"big_bird", encoder},
    {"clip", phrase("it is an image and text encoder")},
    {"siglip", phrase("it is an image and text encoder")},
    {"siglip2", phrase("it is an image and text encoder")},
    {"align", phrase("it is an image and text encoder")},
    {"altclip", phrase("it is an image and text encoder")},
    {"chinese_clip", phrase("it is an image and text encoder")},
    {"clap", phrase("it is an audio and text encoder")},
    {"clip_text_model", encoder},
    {"siglip_text_model", encoder},
    {"siglip2_text_model", encoder},
    {"clap_text_model", encoder},
    {"embedding_gemma2", phrase("it is an encoder with inputs for each layer")},
    {"git", phrase("it is an image captioning model")},
    {"rwkv", recurrent},
    {"rwkv5", recurrent},
    {"rwkv6", recurrent},
    {"rwkv7", recurrent},
    {"gla", recurrent},
    {"hgrn2", recurrent},
    {"samba", recurrent},
    {"delta_net", recurrent},
    {"gated_deltanet", recurrent},
    {"gsa", recurrent},
    {"recurrent_gemma", recurrent},
    {"xlstm", recurrent},
    {"lfm2", phrase("its convolution layers are not modelled")},
    {"lfm2_moe", phrase("its convolution layers are not modelled")},
    {"zamba", phrase("its shared attention blocks are not modelled")},
    {"zamba2", phrase("its shared attention blocks are not modelled")},
    {"phi4flash", phrase("its shared-cache hybrid layers are not modelled")},
    {"gemma3n", phrase("its alternating updates and low-rank residuals are not modelled")},
    {"gemma3n_text", phrase("its alternating updates and low-rank residuals are not modelled")},
    {"openelm", phrase("its widths differ from layer to layer by rules that are not modelled")},
    {"longcat_flash", phrase("its double blocks and empty experts are not modelled")},
    {"hf_olmo", phrase("it is the format of the first OLMo code; use the olmo version of the same model")},
};

constexpr ArchitectureName architectureNames[] = {
    {"LlamaForCausalLM", "llama"},
    {"MistralForCausalLM", "mistral"},
    {"MixtralForCausalLM", "mixtral"},
    {"QWenLMHeadModel", "qwen"},
    {"Qwen2ForCausalLM", "qwen2"},
    {"Qwen3ForCausalLM", "qwen3"},
    {"Qwen3MoeForCausalLM", "qwen3_moe"},
    {"MiniCPM3ForCausalLM", "minicpm3"},
    {"MPTForCausalLM", "mpt"},
    {"FalconForCausalLM", "falcon"},
    {"GPT2LMHeadModel", "gpt2"},
    {"GemmaForCausalLM", "gemma"},
    {"Gemma2ForCausalLM", "gemma2"},
    {"Gemma3ForCausalLM", "gemma3_text"},
    {"DeepseekV2ForCausalLM", "deepseek_v2"},
    {"DeepseekV3ForCausalLM", "deepseek_v3"},
    {"GptOssForCausalLM", "gpt_oss"},
    {"Phi3ForCausalLM", "phi3"},
};

} // namespace

std::vector<std::span<const Family>> allFamilies()
{
    return {gptFamilies(),      llamaFamilies(),  gemmaFamilies(),   qwenFamilies(),
            deepseekFamilies(), expertFamilies(), mixtureFamilies(), hybridFamilies()};
}

const Family* findFamily(std::string_view modelType)
{
    for (const std::span<const Family> group : allFamilies())
        for (const Family& row : group)
            if (row.modelType == modelType)
                return &row;
    return nullptr;
}

const RefusedFamily* findRefused(std::string_view modelType)
{
    const auto* const row = std::find_if(std::begin(refused), std::end(refused),
                                         [&](const RefusedFamily& r) { return r.modelType == modelType; });
    return row == std::end(refused) ? nullptr : row;
}

std::string_view modelTypeOf(std::string_view architecture)
{
    for (const ArchitectureName& row : architectureNames)
        if (row.architecture == architecture)
            return row.modelType;
    return {};
}

namespace
{

/// The layers that see a window, where no layer_types names them: by sliding_window_pattern, n for every layer but each
/// n-th (Gemma 3, PLaMo 3) or in letters (EXAONE 4). Without it no layer does: a cache that is too large is the safe
/// side.
MixerOf windowsByPattern(Draft& d)
{
    constexpr const char* key = "sliding_window_pattern";
    MixerOf full = [](std::int64_t) { return "full"; };
    if (windowedMixer(d) == "full" || d.keys.has("layer_types"))
        return full;
    const auto* pattern = d.keys.find(key);
    if (pattern != nullptr && pattern->is_string())
        return windowLetters(d, d.keys.text({key}));
    if (pattern != nullptr)
        return [n = d.keys.size({key}, 1)](std::int64_t i) { return (i + 1) % n == 0 ? "full" : "sliding"; };
    const auto* const window =
        std::ranges::find_if(windowKeys, [&](std::string_view name) { return d.keys.has(name); });
    d.warn(std::string(*window),
           say("{} is not counted: which layers see a window is not known, so that all of them "
               "see every token",
               *window),
           said("give layer_types or sliding_window_pattern"));
    return full;
}

} // namespace

void readUnknownFamily(Draft& d)
{
    if (!looksLikeLlama(d))
        return;
    setLayers(d, layerTypesOr(d, windowsByPattern(d)), allMlp(MlpKind::Dense));
    for (const char* key : {"use_qk_norm", "qk_norm", "qk_layernorm", "qkv_bias", "use_qkv_bias", "use_bias", "bias",
                            "num_nextn_predict_layers"})
        if (const auto* value = d.keys.find(key); value != nullptr && shown(*value) != "0" && shown(*value) != "false")
            d.warn(key, say("{} is not counted: what it means in this family is not known", key));
    d.exact = false;
    d.warn("model_type", say("the model_type '{}' is unknown: counted as a Llama-like decoder", printable(d.modelType)),
           said("the counts may be off by biases, norms and whatever is peculiar to it"));
}

} // namespace headroom::hf
