// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of experts whose blocks are Mixtral's or DeepSeek's, but for names of keys and a part or two: Granite, ERNIE
// 4.5, Hunyuan, Bailing (Ling), Grok.
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

/// A size that may also be a list with one for each layer, all the same; 0 where the key is absent.
std::int64_t oneForAll(const Draft& d, std::string_view name)
{
    const auto* value = d.keys.find(name);
    if (value == nullptr || !value->is_array())
        return d.keys.count({name});
    const std::vector<std::int64_t> list = d.keys.numbers(name);
    if (list.empty())
        return 0;
    if (std::ranges::any_of(list, [&](std::int64_t x) { return x != list.front(); }))
        d.keys.problem("unsupported-model", name, said("layers with sizes of their own are not counted in this family"),
                       said("give one number for all layers"));
    return list.front();
}

/// The same, where it must be there.
std::int64_t neededForAll(const Draft& d, std::string_view name)
{
    if (!d.keys.has(name))
        d.keys.missing({name});
    return std::max<std::int64_t>(oneForAll(d, name), 1);
}

void noteUncountedPrediction(Draft& d)
{
    if (d.keys.count({"num_nextn_predict_layers"}) > 0)
        d.warn("num_nextn_predict_layers",
               say("{} is not counted: what it means in this family is not known", "num_nextn_predict_layers"));
}

/// Granite 3: Mixtral without a window, and a shared expert in some.
void readGraniteMoe(Draft& d)
{
    readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, d.model.ffn);
    if (d.modelType == "granitemoeshared")
        d.model.moe.sharedFfn = statedCount(d, {"shared_intermediate_size"});
    setLayers(d, "full", MlpKind::Moe);
}

/// Ernie4_5_MoeConfig: experts from moe_layer_start_index to moe_layer_end_index (-1: the last), and a correction for
/// each of them that is stored (moe_statics).
void readErnieMoe(Draft& d)
{
    ModelArchitecture& m = d.model;
    const bool biased = d.keys.flag({"use_bias"}, false);
    setBiases(d, biased, biased);
    m.mlpBias = m.moe.expertBias = biased;
    m.moe.experts = neededForAll(d, "moe_num_experts");
    m.moe.topK = neededForAll(d, "moe_k");
    m.moe.ffn = neededForAll(d, "moe_intermediate_size");
    checkChosenExperts(d, "moe_k");
    m.moe.routerBias = true;
    m.moe.sharedFfn = times(statedCount(d, {"moe_num_shared_experts"}), m.moe.ffn);
    const std::int64_t first = statedCount(d, {"moe_layer_start_index"});
    const std::int64_t last = d.keys.whole({"moe_layer_end_index"}, {-1, layerCounts.high}).value_or(-1);
    const std::int64_t every = d.keys.size({"moe_layer_interval"}, 1);
    noteUncountedPrediction(d);
    setLayers(
        d, [](std::int64_t) { return "full"; },
        [&](std::int64_t i) {
            const bool moe = i >= first && (last < 0 || i <= last) && (i + 1) % every == 0;
            return moe ? MlpKind::Moe : MlpKind::Dense;
        });
}

/// Hunyuan's mixtures: a shared expert beside the chosen ones where use_mixed_mlp_moe says so. Layers that share keys
/// and values (CLA) are not modelled.
void readHunyuanMoe(Draft& d)
{
    ModelArchitecture& m = d.model;
    if (d.keys.flag({"use_cla"}, false))
        d.keys.problem("unsupported-model", "use_cla", said("layers that share keys and values are not modelled"));
    if (d.keys.flag({"use_qk_norm"}, true))
        m.attention.qkNorm = QkNorm::Head;
    m.moe.experts = neededForAll(d, "num_experts");
    m.moe.topK = neededForAll(d, "moe_topk");
    const std::int64_t own = oneForAll(d, "moe_intermediate_size");
    m.moe.ffn = own > 0 ? own : m.ffn;
    checkChosenExperts(d, "moe_topk");
    if (d.keys.flag({"use_mixed_mlp_moe"}, true))
        m.moe.sharedFfn = times(neededForAll(d, "num_shared_expert"), m.ffn);
    const std::int64_t dense = d.keys.count({"moe_layer_num_skipped"});
    setLayers(
        d, [](std::int64_t) { return "full"; },
        [&](std::int64_t i) { return i < dense ? MlpKind::Dense : MlpKind::Moe; });
}

/// Ling 2.0: DeepSeek's mixture around grouped attention with norms of query and key. The first Ling has neither these
/// norms nor a bias of its experts; files of 2.0 bear its model_type, too.
void readBailingMoe(Draft& d)
{
    ModelArchitecture& m = d.model;
    const std::vector<std::string> classes =
        d.keys.has("architectures") ? d.keys.words("architectures") : std::vector<std::string>{};
    for (const std::string& name : classes)
        if (d.modelType == "bailing_moe" && name != "BailingMoeForCausalLM" && name != "BailingMoeV2ForCausalLM")
            d.keys.problem("unsupported-model", "architectures",
                           say("the layers of {} are not counted in this family", printable(name)));
    const bool second = d.modelType == "bailing_moe_v2" ||
                        std::ranges::any_of(classes, [](const auto& c) { return c.find("V2") != std::string::npos; });
    const bool biased = d.keys.flag({"use_bias"}, false);
    setBiases(d, d.keys.flag({"use_qkv_bias"}, false), biased);
    m.mlpBias = m.moe.expertBias = biased;
    if (d.keys.flag({"use_qk_norm"}, second))
        m.attention.qkNorm = QkNorm::Head;
    readExperts(d, {"num_experts"}, {"num_experts_per_tok"});
    m.moe.routerBias = d.keys.flag({"moe_router_enable_expert_bias"}, second);
    const std::int64_t sharedWidth = d.keys.size({"moe_shared_expert_intermediate_size"}, m.moe.ffn);
    m.moe.sharedFfn = times(statedCount(d, {"num_shared_experts"}), sharedWidth);
    const std::int64_t groups = d.keys.count({"n_group"}), chosen = d.keys.count({"topk_group"});
    m.moe.groupLimit = chosen < groups ? chosen : 0;
    const std::int64_t dense = statedCount(d, {"first_k_dense_replace"});
    noteUncountedPrediction(d);
    setLayers(
        d, [](std::int64_t) { return "full"; },
        [&](std::int64_t i) { return i < dense ? MlpKind::Dense : MlpKind::Moe; });
}

/// Norms before and after each half of the block; Grok 2 has a dense feed-forward beside the experts.
void readGrok(Draft& d)
{
    d.model.normsPerLayer = 4;
    const bool residual = d.keys.flag({"residual_moe"}, false);
    const std::int64_t width = d.keys.size({"moe_intermediate_size"}, d.model.ffn);
    readExperts(d, {"num_local_experts", "num_experts"}, {"num_experts_per_tok"}, width);
    setLayers(d, "full", residual ? MlpKind::DenseAndMoe : MlpKind::Moe);
}

constexpr Family mixtureRows[] = {
    {"granitemoe", "Granite", TiedDefault::No, readGraniteMoe, everything},
    {"granitemoeshared", "Granite", TiedDefault::No, readGraniteMoe, everything},
    {"ernie4_5_moe", "ERNIE", TiedDefault::Yes, readErnieMoe},
    {"hunyuan_v1_moe", "Hunyuan", TiedDefault::No, readHunyuanMoe},
    {"bailing_moe", "Ling", TiedDefault::No, readBailingMoe},
    {"bailing_moe_v2", "Ling", TiedDefault::No, readBailingMoe},
    {"grok-1", "Grok", TiedDefault::Yes, readGrok},
    {"grok-2", "Grok", TiedDefault::No, readGrok},
};

} // namespace

std::span<const Family> mixtureFamilies()
{
    return mixtureRows;
}

} // namespace headroom::hf
