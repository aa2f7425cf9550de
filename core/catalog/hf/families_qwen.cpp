// SPDX-License-Identifier: GPL-3.0-or-later
// The Qwen families, and those built like them (MiMo-7B, Molmo).
#include "core/catalog/hf/family.hpp"
#include "core/support/say.hpp"

namespace headroom::hf
{
namespace
{

/// Qwen 1 states the width of both gated branches together.
void readQwen1(Draft& d)
{
    d.model.ffn /= 2;
    d.model.kvHeads = d.model.heads;
    setBiases(d, true, false);
    setLayers(d, "full", MlpKind::Dense);
}

/// Layers from max_window_layers on slide where use_sliding_window says so.
MixerOf lateWindows(Draft& d)
{
    constexpr std::int64_t standard = 28; // of the classes Qwen2Config and Qwen3Config
    const std::string windowed = d.keys.flag({"use_sliding_window"}, false) ? windowedMixer(d) : "full";
    const std::int64_t first = d.keys.count({"max_window_layers"}, standard);
    if (windowed != "full" && !d.keys.has("layer_types") && !d.keys.has("max_window_layers"))
        d.warn("max_window_layers",
               say("max_window_layers is absent: layers from {} on slide, as the class has it", standard));
    return layerTypesOr(d, [windowed, first](std::int64_t i) { return i >= first ? windowed : "full"; });
}

/// Query, key and value carry biases although no key says so.
void readQwen2(Draft& d)
{
    setBiases(d, d.keys.flag({"qkv_bias"}, true), false);
    setLayers(d, lateWindows(d), allMlp(MlpKind::Dense));
}

void readMiMo(Draft& d)
{
    readQwen2(d);
    if (const std::int64_t layers = d.keys.count({"num_nextn_predict_layers"}); layers > 0)
        d.model.mtp.emplace().layers = layers;
}

/// Molmo's language part: Qwen2 with the doubled width of Qwen 1 and rows for image tokens.
void readMolmo(Draft& d)
{
    readQwen2(d);
    d.model.ffn /= 2;
    d.model.embeddingRowsExtra = d.keys.count({"additional_vocab_size"}, 128);
}

void readSharedGatedExperts(Draft& d)
{
    readExperts(d, {"num_experts", "num_local_experts"}, {"num_experts_per_tok"});
    d.model.moe.sharedFfn = statedCount(d, {"shared_expert_intermediate_size"});
    d.model.moe.sharedGate = d.model.moe.sharedFfn > 0;
}

void readQwen2Moe(Draft& d)
{
    setBiases(d, d.keys.flag({"qkv_bias"}, true), false);
    readSharedGatedExperts(d);
    setLayers(d, lateWindows(d), qwenSparseLayers(d));
}

void readQwen3(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Head;
    classDefault(d, d.model.headDim, "head_dim", 128);
    setLayers(d, lateWindows(d), allMlp(MlpKind::Dense));
}

void readQwen3Moe(Draft& d)
{
    d.model.attention.qkNorm = QkNorm::Head;
    if (d.model.headDim == 0) // its class has no number of its own
        d.warn("head_dim", said("head_dim is absent: the width is divided by the heads"));
    readExperts(d, {"num_experts", "num_local_experts"}, {"num_experts_per_tok"});
    std::string mixer = d.keys.flag({"use_sliding_window"}, false) ? windowedMixer(d) : "full"; // in every layer
    setLayers(d, layerTypesOr(d, [mixer](std::int64_t) { return mixer; }), qwenSparseLayers(d));
}

/// Qwen3-Next and Qwen3.5 on: three gated DeltaNet layers to one gated attention layer.
void readQwen3Next(Draft& d)
{
    ModelArchitecture& m = d.model;
    const bool next = d.modelType == "qwen3_next";
    m.attention.qkNorm = QkNorm::Head;
    classDefault(d, m.headDim, "head_dim", 256);
    if (next || d.keys.flag({"attn_output_gate"}, true))
        m.attention.gate = OutputGate::Element;
    m.linear.kind = LinearKind::GatedDeltaNet;
    m.linear.keyHeads = d.keys.required({"linear_num_key_heads"});
    m.linear.valueHeads = d.keys.required({"linear_num_value_heads"});
    m.linear.keyDim = d.keys.required({"linear_key_head_dim"});
    m.linear.valueDim = d.keys.required({"linear_value_head_dim"});
    m.linear.conv = d.keys.required({"linear_conv_kernel_dim"});
    m.linear.stateType = stateTypeOr(d, StateType::Unstated);
    const std::int64_t interval = d.keys.size({"full_attention_interval"}, 4);
    const MixerOf mixer =
        layerTypesOr(d, [interval](std::int64_t i) { return (i + 1) % interval == 0 ? "full" : "linear"; });
    const bool mixture = next || d.modelType.starts_with("qwen3_5_moe");
    const bool moe = (mixture ? statedCount(d, {"num_experts", "num_local_experts"}) : 0) > 0;
    if (moe)
        readSharedGatedExperts(d);
    setLayers(d, mixer, moe ? qwenSparseLayers(d) : allMlp(MlpKind::Dense));
    // Qwen3-Next's checkpoint stores one prediction layer that its config.json does not name.
    if (const std::int64_t layers = d.keys.count({"mtp_num_hidden_layers"}, next ? 1 : 0); layers > 0)
        m.mtp.emplace().layers = layers;
}

constexpr Family qwenRows[] = {
    {"qwen", "Qwen", TiedDefault::No, readQwen1},
    {"qwen2", "Qwen", TiedDefault::No, readQwen2},
    {"qwen2_vl", "Qwen", TiedDefault::No, readQwen2},
    {"qwen2_vl_text", "Qwen", TiedDefault::No, readQwen2},
    {"qwen2_5_vl", "Qwen", TiedDefault::No, readQwen2},
    {"qwen2_5_vl_text", "Qwen", TiedDefault::No, readQwen2},
    {"qwen2_5_omni_text", "Qwen", TiedDefault::No, readQwen2},
    {"qwen2_5_omni_thinker", "Qwen", TiedDefault::No, readQwen2}, // whose language part names no type, as below
    {"qwen2_5_omni", "Qwen", TiedDefault::No, readQwen2},
    {"mimo", "MiMo", TiedDefault::No, readMiMo},
    {"molmo", "Molmo", TiedDefault::No, readMolmo},
    {"dots_ocr", "dots", TiedDefault::No, readQwen2},
    {"qwen2_moe", "Qwen", TiedDefault::No, readQwen2Moe},
    {"qwen3", "Qwen", TiedDefault::No, readQwen3},
    {"qwen3_vl", "Qwen", TiedDefault::No, readQwen3},
    {"qwen3_vl_text", "Qwen", TiedDefault::No, readQwen3},
    {"qwen3_moe", "Qwen", TiedDefault::No, readQwen3Moe, everything},
    {"qwen3_vl_moe", "Qwen", TiedDefault::No, readQwen3Moe, everything},
    {"qwen3_vl_moe_text", "Qwen", TiedDefault::No, readQwen3Moe, everything},
    {"qwen3_omni_moe_text", "Qwen", TiedDefault::No, readQwen3Moe, everything},
    {"qwen3_omni_moe_thinker", "Qwen", TiedDefault::No, readQwen3Moe, everything},
    {"qwen3_omni_moe", "Qwen", TiedDefault::No, readQwen3Moe, everything},
    {"qwen3_next", "Qwen", TiedDefault::No, readQwen3Next, noEmbeddings},
    {"qwen3_5", "Qwen", TiedDefault::No, readQwen3Next},
    {"qwen3_5_text", "Qwen", TiedDefault::No, readQwen3Next},
    {"qwen3_5_moe", "Qwen", TiedDefault::No, readQwen3Next},
    {"qwen3_5_moe_text", "Qwen", TiedDefault::No, readQwen3Next},
};

} // namespace

std::span<const Family> qwenFamilies()
{
    return qwenRows;
}

} // namespace headroom::hf
