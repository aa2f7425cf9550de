// SPDX-License-Identifier: GPL-3.0-or-later
// Mixture-of-experts families that are no kin of DeepSeek or Qwen.
#include "core/catalog/count_words.hpp"
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace headroom::hf
{
namespace
{

void readMixtral(Draft& d)
{
    readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, d.model.ffn);
    setLayers(d, windowedMixer(d), MlpKind::Moe);
}

void readOlmoe(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Full;
    readExperts(d, {"num_experts"}, {"num_experts_per_tok"}, d.model.ffn);
    setLayers(d, "full", MlpKind::Moe);
}

/// LayerNorm with bias, although the key is named rms_norm_eps.
void readPhiMoe(Draft& d)
{
    d.model.norm = NormKind::LayerNorm;
    d.model.lmHeadBias = d.keys.flag({"lm_head_bias"}, false);
    readMixtral(d);
}

void readDbrx(Draft& d)
{
    const ConfigKeys attention = d.keys.object("attn_config"), ffn = d.keys.object("ffn_config");
    d.model.norm = NormKind::LayerNormNoBias;
    d.model.ffn = 0;
    d.model.kvHeads = attention.count({"kv_n_heads"}); // DbrxAttentionConfig and DbrxFFNConfig fill in the rest
    classDefault(d, d.model.kvHeads, "attn_config/kv_n_heads", 1);
    MoeShape& moe = d.model.moe;
    moe.experts = ffn.count({"moe_num_experts"});
    classDefault(d, moe.experts, "ffn_config/moe_num_experts", 4);
    moe.topK = ffn.count({"moe_top_k"});
    classDefault(d, moe.topK, "ffn_config/moe_top_k", 1);
    moe.ffn = ffn.count({"ffn_hidden_size"});
    classDefault(d, moe.ffn, "ffn_config/ffn_hidden_size", 3584);
    d.model.activation = "silu";
    setLayers(d, "full", MlpKind::Moe);
}

void readGptOss(Draft& d)
{
    const bool biased = d.keys.flag({"attention_bias"}, true);
    setBiases(d, biased, biased);
    d.model.attention.sinks = true;
    d.model.sliding.window = 128;
    classDefault(d, d.model.headDim, "head_dim", 64);
    readExperts(d, {"num_local_experts", "num_experts"}, {"num_experts_per_tok", "experts_per_token"}, d.model.ffn);
    d.model.moe.expertBias = d.model.moe.routerBias = true;
    setLayers(d, layerTypesOr(d, [](std::int64_t i) { return i % 2 == 0 ? "sliding" : "full"; }), allMlp(MlpKind::Moe));
}

/// The layers that have experts: moe_layers where the file has that list, even an empty one; otherwise every
/// interleave_moe_layer_step-th. None where both experts and step are 0 (Llama Guard 4).
MlpOf llama4Experts(Draft& d)
{
    const auto* listed = d.keys.find("moe_layers");
    const std::vector<std::int64_t> list = d.keys.numbers("moe_layers");
    const auto isZero = [&](std::string_view key) { return d.keys.has(key) && d.keys.count({key}) == 0; };
    const bool none = isZero("num_local_experts") && isZero("interleave_moe_layer_step");
    if (list.empty() && (none || listed != nullptr))
        return allMlp(MlpKind::Dense);
    const std::int64_t expertWidth = d.model.ffn;
    readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, expertWidth);
    d.model.moe.sharedFfn = expertWidth;
    if (listed != nullptr)
        return [layers = std::set<std::int64_t>(list.begin(), list.end())](std::int64_t i) {
            return layers.contains(i) ? MlpKind::Moe : MlpKind::Dense;
        };
    const std::int64_t step = sizeOr(d, "interleave_moe_layer_step", 1);
    return [step](std::int64_t i) { return (i + 1) % step == 0 ? MlpKind::Moe : MlpKind::Dense; };
}

/// intermediate_size is the expert and shared width, intermediate_size_mlp that of dense layers.
void readLlama4(Draft& d)
{
    const std::int64_t expertWidth = d.model.ffn;
    classDefault(d, d.model.headDim, "head_dim", 128);
    d.model.sliding = {8192, true};
    const MlpOf mlp = llama4Experts(d);
    const bool chunks = d.keys.has("attention_chunk_size") || !d.keys.mentions("attention_chunk_size"); // null: none
    const std::vector<std::int64_t> rope = perLayerNumbers(d, "no_rope_layers"); // 0 = no RoPE: attends to everything
    const std::int64_t interval = d.keys.size({"no_rope_layer_interval"}, 4);
    const MixerOf byPosition = layerTypesOr(d, [&](std::int64_t i) {
        const bool full = rope.empty() ? (i + 1) % interval == 0 : rope[static_cast<std::size_t>(i)] == 0;
        return full ? "full" : "chunked";
    });
    setLayers(
        d, [&](std::int64_t i) { return chunks ? byPosition(i) : "full"; }, mlp);
    const bool dense = std::ranges::any_of(d.layers, [](const LayerEntry& l) { return l.mlp == MlpKind::Dense; });
    d.model.ffn = d.keys.size({"intermediate_size_mlp"}, dense ? 0 : expertWidth);
    classDefault(d, d.model.ffn, "intermediate_size_mlp", 16384);
}

void readMiniMaxM2(Draft& d)
{
    classDefault(d, d.model.headDim, "head_dim", 128);
    if (d.keys.flag({"use_qk_norm"}, true)) // MiniMaxM2Config has no such key: its attention always norms
        d.model.attention.qkNorm = wordOr(d, "qk_norm_type", "per_layer", {"per_layer", "per_head"}) == "per_layer"
                                       ? QkNorm::Full
                                       : QkNorm::Head;
    readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, d.model.ffn);
    d.model.moe.routerBias = d.keys.flag({"use_routing_bias"}, true);
    d.model.moe.sharedFfn = d.keys.count({"shared_intermediate_size"});
    setLayers(d, "full", MlpKind::Moe);
}

/// Block-sparse attention: in its layers an indexer chooses blocks of keys.
MixerOf readBlockSparse(Draft& d)
{
    if (!d.keys.mentions("sparse_attention_config"))
        d.keys.missing({"sparse_attention_config"}, said("write null where all layers attend to everything"));
    const ConfigKeys sparse = d.keys.object("sparse_attention_config");
    MixerOf full = [](std::int64_t) { return "full"; };
    if (!sparse.flag({"use_sparse_attention"}, false))
        return full;
    IndexerShape& indexer = d.model.indexer.emplace();
    indexer.msa = true;
    indexer.heads = sparse.required({"sparse_num_index_heads"});
    indexer.headDim = sparse.required({"sparse_index_dim"});
    indexer.block = sparse.required({"sparse_block_size"});
    indexer.topkBlocks = sparse.required({"sparse_topk_blocks"});
    const std::vector<std::int64_t> on = sparse.numbers("sparse_attention_freq");
    if (on.empty()) {
        sparse.missing({"sparse_attention_freq"}, said("give one entry per layer: 1 where it is sparse"));
        return full;
    }
    if (static_cast<std::int64_t>(on.size()) < d.model.layers) {
        sparse.problem("inconsistent", "sparse_attention_freq",
                       say("{} for {}", entriesText(std::ssize(on)), layersText(d.model.layers)),
                       said("give one entry per layer"));
        return full;
    }
    return [on](std::int64_t i) { return on[static_cast<std::size_t>(i)] != 0 ? "full" : "full_no_index"; };
}

void readMiniMaxM3(Draft& d)
{
    const std::int64_t width = d.model.ffn;
    d.model.attention.qkNorm = QkNorm::Head;
    if (d.model.headDim == 0)
        d.keys.missing({"head_dim"});
    readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, d.keys.size({"moe_intermediate_size"}, width));
    d.model.moe.routerBias = d.keys.flag({"use_routing_bias"}, true);
    const std::int64_t shared = statedCount(d, {"n_shared_experts"});
    d.model.moe.sharedFfn = times(shared, d.keys.size({"shared_intermediate_size"}, width));
    const std::vector<std::int64_t> moe = perLayerNumbers(d, "moe_layer_freq");
    const std::int64_t dense = moe.empty() ? statedCount(d, {"first_k_dense_replace"}) : 0;
    d.model.ffn = d.keys.required({"dense_intermediate_size"});
    setLayers(d, readBlockSparse(d), [&](std::int64_t i) {
        const bool sparse = moe.empty() ? i >= dense : moe[static_cast<std::size_t>(i)] != 0;
        return sparse ? MlpKind::Moe : MlpKind::Dense;
    });
}

/// Sliding layers have head counts and widths of their own, and the sinks.
void readMiMoV2(Draft& d)
{
    d.model.headDim = d.keys.required({"head_dim"});
    d.model.vHeadDim = d.keys.required({"v_head_dim"});
    AttentionVariant sliding, full;
    sliding.heads = d.keys.required({"swa_num_attention_heads"});
    sliding.kvHeads = d.keys.required({"swa_num_key_value_heads"});
    sliding.headDim = d.keys.required({"swa_head_dim"});
    sliding.vHeadDim = d.keys.required({"swa_v_head_dim"});
    sliding.sinks = d.keys.flag({"add_swa_attention_sink_bias"}, false);
    full.sinks = d.keys.flag({"add_full_attention_sink_bias"}, false);
    d.model.attentionVariants = {{"sliding", sliding}, {"full", full}};
    readExperts(d, {"n_routed_experts"}, {"num_experts_per_tok"});
    readSharedExperts(d, {"n_shared_experts"});
    d.model.moe.routerBias = true;
    for (const char* name : {"hybrid_layer_pattern", "moe_layer_freq"})
        if (!d.keys.has(name))
            d.keys.missing({name});
    const std::vector<std::int64_t> slides = perLayerNumbers(d, "hybrid_layer_pattern");
    const std::vector<std::int64_t> moe = perLayerNumbers(d, "moe_layer_freq");
    if (slides.empty() || moe.empty())
        return;
    setLayers(
        d, [&](std::int64_t i) { return slides[static_cast<std::size_t>(i)] != 0 ? "sliding" : "full"; },
        [&](std::int64_t i) { return moe[static_cast<std::size_t>(i)] != 0 ? MlpKind::Moe : MlpKind::Dense; });
}

/// "3,4,5": the layers that have experts.
std::set<std::int64_t> listedLayers(const Draft& d, std::string_view name)
{
    std::set<std::int64_t> result;
    const std::string text = d.keys.text({name});
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        std::int64_t layer = 0;
        const auto [next, error] = std::from_chars(at, end, layer);
        if (error != std::errc{} || layer < 0 || (next != end && *next != ',')) {
            d.keys.problem("wrong-type", name, say("'{}' is not a list of layers", printable(text, 40)),
                           said("use whole numbers with commas between, for example 3,4,5"));
            return {};
        }
        result.insert(layer);
        at = next == end ? end : next + 1;
    }
    return result;
}

void readStep(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Head;
    d.model.attention.gate = OutputGate::Head;
    if (const ConfigKeys other = d.keys.object("attention_other_setting"); d.keys.has("attention_other_setting")) {
        AttentionVariant sliding;
        sliding.heads = other.required({"num_attention_heads"});
        sliding.kvHeads = other.required({"num_attention_groups"});
        d.model.attentionVariants["sliding"] = sliding;
    } else {
        d.warn("attention_other_setting",
               said("attention_other_setting is absent: sliding layers are counted with the heads of the full ones"));
    }
    readExperts(d, {"moe_num_experts", "num_experts"}, {"moe_top_k", "num_experts_per_tok"});
    d.model.moe.routerBias = true;
    d.model.moe.sharedFfn = statedCount(d, {"share_expert_dim"});
    const std::set<std::int64_t> listed = listedLayers(d, "moe_layers_enum");
    const std::int64_t dense = d.keys.count({"first_k_dense_replace"}, 1), layers = d.model.layers;
    const MixerOf mixer = layerTypesOr(d, [](std::int64_t) { return "full"; });
    const MlpOf mlp = [&](std::int64_t i) {
        const bool moe = listed.empty() ? i >= dense : listed.contains(i);
        return moe ? MlpKind::Moe : MlpKind::Dense;
    };
    setLayers(d, mixer, mlp);
    // The layers that predict are numbered on from the last (Step3p5AMultiTokenPredictor of vLLM and SGLang).
    if (const std::int64_t predicting = d.keys.count({"num_nextn_predict_layers"}); predicting > 0 && layers > 0) {
        MtpShape& mtp = d.model.mtp.emplace();
        mtp.layers = predicting;
        mtp.mlp = mlp(layers);
        mtp.mixer = mixer(std::ssize(perLayerWords(d, "layer_types")) > layers ? layers : layers - 1);
    }
}

/// Laguna: full and sliding layers differ in heads; the gate is one value a head.
void readLaguna(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Head;
    d.model.attention.gate = OutputGate::Head;
    d.model.headDim = d.keys.required({"head_dim"});
    const MixerOf mixer = layerTypesOr(d, [](std::int64_t) { return "full"; });
    const std::vector<std::int64_t> heads = perLayerNumbers(d, "num_attention_heads_per_layer", sizes);
    for (std::int64_t i = 0; i < d.model.layers && !heads.empty(); ++i) {
        const std::int64_t here = heads[static_cast<std::size_t>(i)];
        std::optional<std::int64_t>& ofKind = d.model.attentionVariants[mixer(i)].heads;
        if (ofKind.value_or(here) != here) {
            d.keys.problem("unsupported-model", fmt::format("num_attention_heads_per_layer/{}", i),
                           say("layers of type {} have {} and {} heads", mixer(i), *ofKind, here),
                           said("layers of one type must have equal heads to be counted"));
            break;
        }
        ofKind = here;
    }
    readExperts(d, {"num_experts"}, {"num_experts_per_tok"});
    d.model.moe.routerBias = true;
    d.model.moe.sharedFfn = statedCount(d, {"shared_expert_intermediate_size"});
    std::vector<std::int64_t> list = d.keys.numbers("mlp_only_layers");
    if (list.empty())
        list = {0};
    const std::set<std::int64_t> dense(list.begin(), list.end());
    const MlpOf byIndex = [&](std::int64_t i) { return dense.contains(i) ? MlpKind::Dense : MlpKind::Moe; };
    setLayers(d, mixer, d.keys.has("mlp_layer_types") ? deepseekSparseLayers(d) : byIndex);
}

constexpr Family expertRows[] = {
    {"mixtral", "Mixtral", TiedDefault::No, readMixtral, everything},
    {"olmoe", "OLMo", TiedDefault::No, readOlmoe},
    {"phimoe", "Phi", TiedDefault::No, readPhiMoe, everything},
    {"dbrx", "DBRX", TiedDefault::No, readDbrx, everything},
    {"gpt_oss", "gpt-oss", TiedDefault::No, readGptOss, noInput},
    {"llama4", "Llama", TiedDefault::No, readLlama4, everything},
    {"llama4_text", "Llama", TiedDefault::No, readLlama4, everything},
    {"minimax_m2", "MiniMax", TiedDefault::No, readMiniMaxM2, noEmbeddings},
    {"minimax_m3", "MiniMax", TiedDefault::No, readMiniMaxM3, noEmbeddings},
    {"minimax_m3_vl", "MiniMax", TiedDefault::No, readMiniMaxM3, noEmbeddings},
    {"minimax_m3_text", "MiniMax", TiedDefault::No, readMiniMaxM3, noEmbeddings},
    {"mimo_v2_flash", "MiMo", TiedDefault::No, readMiMoV2, everything},
    {"step3p5", "Step", TiedDefault::No, readStep},
    {"step3p7", "Step", TiedDefault::No, readStep},
    {"laguna", "Laguna", TiedDefault::No, readLaguna},
};

} // namespace

std::span<const Family> expertFamilies()
{
    return expertRows;
}

} // namespace headroom::hf
