// SPDX-License-Identifier: GPL-3.0-or-later
// A count that looks right and is not is worse than none: what a file says and nobody counts is a reason to refuse it.
#include "core/catalog/hf/evidence.hpp"
#include "core/catalog/hf/beside.hpp"
#include "core/catalog/hf/per_layer.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>

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

/// Whether one of the words of a key, between underscores, is among `words`.
bool hasWord(std::string_view key, std::span<const std::string_view> words)
{
    for (std::size_t from = 0; from <= key.size();) {
        const std::size_t to = std::min(key.find('_', from), key.size());
        if (std::ranges::find(words, key.substr(from, to - from)) != words.end())
            return true;
        from = to + 1;
    }
    return false;
}

bool hasWord(std::string_view key, std::initializer_list<std::string_view> words)
{
    return hasWord(key, std::span(words.begin(), words.size()));
}

/// A key that names a part which a Llama does not have.
bool namesForeignPart(std::string_view key)
{
    static constexpr std::string_view words[] = {
        "expert",    "experts",     "moe",     "mamba", "mamba2", "ssm",       "conv",   "conv1d",  "linear",
        "recurrent", "rwkv",        "wkv",     "lru",   "rglru",  "retention", "delta",  "kda",     "gla",
        "state",     "hybrid",      "lora",    "rank",  "expand", "altup",     "laurel", "cross",   "shared",
        "compress",  "compression", "indexer", "hyper", "hc",     "latent",    "sparse", "encoder", "ngram"};
    return hasWord(key, words);
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

/// Heads or groups of keys and values in a word that is not known: "num_kv_groups", "attn_config/kv_n_heads". Their
/// widths say nothing of how many there are.
bool countsKvHeads(const Draft& d, std::string_view key)
{
    return hasWord(key, {"kv", "query", "key", "value"}) && hasWord(key, {"head", "heads", "group", "groups"}) &&
           !hasWord(key, {"dim", "dims", "size", "norm", "channels"}) && !statesKvHeads(d.keys);
}

/// Lower case, letters and digits alone: "relu_squared", "ReLU^2", "SquaredReLU".
std::string plainName(std::string_view name)
{
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

/// Keys whose value names the kind of a part, with words of the kinds that a Llama has.
bool namesForeignKind(const Draft& d, std::string_view key, const nlohmann::json& value)
{
    struct Row {
        std::string_view key;
        std::initializer_list<std::string_view> words;
    };
    static const Row rows[] = {{"norm_type", {"rms"}},
                               {"mlp_type", {"glu", "gated", "silu", "swish", "llama", "default"}},
                               {"position_embedding_type", {"rope", "rotary"}},
                               {"attention_type",
                                {"full", "softmax", "causal", "self", "global", "dot", "multihead", "mha", "flash",
                                 "sdpa", "eager", "default", "standard", "llama"}}};
    const auto* const row = std::ranges::find(rows, key, &Row::key);
    if (row == std::end(rows) || !value.is_string())
        return false;
    const std::string name = plainName(value.get<std::string>());
    const auto in = [&name](std::string_view word) { return name.find(word) != std::string::npos; };
    const bool grouped = key == "attention_type" && (in("gqa") || in("grouped") || in("mqa") || in("multiquery"));
    return std::ranges::none_of(row->words, in) && !(grouped && statesKvHeads(d.keys));
}

/// A Llama's feed-forward is gated; models with these activations have two matrices as a rule.
bool isPlainActivation(std::string_view name)
{
    static constexpr std::string_view names[] = {"gelu",        "gelunew", "gelufast", "gelupython",
                                                 "quickgelu",   "relu",    "relu2",    "relusquared",
                                                 "squaredrelu", "sqrelu",  "relusq",   "xielu"};
    return std::ranges::find(names, plainName(name)) != std::end(names);
}

/// Keys of activations: readCommonFacts() has them, and nested objects of feed-forwards.
bool namesActivation(std::string_view key)
{
    static constexpr std::string_view names[] = {"hidden_act", "hidden_activation", "activation_function",
                                                 "activation", "mlp_hidden_act",    "ff_activation",
                                                 "act_fn",     "ffn_act_fn",        "mlp_activation"};
    return std::ranges::find(names, key) != std::end(names);
}

/// Which layers see a window, in other words than sliding_window_pattern and layer_types.
bool placesWindows(const Draft& d, std::string_view key)
{
    static constexpr std::string_view known[] = {"sliding_window", "sliding_window_size", "window_size",
                                                 "use_sliding_window", "sliding_window_pattern"};
    if (d.keys.has("layer_types") || std::ranges::find(known, key) != std::end(known) || hasWord(key, {"rope"}))
        return false;
    if (key == "max_window_layers") // Qwen's: nothing without a window
        return windowedMixer(d) != "full";
    return hasWord(key, {"global", "local", "window", "windows", "swa", "sliding", "pattern"}) ||
           (hasWord(key, {"full"}) && hasWord(key, {"attention", "attn"}));
}

/// What multiplies or shares layers: a number above 1, or a word.
std::string foreignReuse(const Draft& d, std::string_view key, const nlohmann::json& value)
{
    if (value.is_number() && value.get<double>() <= 1)
        return {};
    if (hasWord(key, {"loop", "loops", "ut"}))
        return said("says that layers run several times over");
    const bool off = key != "use_cla" && d.keys.has("use_cla") && !d.keys.flag({"use_cla"}, false);
    if (hasWord(key, {"sharing"}) || (hasWord(key, {"cla"}) && !off))
        return said("says that layers share keys and values");
    return {};
}

/// "gated_mlp": false
bool saysUngated(std::string_view key, const nlohmann::json& value)
{
    return value == false && hasWord(key, {"gated", "glu", "swiglu"}) && !hasWord(key, {"attention", "attn"});
}

/// What is no Llama's in a key and its value; empty where nothing is.
std::string foreignIn(const Draft& d, const std::string& key, const nlohmann::json& value)
{
    if (saysUngated(key, value))
        return said("says that the feed-forward has no gate");
    if (!saysSomething(value))
        return {};
    if (namesForeignPart(key) || key == "hidden_size_per_layer_input") // Gemma's vectors for each layer
        return said("names a part that a Llama does not have");
    if (namesLayerNorm(key))
        return said("is of models with LayerNorm, as GPT-2 has it");
    if (namesForeignKind(d, key, value))
        return say("is {}, which a Llama does not have", shown(value));
    if (countsKvHeads(d, key))
        return said("counts key-value heads in a way that is not known here");
    if (differsByLayer(value, d.model.layers))
        return said("has another value from layer to layer");
    if (placesWindows(d, key))
        return said("says which layers see a window, in a way that is not known here");
    if (std::string why = foreignReuse(d, key, value); !why.empty())
        return why;
    if (namesActivation(key)) {
        const nlohmann::json& name = value.is_object() && value.contains("name") ? value["name"] : value;
        if (name.is_string() && isPlainActivation(name.get<std::string>()))
            return said("names an activation without a gate");
    }
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

namespace
{

/// Objects that say nothing of layers: other parts of the model, positions, formats, what transformers keeps.
bool isApart(std::string_view key)
{
    static constexpr std::string_view names[] = {
        "quantization_config",  "compression_config", "quantization", "rope_scaling",
        "rope_parameters",      "auto_map",           "id2label",     "label2id",
        "task_specific_params", "generation_config",  "token_info"};
    return std::ranges::find(names, key) != std::end(names) || std::ranges::find(towerKeys, key) != std::end(towerKeys);
}

/// A key, or one within its object, of which foreignIn() says something: its path and why.
std::pair<std::string, std::string> foreignWithin(const Draft& d, const std::string& path, const std::string& key,
                                                  const nlohmann::json& value)
{
    if (std::string why = foreignIn(d, key, value); !why.empty())
        return {path + key, std::move(why)};
    if (value.is_object() && !isApart(key))
        for (const auto& [inner, member] : value.items())
            if (auto found = foreignWithin(d, path + key + "/", inner, member); !found.first.empty())
                return found;
    return {};
}

} // namespace

bool looksLikeLlama(const Draft& d)
{
    for (const std::string& key : d.keys.names()) {
        const auto* value = d.keys.find(key);
        const auto [path, why] =
            value == nullptr ? std::pair<std::string, std::string>() : foreignWithin(d, {}, key, *value);
        if (path.empty())
            continue;
        d.keys.problem("unsupported-model", path, say("the key {} {}", printable(path), why),
                       said("describe the model as an object in a scenario or in the catalogue's folder "
                            "(docs/catalog_format.md), or give the "
                            "model_type of the family that it is built like"));
        return false;
    }
    return true;
}

} // namespace headroom::hf
