// SPDX-License-Identifier: GPL-3.0-or-later
// A count that looks right and is not is worse than none: what a file says and nobody counts is a reason to refuse it.
#include "core/catalog/hf/evidence.hpp"
#include "core/catalog/hf/per_layer.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

/// Neither null nor one of the ways to write "none".
bool saysSomething(const nlohmann::json& value)
{
    if (value.is_null() || value.empty())
        return false;
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0;
    const auto* text = value.get_ptr<const std::string*>();
    return text == nullptr || !(text->empty() || *text == "none" || *text == "None");
}

/// The whole number of a key; 0 where it is none.
double numberOf(const ConfigKeys& keys, std::string_view name)
{
    const auto* value = keys.find(name);
    return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

bool anyLayer(const Draft& d, std::string_view begins)
{
    return std::ranges::any_of(d.layers, [begins](const LayerEntry& l) { return l.mixer.starts_with(begins); });
}

/// Words of a key, between underscores, that name a part which a Llama does not have.
bool namesForeignPart(std::string_view key)
{
    static constexpr std::string_view words[] = {
        "expert",    "experts",     "moe",     "mamba", "mamba2", "ssm",       "conv",   "conv1d",  "linear",
        "recurrent", "rwkv",        "wkv",     "lru",   "rglru",  "retention", "delta",  "kda",     "gla",
        "state",     "hybrid",      "lora",    "rank",  "expand", "altup",     "laurel", "cross",   "shared",
        "compress",  "compression", "indexer", "hyper", "hc",     "latent",    "sparse", "encoder", "ngram"};
    for (std::size_t from = 0; from <= key.size();) {
        const std::size_t to = std::min(key.find('_', from), key.size());
        if (std::ranges::find(words, key.substr(from, to - from)) != std::end(words))
            return true;
        from = to + 1;
    }
    return false;
}

/// Keys whose value alone says that a layer is not a Llama's.
bool namesLayerNorm(std::string_view key)
{
    static constexpr std::string_view names[] = {
        "layer_norm_eps", "layer_norm_epsilon", "layernorm_epsilon", "norm_epsilon", "n_embd", "n_positions"};
    return std::ranges::find(names, key) != std::end(names);
}

/// One number for each layer, not all the same.
bool differsByLayer(const nlohmann::json& value, std::int64_t layers)
{
    constexpr std::int64_t few = 4; // short lists are token ids and the like
    if (!value.is_array() || layers <= few || static_cast<std::int64_t>(value.size()) != layers)
        return false;
    const bool numbers = std::ranges::all_of(value, [](const auto& x) { return x.is_number(); });
    return numbers && std::ranges::any_of(value, [&](const auto& x) { return x != value.front(); });
}

/// A Llama's feed-forward is gated; models with these activations have two matrices as a rule.
bool isPlainActivation(std::string_view name)
{
    static constexpr std::string_view names[] = {"gelu",       "gelu_new", "gelu_fast", "gelu_python",
                                                 "quick_gelu", "relu",     "relu2",     "xielu"};
    return std::ranges::find(names, name) != std::end(names);
}

/// What is no Llama's in a key and its value; empty where nothing is.
std::string foreignIn(const Draft& d, const std::string& key, const nlohmann::json& value)
{
    if (!saysSomething(value))
        return {};
    if (namesForeignPart(key) || key == "hidden_size_per_layer_input") // Gemma's vectors for each layer
        return said("names a part that a Llama does not have");
    if (namesLayerNorm(key))
        return said("is of models with LayerNorm, as GPT-2 has it");
    if (differsByLayer(value, d.model.layers))
        return said("has another value from layer to layer");
    if (key == "layer_types" && value.is_array())
        for (const auto& type : value)
            if (type != "full_attention" && type != "attention" && type != "sliding_attention")
                return said("names layers that are not a Llama's attention");
    return {};
}

} // namespace

void refuseWhatIsNotCounted(const Draft& d)
{
    const auto contradiction = [&](std::string_view key, std::string hint) {
        d.keys.problem("inconsistent", key,
                       say("{} is {}, and nothing else in the file says that the model has such a part", key,
                           shown(*d.keys.find(key))),
                       std::move(hint));
    };
    const auto* perLayer = d.keys.find(perLayerKey);
    if (perLayer != nullptr && !perLayer->empty() && !d.modelType.starts_with("gemma4"))
        return d.keys.problem("unsupported-model", perLayerKey,
                              said("layers with sizes of their own are not counted in this family"),
                              said("describe the model as an object in a scenario or in the catalogue's folder "
                                   "(docs/catalog_format.md)"));
    // Jamba writes one expert for none; a Nemotron-H without expert blocks carries its class's sizes of them.
    const bool mixture = d.model.moe.experts > 0 || d.modelType == "jamba" || d.modelType == "nemotron_h" ||
                         d.modelType.starts_with("llama4"); // whose list of expert layers may be empty
    for (const char* key :
         {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts", "num_experts_per_tok",
          "num_experts_per_token", "moe_top_k", "moe_topk", "top_k_experts", "moe_intermediate_size"})
        if (!mixture && numberOf(d.keys, key) > 1)
            return contradiction(
                key,
                said("give the number of experts (num_experts, num_local_experts or n_routed_experts), of those that "
                     "are chosen (num_experts_per_tok), and their width; a dense model's file has none of them"));
    const AttentionKind kind = d.model.attention.kind;
    if (kind != AttentionKind::Mla && kind != AttentionKind::Dsv4 && numberOf(d.keys, "kv_lora_rank") > 0 &&
        d.keys.flag({"use_mla"}, true))
        return contradiction("kv_lora_rank", said("latent attention is counted in families that are known to have it"));
    struct Row {
        std::string_view theirs, ours;
    };
    static constexpr Row rows[] = {{"sliding_attention", "sliding"},
                                   {"chunked_attention", "chunked"},
                                   {"linear_attention", "linear"},
                                   {"mamba", "mamba"}};
    const auto* types = d.keys.find("layer_types");
    if (types == nullptr || !types->is_array() || d.modelType == "nemotron_h")
        return;
    for (const Row& row : rows) {
        if (row.ours == "chunked" && d.keys.mentions("attention_chunk_size") && !d.keys.has("attention_chunk_size"))
            continue; // Llama 4's layer_types keep the word where there are no chunks
        const auto layer = std::ranges::find(*types, nlohmann::json(row.theirs));
        if (layer != types->end() && layer - types->begin() < d.model.layers && !anyLayer(d, row.ours))
            return d.keys.problem("inconsistent", fmt::format("layer_types/{}", layer - types->begin()),
                                  say("a layer of type {} is not counted in this family", row.theirs),
                                  said("other keys of the file say that all layers are of another type"));
    }
}

bool looksLikeLlama(const Draft& d)
{
    const auto refuse = [&](const std::string& key, const std::string& why) {
        d.keys.problem("unsupported-model", key, say("the key {} {}", printable(key), why),
                       said("describe the model as an object in a scenario or in the catalogue's folder "
                            "(docs/catalog_format.md), or give the "
                            "model_type of the family that it is built like"));
        return false;
    };
    for (const std::string& key : d.keys.names())
        if (const auto* value = d.keys.find(key); value != nullptr)
            if (const std::string why = foreignIn(d, key, *value); !why.empty())
                return refuse(key, why);
    for (const char* key : {"hidden_act", "hidden_activation", "activation_function"})
        if (const auto* value = d.keys.find(key); value != nullptr && value->is_string())
            if (isPlainActivation(value->get<std::string>()))
                return refuse(key, said("names an activation without a gate"));
    return true;
}

} // namespace headroom::hf
