// SPDX-License-Identifier: GPL-3.0-or-later
// State-space families and hybrids of state space, linear attention and attention.
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <set>

namespace headroom::hf
{
namespace
{

/// One letter of a Nemotron-H pattern; nullopt where it is none.
std::optional<LayerEntry> nemotronBlock(char letter)
{
    switch (letter) {
    case 'M':
        return LayerEntry{"mamba", MlpKind::None};
    case '*':
        return LayerEntry{"full", MlpKind::None};
    case '-':
        return LayerEntry{"none", MlpKind::Dense};
    case 'E':
        return LayerEntry{"none", MlpKind::Moe};
    default:
        return std::nullopt;
    }
}

/// A pattern of letters, or the same as a list of words; both forms occur.
std::string nemotronPattern(const Draft& d, std::string_view letters, std::string_view words)
{
    std::string pattern = d.keys.text({letters});
    if (!pattern.empty())
        return pattern;
    for (const std::string& word : d.keys.words(words)) {
        if (word == "mamba" || word == "linear_attention") // the second names are transformers 5's
            pattern += 'M';
        else if (word == "attention" || word == "full_attention")
            pattern += '*';
        else if (word == "mlp")
            pattern += '-';
        else if (word == "moe")
            pattern += 'E';
        else
            pattern += '?';
    }
    return pattern;
}

std::vector<LayerEntry> nemotronBlocks(const Draft& d, std::string_view letters, std::string_view words)
{
    std::vector<LayerEntry> blocks;
    const std::string pattern = nemotronPattern(d, letters, words);
    if (pattern.size() > static_cast<std::size_t>(layerCounts.high)) {
        d.keys.problem("out-of-range", letters, say("{} blocks", pattern.size()), said("use at most 100000"));
        return blocks;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const auto block = nemotronBlock(pattern[i]);
        if (!block) {
            d.keys.problem("out-of-range", d.keys.has(letters) ? letters : words,
                           say("block {} is of an unknown kind", i),
                           said("known are M or mamba, * or attention, - or mlp, E or moe"));
            return {};
        }
        blocks.push_back(*block);
    }
    return blocks;
}

void readMamba2Shape(Draft& d, Names heads, Names headDim, Names state)
{
    MambaShape& mamba = d.model.mamba;
    mamba.version = 2;
    mamba.heads = d.keys.required(heads);
    mamba.headDim = d.keys.required(headDim);
    mamba.inner = times(mamba.heads, mamba.headDim);
    mamba.state = d.keys.required(state);
    mamba.groups = d.keys.count({"n_groups", "mamba_n_groups"});
    classDefault(d, mamba.groups, "n_groups", 8);
    mamba.conv = d.keys.count({"conv_kernel", "mamba_d_conv"});
    classDefault(d, mamba.conv, "conv_kernel", 4);
    mamba.convBias = d.keys.flag({"use_conv_bias", "mamba_conv_bias"}, true);
    mamba.projBias = d.keys.flag({"use_bias"}, false) || d.keys.flag({"mamba_proj_bias"}, false);
}

/// Nemotron-H and Nemotron 3: every block is one mixer or one feed-forward with one norm; num_hidden_layers counts
/// these blocks, or is absent.
void readNemotronH(Draft& d)
{
    ModelArchitecture& m = d.model;
    const std::vector<LayerEntry> blocks = nemotronBlocks(d, "hybrid_override_pattern", "layers_block_type");
    if (blocks.empty()) {
        if (!d.keys.has("hybrid_override_pattern") && !d.keys.has("layers_block_type"))
            d.keys.missing({"hybrid_override_pattern", "layers_block_type"});
        return;
    }
    m.layers = static_cast<std::int64_t>(blocks.size());
    d.layers = blocks;
    m.normsPerLayer = 1;
    m.gated = false;
    m.activation = d.keys.text({"mlp_hidden_act"}, "relu2");
    m.position = PositionKind::None;
    if (m.headDim == 0)
        m.headDim = 128;
    readMamba2Shape(d, {"mamba_num_heads"}, {"mamba_head_dim"}, {"ssm_state_size"});
    m.mamba.stateType = stateTypeOr(d, StateType::Float32); // NemotronHConfig of transformers, and vLLM (PR 39032)
    if (std::find(blocks.begin(), blocks.end(), LayerEntry{"none", MlpKind::Moe}) != blocks.end()) {
        readExperts(d, {"n_routed_experts"}, {"num_experts_per_tok"});
        m.moe.gated = false;
        m.moe.routerBias = true;
        m.moe.latent = d.keys.count({"moe_latent_size"});
        if (statedCount(d, {"n_shared_experts"}) > 0)
            m.moe.sharedFfn = d.keys.required({"moe_shared_expert_intermediate_size"});
    }
    const std::int64_t predicted = d.keys.count({"num_nextn_predict_layers"});
    std::vector<LayerEntry> mtp = nemotronBlocks(d, "mtp_hybrid_override_pattern", "mtp_layers_block_type");
    if (predicted > 0 && mtp.empty()) { // NemotronHConfig: full_attention, moe
        mtp = {{"full", MlpKind::None}, {"none", MlpKind::Moe}};
        d.warn("mtp_layers_block_type",
               said("mtp_layers_block_type is absent: an attention and an expert block, as the class has it"));
    }
    if (predicted > 0) {
        m.mtp.emplace().layers = predicted;
        for (const LayerEntry& block : mtp)
            m.mtp->pattern.emplace_back(block.mixer, block.mlp);
    }
}

/// "auto" (the usual value) means a sixteenth of the width, rounded up.
std::int64_t timeStepRank(const Draft& d, std::string_view name)
{
    const auto* given = d.keys.find(name);
    const std::int64_t automatic = (d.model.hidden + 15) / 16;
    if (given == nullptr || shown(*given) == "\"auto\"")
        return automatic;
    return d.keys.size({name}, automatic);
}

/// A place in a period, from 0, or that of the class, which is said.
std::int64_t offsetOr(Draft& d, std::string_view name, std::int64_t standard)
{
    if (!d.keys.has(name))
        warnOfDefault(d, name, standard);
    return d.keys.count({name}, standard);
}

void readJamba(Draft& d)
{
    ModelArchitecture& m = d.model;
    m.mamba.version = 1;
    m.mamba.inner = times(sizeOr(d, "mamba_expand", 2), m.hidden);
    m.mamba.state = sizeOr(d, "mamba_d_state", 16);
    m.mamba.conv = sizeOr(d, "mamba_d_conv", 4);
    m.mamba.dtRank = timeStepRank(d, "mamba_dt_rank");
    m.mamba.convBias = d.keys.flag({"mamba_conv_bias"}, true);
    m.mamba.projBias = d.keys.flag({"mamba_proj_bias"}, false);
    m.mamba.innerNorms = true;
    m.position = PositionKind::None;
    const std::int64_t experts = sizeOr(d, "num_experts", 16);
    const bool moe = experts > 1;
    if (moe)
        m.moe = {.experts = experts, .topK = sizeOr(d, "num_experts_per_tok", 2), .ffn = m.ffn};
    checkChosenExperts(d, "num_experts_per_tok");
    const std::int64_t attentionPeriod = sizeOr(d, "attn_layer_period", 8);
    const std::int64_t attentionOffset = offsetOr(d, "attn_layer_offset", 4);
    const std::int64_t expertPeriod = sizeOr(d, "expert_layer_period", 2);
    const std::int64_t expertOffset = offsetOr(d, "expert_layer_offset", 1);
    setLayers(
        d, [&](std::int64_t i) { return i % attentionPeriod == attentionOffset ? "full" : "mamba"; },
        [&](std::int64_t i) { return moe && i % expertPeriod == expertOffset ? MlpKind::Moe : MlpKind::Dense; });
}

/// Granite 4 and Bamba: Mamba 2 and attention layers, each with a feed-forward. Granite's is shared_intermediate_size
/// wide, beside experts where it has them.
void readGraniteHybrid(Draft& d)
{
    ModelArchitecture& m = d.model;
    const bool granite = d.modelType == "granitemoehybrid";
    if (granite && !d.keys.has("layer_types"))
        d.keys.missing({"layer_types"});
    if (!granite && !d.keys.mentions("attn_layer_indices"))
        d.keys.missing({"attn_layer_indices"}, said("they are the layers that attend, counted from 0"));
    const std::vector<std::int64_t> list = d.keys.numbers("attn_layer_indices");
    const std::set<std::int64_t> attends(list.begin(), list.end());
    const MixerOf mixer = layerTypesOr(d, [&](std::int64_t i) { return attends.contains(i) ? "full" : "mamba"; });
    const bool moe = granite && statedCount(d, {"num_local_experts"}) > 0;
    if (moe) {
        readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, m.ffn);
        m.moe.sharedFfn = statedCount(d, {"shared_intermediate_size"});
    } else if (granite) {
        m.ffn = d.keys.required({"shared_intermediate_size"});
    }
    setLayers(d, mixer, allMlp(moe ? MlpKind::Moe : MlpKind::Dense));
    if (granite && d.keys.text({"position_embedding_type"}) != "rope")
        m.position = PositionKind::None;
    if (std::ranges::none_of(d.layers, [](const LayerEntry& l) { return l.mixer == "mamba"; }))
        return;
    m.mamba.version = 2;
    m.mamba.heads = d.keys.required({"mamba_n_heads"});
    m.mamba.inner = times(sizeOr(d, "mamba_expand", 2), m.hidden);
    const auto* width = d.keys.find("mamba_d_head");
    const bool derived = width == nullptr || shown(*width) == "\"auto\"";
    m.mamba.headDim = derived ? m.mamba.inner / m.mamba.heads : d.keys.size({"mamba_d_head"}, 1);
    if (times(m.mamba.heads, m.mamba.headDim) != m.mamba.inner)
        d.keys.problem("inconsistent", "mamba_n_heads",
                       say("{} heads of {} are not {} (mamba_expand × hidden_size)", m.mamba.heads, m.mamba.headDim,
                           m.mamba.inner),
                       said("mamba_n_heads × mamba_d_head must be mamba_expand × hidden_size"));
    m.mamba.state = sizeOr(d, "mamba_d_state", granite ? 256 : 128);
    m.mamba.groups = sizeOr(d, "mamba_n_groups", 1);
    m.mamba.conv = sizeOr(d, "mamba_d_conv", 4);
    m.mamba.convBias = d.keys.flag({"mamba_conv_bias"}, true);
    m.mamba.projBias = d.keys.flag({"mamba_proj_bias"}, false);
    m.mamba.stateType = stateTypeOr(d, StateType::Unstated);
}

void onlyStateSpace(Draft& d)
{
    ModelArchitecture& m = d.model;
    m.heads = m.kvHeads = m.headDim = m.ffn = 0;
    m.normsPerLayer = 1;
    m.position = PositionKind::None;
    setBiases(d, false, false);
    setLayers(d, "mamba", MlpKind::None);
}

/// Falcon-Mamba writes expand 16; intermediate_size decides.
void readMamba1(Draft& d)
{
    MambaShape& mamba = d.model.mamba;
    mamba.version = 1;
    mamba.inner = d.keys.size({"intermediate_size"}, times(d.keys.size({"expand"}, 2), d.model.hidden));
    mamba.state = sizeOr(d, "state_size", 16);
    mamba.conv = sizeOr(d, "conv_kernel", 4);
    mamba.dtRank = timeStepRank(d, "time_step_rank");
    mamba.convBias = d.keys.flag({"use_conv_bias"}, true);
    mamba.projBias = d.keys.flag({"use_bias"}, false);
    onlyStateSpace(d);
}

void readMamba2(Draft& d)
{
    MambaShape& mamba = d.model.mamba;
    mamba.version = 2;
    const double expand = d.keys.real({"expand"}, 2, 0.01, 1000);
    mamba.inner = static_cast<std::int64_t>(expand * double(d.model.hidden));
    mamba.headDim = sizeOr(d, "head_dim", 64);
    mamba.heads = d.keys.size({"num_heads"}, std::max<std::int64_t>(mamba.inner / mamba.headDim, 1));
    mamba.state = sizeOr(d, "state_size", 128);
    mamba.groups = sizeOr(d, "n_groups", 8);
    mamba.conv = sizeOr(d, "conv_kernel", 4);
    mamba.convBias = d.keys.flag({"use_conv_bias"}, true);
    mamba.projBias = d.keys.flag({"use_bias"}, false);
    if (times(mamba.heads, mamba.headDim) != mamba.inner)
        d.keys.problem(
            "inconsistent", "num_heads",
            mamba.heads == 1
                ? say("1 head of {} is not {} (expand × hidden_size)", mamba.headDim, mamba.inner)
                : say("{} heads of {} are not {} (expand × hidden_size)", mamba.heads, mamba.headDim, mamba.inner),
            said("num_heads × head_dim must be expand × hidden_size"));
    onlyStateSpace(d);
}

/// MiniMax-01 and M1: lightning attention in most layers; attn_type_list has 1 where a layer is softmax attention.
void readMiniMax01(Draft& d)
{
    ModelArchitecture& m = d.model;
    const std::int64_t derived = m.heads > 0 ? m.hidden / m.heads : 0;
    m.linear.kind = LinearKind::Lightning;
    m.linear.heads = m.heads;
    m.linear.headDim = m.headDim > 0 ? m.headDim : derived;
    readExperts(d, {"num_local_experts"}, {"num_experts_per_tok"}, m.ffn);
    m.moe.sharedFfn = d.keys.count({"shared_intermediate_size"});
    const std::vector<std::int64_t> softmax = perLayerNumbers(d, "attn_type_list");
    if (softmax.empty() && !d.keys.has("layer_types")) {
        if (!d.keys.has("attn_type_list"))
            d.keys.missing({"attn_type_list", "layer_types"});
        return;
    }
    const MixerOf listed = [&](std::int64_t i) {
        return !softmax.empty() && softmax[static_cast<std::size_t>(i)] == 1 ? "full" : "linear";
    };
    setLayers(d, softmax.empty() ? layerTypesOr(d, listed) : listed, allMlp(MlpKind::Moe));
}

constexpr Family hybridRows[] = {
    {"nemotron_h", "Nemotron", TiedDefault::No, readNemotronH, noInput},
    {"jamba", "Jamba", TiedDefault::No, readJamba, everything},
    {"granitemoehybrid", "Granite", TiedDefault::No, readGraniteHybrid, everything},
    {"bamba", "Bamba", TiedDefault::No, readGraniteHybrid},
    {"mamba", "Mamba", TiedDefault::Yes, readMamba1},
    {"ov_mamba", "Mamba", TiedDefault::Yes, readMamba1},
    {"falcon_mamba", "Falcon-Mamba", TiedDefault::Yes, readMamba1},
    {"mamba2", "Mamba", TiedDefault::No, readMamba2},
    {"minimax", "MiniMax", TiedDefault::No, readMiniMax01, noEmbeddings},
    {"minimax_m1", "MiniMax", TiedDefault::No, readMiniMax01, noEmbeddings},
    {"minimax_text_01", "MiniMax", TiedDefault::No, readMiniMax01, noEmbeddings},
    {"MiniMaxText01", "MiniMax", TiedDefault::No, readMiniMax01, noEmbeddings},
};

} // namespace

std::span<const Family> hybridFamilies()
{
    return hybridRows;
}

} // namespace headroom::hf
