// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSeek and the families built like it: multi-head latent attention, shared experts, indexers (Kimi, GLM-4.5 on).
#include "core/catalog/count_words.hpp"
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace headroom::hf
{
namespace
{

/// head_dim in these files contradicts the parts (GLM-5 says 64), and num_key_value_heads says nothing.
void readLatentAttention(Draft& d)
{
    ModelArchitecture& m = d.model;
    MlaShape& mla = m.attention.mla;
    m.attention.kind = AttentionKind::Mla;
    mla.qLoraRank = d.keys.count({"q_lora_rank"}); // null: queries are projected directly
    if (!d.keys.mentions("q_lora_rank") && d.modelType != "kimi_linear")
        d.warn("q_lora_rank", said("q_lora_rank is absent: queries are projected directly, as where it is null"));
    mla.kvLoraRank = d.keys.required({"kv_lora_rank"});
    if (!d.keys.path().empty() && d.modelType.starts_with("deepseek")) { // DeepseekV2Config, DeepseekV3Config
        mla.qkNope = d.keys.count({"qk_nope_head_dim"});
        mla.qkRope = d.keys.count({"qk_rope_head_dim"});
        classDefault(d, mla.qkNope, "qk_nope_head_dim", 128);
        classDefault(d, mla.qkRope, "qk_rope_head_dim", 64);
    } else {
        mla.qkNope = d.keys.required({"qk_nope_head_dim"});
        mla.qkRope = d.keys.required({"qk_rope_head_dim"});
    }
    if (d.modelType == "minicpm3" && m.heads > 0) // its class has no such key
        mla.vHeadDim = d.keys.size({"v_head_dim"}, std::max<std::int64_t>(m.hidden / m.heads, 1));
    else
        mla.vHeadDim = d.keys.required({"v_head_dim"});
    m.headDim = mla.qkNope + mla.qkRope;
    m.vHeadDim = mla.vHeadDim;
    m.kvHeads = m.heads;
}

/// GlmMoeDsaConfig where indexer_types is absent: every `index_topk_freq`-th layer from `index_skip_topk_offset` on
/// scores, as do those before it; the others use its choice. index_topk_pattern spells it out as F and S.
MixerOf sharedChoices(const Draft& d)
{
    if (d.keys.has("index_topk_pattern")) {
        const std::string pattern = d.keys.text({"index_topk_pattern"});
        if (static_cast<std::int64_t>(pattern.size()) < d.model.layers ||
            pattern.find_first_not_of("FS") != std::string::npos)
            d.keys.problem(
                "inconsistent", "index_topk_pattern",
                say("{} has {} letters for {}", "index_topk_pattern", pattern.size(), layersText(d.model.layers)),
                said("give one letter a layer: F scores, S uses an earlier layer's choice"));
        return [pattern](std::int64_t i) {
            const auto at = static_cast<std::size_t>(i);
            return at < pattern.size() && pattern[at] == 'S' ? "full_shared_index" : "full";
        };
    }
    const std::int64_t every = d.keys.size({"index_topk_freq"}, 1), from = d.keys.count({"index_skip_topk_offset"}, 2);
    return [every, from](std::int64_t i) {
        return std::max<std::int64_t>(i - from + 1, 0) % every == 0 ? "full" : "full_shared_index";
    };
}

/// Layers whose indexer_types say "shared" use an earlier layer's choice and own no indexer.
MixerOf readIndexer(Draft& d)
{
    MixerOf full = [](std::int64_t) { return "full"; };
    const bool always = d.modelType == "deepseek_v32" || d.modelType == "glm_moe_dsa";
    if (!always && !d.keys.has("index_topk") && !d.keys.has("index_head_dim"))
        return full;
    IndexerShape& indexer = d.model.indexer.emplace();
    indexer.heads = d.keys.required({"index_n_heads"});
    indexer.headDim = d.keys.required({"index_head_dim"});
    indexer.topk = d.keys.required({"index_topk"});
    indexer.qLoraRank = d.keys.required({"q_lora_rank"});
    const std::vector<std::string> types = perLayerWords(d, "indexer_types");
    if (types.empty())
        return sharedChoices(d);
    return
        [types](std::int64_t i) { return types[static_cast<std::size_t>(i)] == "full" ? "full" : "full_shared_index"; };
}

/// noaux_tc routing keeps one correction bias per expert.
bool hasCorrectionBias(const Draft& d)
{
    static const std::set<std::string, std::less<>> without{"deepseek", "deepseek_v2", "deepseek_vl_v2", "minicpm3"};
    return !without.contains(d.modelType) || d.keys.text({"topk_method"}) == "noaux_tc";
}

void readDeepseek(Draft& d)
{
    ModelArchitecture& m = d.model;
    const bool glm = d.modelType == "glm4_moe" || d.modelType.starts_with("glm4v_moe");
    const bool biased = d.keys.flag({"attention_bias"}, false);
    setBiases(d, biased, biased && !glm);
    if (glm && d.keys.flag({"use_qk_norm"}, false))
        m.attention.qkNorm = QkNorm::Head;
    if (d.keys.has("kv_lora_rank") && d.keys.flag({"use_mla"}, true))
        readLatentAttention(d);
    else if (d.keys.flag({"use_mla"}, true) && d.keys.count({"qk_nope_head_dim"}) > 0)
        d.keys.missing({"kv_lora_rank"}, said("other keys of the file describe latent attention"));

    const MixerOf mixer = readIndexer(d);
    const bool moe = d.keys.count({"n_routed_experts", "num_experts", "num_local_experts"}) > 0;
    if (moe) {
        readExperts(d, {"n_routed_experts", "num_experts", "num_local_experts"}, {"num_experts_per_tok", "moe_topk"});
        readSharedExperts(d, {"n_shared_experts"});
        m.moe.routerBias = hasCorrectionBias(d);
        const std::int64_t groups = d.keys.count({"n_group"}), chosen = d.keys.count({"topk_group"});
        m.moe.groupLimit = chosen < groups ? chosen : 0;
    }
    setLayers(d, mixer, moe ? deepseekSparseLayers(d) : allMlp(MlpKind::Dense));
    if (const std::int64_t layers = d.keys.count({"num_nextn_predict_layers"}); layers > 0) {
        static const std::set<std::string, std::less<>> copying{"deepseek_v3", "deepseek_v32", "glm4_moe",
                                                                "glm4_moe_lite"};
        MtpShape& mtp = m.mtp.emplace();
        mtp.layers = layers;
        mtp.mlp = moe ? MlpKind::Moe : MlpKind::Dense;
        mtp.storesEmbedAndHead = copying.contains(d.modelType);
    }
}

/// Qwen2-like attention biases do not occur here, but dots.1 has per-head query and key norms.
void readDots1(Draft& d)
{
    readDeepseek(d);
    d.model.attention.qkNorm = QkNorm::Head;
}

void readDsv4Shape(Draft& d)
{
    Dsv4Shape& shape = d.model.attention.dsv4;
    setBiases(d, false, false);
    d.model.kvHeads = 1; // that all queries share
    d.model.attention.kind = AttentionKind::Dsv4;
    if (d.model.headDim == 0) // its one head is far wider than hidden_size / num_attention_heads
        d.keys.missing({"head_dim"});
    shape.qLoraRank = d.keys.required({"q_lora_rank"});
    shape.oLoraRank = d.keys.required({"o_lora_rank"});
    shape.oGroups = d.keys.required({"o_groups"});
    shape.indexHeads = d.keys.required({"index_n_heads"});
    shape.indexHeadDim = d.keys.required({"index_head_dim"});
    shape.indexTopk = d.keys.required({"index_topk"});
    shape.rope = d.keys.required({"qk_rope_head_dim"});
}

/// compress_ratios has one entry more than the layers have: the last one is the prediction block's.
MixerOf readCompression(Draft& d)
{
    const std::vector<std::int64_t> ratios = perLayerNumbers(d, "compress_ratios");
    if (ratios.empty()) {
        if (!d.keys.has("compress_ratios"))
            d.keys.missing({"compress_ratios"});
        return [](std::int64_t) { return "sliding"; };
    }
    for (std::int64_t i = 0; i < d.model.layers; ++i)
        if (const std::int64_t ratio = ratios[static_cast<std::size_t>(i)]; ratio > 0)
            d.model.attentionVariants[fmt::format("full_c{}", ratio)].compress = ratio;
    return [ratios](std::int64_t i) {
        const std::int64_t ratio = ratios[static_cast<std::size_t>(i)];
        return ratio > 0 ? fmt::format("full_c{}", ratio) : "sliding";
    };
}

void readDeepseekV4(Draft& d)
{
    ModelArchitecture& m = d.model;
    readDsv4Shape(d);
    m.ffn = 0;
    readExperts(d, {"n_routed_experts"}, {"num_experts_per_tok"});
    readSharedExperts(d, {"n_shared_experts"});
    m.moe.routerBias = true;

    // Hyper-connections: m parallel residual streams, mixed before and after each half of a layer.
    const std::int64_t streams = d.keys.size({"hc_mult"}, 4);
    const std::int64_t mixes = 2 * streams + times(streams, streams);
    const std::int64_t head = times(times(streams, m.hidden), streams) + streams + 1;
    m.extraPerLayer = 2 * (times(times(mixes, m.hidden), streams) + mixes + 3);
    const std::int64_t hashed = d.keys.whole({"num_hash_layers"}, {0, layerCounts.high}).value_or(0);
    m.extra = head - times(hashed, m.moe.experts); // hash-routed layers have no correction bias
    if (hashed > 0) {
        m.storedIntegers = times(times(hashed, m.vocab), m.moe.topK);
        d.warn("num_hash_layers",
               say("{} with hash routing: the table of integers is not counted", layersText(hashed)));
    }
    setLayers(d, readCompression(d), allMlp(MlpKind::Moe));
    if (const std::int64_t layers = d.keys.count({"num_nextn_predict_layers"}); layers > 0) {
        MtpShape& mtp = m.mtp.emplace();
        mtp.layers = layers;
        mtp.mixer = "sliding";
        mtp.mlp = MlpKind::Moe;
        mtp.extra = head;
    }
}

/// Kimi Linear and K3: delta attention in most layers, latent attention in the listed ones (counted from 1).
void readKimiLinear(Draft& d)
{
    ModelArchitecture& m = d.model;
    setBiases(d, false, false);
    readLatentAttention(d);
    if (!d.keys.has("linear_attn_config"))
        d.keys.missing({"linear_attn_config"});
    const ConfigKeys linear = d.keys.object("linear_attn_config");
    m.linear.kind = LinearKind::Kda;
    m.linear.heads = linear.required({"num_heads"});
    m.linear.headDim = linear.required({"head_dim"});
    m.linear.conv = linear.required({"short_conv_kernel_size"});
    m.linear.fullRankGate = linear.flag({"use_full_rank_gate"}, false);
    if (d.keys.flag({"mla_use_output_gate"}, false))
        m.attention.gate = OutputGate::Element;

    readExperts(d, {"num_experts"}, {"num_experts_per_token", "num_experts_per_tok"});
    readSharedExperts(d, {"num_shared_experts"});
    m.moe.routerBias = true;
    m.moe.latent = d.keys.count({"routed_expert_hidden_size"});
    if (d.keys.flag({"latent_moe_use_norm"}, false))
        m.moe.extra = m.moe.latent;
    if (d.keys.has("attn_res_block_size")) { // attention residuals: norms and projections
        m.extraPerLayer = 4 * m.hidden;
        m.extra = 2 * m.hidden;
    }
    const std::vector<std::int64_t> list = linear.numbers("full_attn_layers");
    const std::set<std::int64_t> full(list.begin(), list.end());
    const std::int64_t dense = statedCount(d, {"first_k_dense_replace"});
    setLayers(
        d, [&](std::int64_t i) { return full.contains(i + 1) ? "full" : "linear"; },
        [&](std::int64_t i) { return i >= dense ? MlpKind::Moe : MlpKind::Dense; });
}

constexpr Family deepseekRows[] = {
    {"deepseek", "DeepSeek", TiedDefault::No, readDeepseek},
    {"deepseek_v2", "DeepSeek", TiedDefault::No, readDeepseek, noInput},
    {"deepseek_vl_v2", "DeepSeek", TiedDefault::No, readDeepseek, noInput},
    {"deepseek_v3", "DeepSeek", TiedDefault::No, readDeepseek, noInput},
    {"deepseek_v32", "DeepSeek", TiedDefault::No, readDeepseek, noInput},
    {"deepseek_v4", "DeepSeek", TiedDefault::No, readDeepseekV4, noInput},
    {"deepseek_ref", "DeepSeek", TiedDefault::No, readDeepseekV4, noInput},
    {"kimi_k2", "Kimi", TiedDefault::No, readDeepseek},
    {"kimi_k25", "Kimi", TiedDefault::No, readDeepseek},
    {"kimi_vl", "Kimi", TiedDefault::No, readDeepseek}, // its language part names no type
    {"kimi_linear", "Kimi", TiedDefault::No, readKimiLinear},
    {"kimi_k3", "Kimi", TiedDefault::No, readKimiLinear, noInput},
    {"glm_moe_dsa", "GLM", TiedDefault::No, readDeepseek},
    {"glm4_moe_lite", "GLM", TiedDefault::No, readDeepseek},
    {"glm4_moe", "GLM", TiedDefault::No, readDeepseek, noEmbeddings},
    {"glm4v_moe", "GLM", TiedDefault::No, readDeepseek, noEmbeddings},
    {"glm4v_moe_text", "GLM", TiedDefault::No, readDeepseek, noEmbeddings},
    {"dots1", "dots.1", TiedDefault::No, readDots1},
    {"minicpm3", "MiniCPM", TiedDefault::Yes, readDeepseek},
};

} // namespace

std::span<const Family> deepseekFamilies()
{
    return deepseekRows;
}

} // namespace headroom::hf
