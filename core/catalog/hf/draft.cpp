// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/draft.hpp"
#include "core/catalog/architecture_names.hpp"
#include "core/catalog/count_words.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace headroom::hf
{

void Draft::warn(std::string name, std::string message, std::string hint)
{
    warnings.push_back({Severity::Warning,
                        "assumed",
                        fmt::format("{}/{}", keys.path(), name),
                        std::move(message),
                        std::move(hint),
                        {},
                        0});
}

namespace
{

/// The number that stands for every layer in the list; 0 where there is none.
std::int64_t kvHeadsOfAllLayers(const ConfigKeys& keys)
{
    const auto* list = keys.find(kvHeadsByLayer);
    const bool alike = list != nullptr && list->is_array() && !list->empty() &&
                       std::ranges::all_of(*list, [&](const auto& x) { return x == list->front(); });
    return alike ? keys.numbers(kvHeadsByLayer).front() : 0;
}

} // namespace

bool statesKvHeads(const ConfigKeys& keys)
{
    return std::ranges::any_of(kvHeadKeys, [&](std::string_view key) { return keys.has(key); }) ||
           kvHeadsOfAllLayers(keys) > 0;
}

void readCommonFacts(Draft& d)
{
    const ConfigKeys& keys = d.keys;
    ModelArchitecture& m = d.model;
    m.layers = keys.whole({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, layerCounts).value_or(0);
    m.hidden = keys.size({"hidden_size", "n_embd", "d_model", "n_embed", "dim", "model_dim"}, 0);
    m.heads = keys.count({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    m.kvHeads = keys.count(kvHeadKeys);
    if (m.kvHeads == 0 && m.heads > 0 && keys.whole(kvHeadKeys)) // a null is as many as heads, a 0 is none
        m.kvHeads = keys.required(kvHeadKeys);
    if (m.kvHeads == 0)
        m.kvHeads = kvHeadsOfAllLayers(keys);
    if (m.kvHeads == 0)
        m.kvHeads = m.heads;
    m.headDim =
        keys.count({"head_dim", "attention_head_dim", "kv_channels", "d_kv"}); // some files write 0 for "absent"
    m.ffn = keys.count({"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "d_ff"});
    m.vocab = keys.size({"padded_vocab_size", "vocab_size", "embedding_size"}, 0);
    m.maxContext = keys.size({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length",
                              "max_sequence_length", "max_seq_length", "model_max_length"},
                             0);
    m.activation = keys.text(
        {"hidden_act", "hidden_activation", "activation_function", "activation", "mlp_hidden_act", "ff_activation"});
    m.mlpBias = keys.flag({"mlp_bias"}, false);
    m.attention.qkvBias = m.attention.outBias = keys.flag({"attention_bias"}, false);
}

void readScaledContext(Draft& d)
{
    constexpr double largestFactor = 1e6;
    std::int64_t& context = d.model.maxContext;
    if (d.modelType.starts_with("gemma"))
        return;
    for (const char* name : {"rope_scaling", "rope_parameters"}) {
        const auto* given = d.keys.find(name);
        if (given == nullptr || !given->is_object()) // some files have a number there
            continue;
        const ConfigKeys rope = d.keys.object(name);
        const auto type = given->find(rope.has("rope_type") ? "rope_type" : "type");
        if (type == given->end() || (*type != "yarn" && *type != "linear" && *type != "dynamic"))
            continue;
        const auto original = rope.whole({"original_max_position_embeddings"});
        const double factor = rope.real({"factor"}, 1, 0, largestFactor);
        const double reached = factor * double(original ? *original : context);
        if (reached < double(sizes.high))
            context = std::max(context, static_cast<std::int64_t>(reached));
    }
}

void warnOfDefault(Draft& d, std::string_view name, std::int64_t standard)
{
    d.warn(std::string(name), say("{} is absent: the class default {} is used", name, standard));
}

void classDefault(Draft& d, std::int64_t& value, std::string_view name, std::int64_t standard)
{
    if (value != 0)
        return;
    value = standard;
    if (name != "head_dim" && d.keys.has(name)) { // where some files write 0 for "absent"
        d.keys.problem("out-of-range", name, say("{} is out of range", shown(*d.keys.find(name))),
                       say("use a whole number from {} to {}", sizes.low, sizes.high));
        return;
    }
    warnOfDefault(d, name, standard);
}

std::int64_t sizeOr(Draft& d, std::string_view name, std::int64_t standard)
{
    std::int64_t value = d.keys.size({name}, 0);
    classDefault(d, value, name, standard);
    return value;
}

std::string wordOr(const Draft& d, std::string_view name, std::string_view standard, Names known)
{
    std::string word = d.keys.text({name}, std::string(standard));
    if (std::ranges::find(known, std::string_view(word)) == known.end())
        d.keys.problem("out-of-range", name, say("'{}' is not known here", printable(word)),
                       say("known are {}", fmt::join(known, ", ")));
    return word;
}

std::int64_t statedCount(const Draft& d, Names names)
{
    if (std::ranges::none_of(names, [&](std::string_view name) { return d.keys.mentions(name); }))
        d.keys.missing(names, said("write 0 where the model has none: what its absence means differs between the "
                                   "classes of this family"));
    return d.keys.count(names);
}

StateType stateTypeOr(Draft& d, StateType ofClass)
{
    for (const std::string_view name : {"mamba_ssm_cache_dtype", "mamba_ssm_dtype"}) {
        const auto* given = d.keys.find(name);
        if (given == nullptr || shown(*given) == "\"auto\"")
            continue;
        const auto row = std::ranges::find_if(stateTypeNames, [&](const NamedValue<StateType>& known) {
            return known.value != StateType::Unstated && shown(*given) == '"' + std::string(known.id) + '"';
        });
        if (row != stateTypeNames.end())
            return row->value;
        d.warn(std::string(name), say("{} is {}: not a type known here", name, shown(*given)),
               said("states are kept in the type that the engine has for them"));
    }
    return ofClass;
}

std::int64_t times(std::int64_t a, std::int64_t b)
{
    constexpr std::int64_t limit = std::int64_t{1} << 53;
    return a != 0 && b > limit / a ? limit : a * b;
}

void setLayers(Draft& d, const std::string& mixer, MlpKind mlp)
{
    d.layers.assign(static_cast<std::size_t>(d.model.layers), LayerEntry{mixer, mlp});
}

void setLayers(Draft& d, const MixerOf& mixer, const MlpOf& mlp)
{
    d.layers.clear();
    for (std::int64_t i = 0; i < d.model.layers; ++i)
        d.layers.push_back({mixer(i), mlp(i)});
}

MlpOf allMlp(MlpKind kind)
{
    return [kind](std::int64_t) { return kind; };
}

namespace
{

template <typename T>
std::vector<T> longEnough(const Draft& d, std::string_view name, std::vector<T> list)
{
    const auto layers = static_cast<std::size_t>(d.model.layers);
    if (list.empty() || list.size() >= layers)
        return list;
    d.keys.problem("inconsistent", name,
                   say("{} has {} for {}", name, entriesText(std::ssize(list)), layersText(d.model.layers)),
                   said("give one entry per layer"));
    return {};
}

/// Our name of a layer type; empty where it is unknown.
std::string mixerName(const std::string& layerType)
{
    struct Row {
        std::string_view theirs, ours;
    };
    static constexpr Row rows[] = {
        {"full_attention", "full"},
        {"attention", "full"},
        {"sliding_attention", "sliding"},
        {"chunked_attention", "chunked"},
        {"linear_attention", "linear"},
        {"deepseek_sparse_attention", "full"}, // its indexer is counted by itself
        {"mamba", "mamba"},
    };
    for (const Row& row : rows)
        if (row.theirs == layerType)
            return std::string(row.ours);
    return {};
}

} // namespace

std::vector<std::int64_t> perLayerNumbers(const Draft& d, std::string_view name, Bounds bounds)
{
    return longEnough(d, name, d.keys.numbers(name, bounds));
}

std::vector<std::string> perLayerWords(const Draft& d, std::string_view name)
{
    return longEnough(d, name, d.keys.words(name));
}

MixerOf layerTypesOr(Draft& d, MixerOf otherwise)
{
    std::vector<std::string> mixers = perLayerWords(d, "layer_types");
    if (mixers.empty())
        return otherwise;
    for (std::size_t i = 0; i < mixers.size(); ++i) {
        std::string ours = mixerName(mixers[i]);
        if (ours.empty() && static_cast<std::int64_t>(i) < d.model.layers) {
            d.keys.problem("unsupported-model", fmt::format("layer_types/{}", i),
                           say("a layer of type '{}' cannot be counted", printable(mixers[i])),
                           said("known are full, sliding, chunked, linear and deepseek_sparse attention, and mamba"));
            return otherwise;
        }
        mixers[i] = std::move(ours);
    }
    return [mixers = std::move(mixers)](std::int64_t i) { return mixers[static_cast<std::size_t>(i)]; };
}

MixerOf windowLetters(const Draft& d, std::string letters)
{
    if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos) {
        d.keys.problem("out-of-range", "sliding_window_pattern", say("the pattern '{}' is unknown", printable(letters)),
                       said("use letters L (local) and G (global), for example LLLG"));
        letters = "G";
    }
    return [letters = std::move(letters)](std::int64_t i) {
        return letters[static_cast<std::size_t>(i) % letters.size()] == 'L' ? "sliding" : "full";
    };
}

std::string windowedMixer(const Draft& d)
{
    const std::int64_t window = d.keys.count(windowKeys);
    const bool used = window > 0 && d.keys.flag({"use_sliding_window"}, true);
    return used && (d.model.maxContext == 0 || window < d.model.maxContext) ? "sliding" : "full";
}

MlpOf qwenSparseLayers(Draft& d)
{
    const std::int64_t step = d.keys.size({"decoder_sparse_step"}, 1);
    const std::vector<std::int64_t> list = d.keys.numbers("mlp_only_layers");
    const std::set<std::int64_t> dense(list.begin(), list.end());
    return [step, dense](std::int64_t i) {
        return !dense.contains(i) && (i + 1) % step == 0 ? MlpKind::Moe : MlpKind::Dense;
    };
}

MlpOf deepseekSparseLayers(Draft& d)
{
    if (const std::vector<std::string> types = perLayerWords(d, "mlp_layer_types"); !types.empty())
        return [types](std::int64_t i) {
            return types[static_cast<std::size_t>(i)] == "dense" ? MlpKind::Dense : MlpKind::Moe;
        };
    const std::int64_t dense = statedCount(d, {"first_k_dense_replace"});
    const std::int64_t every = d.keys.size({"moe_layer_freq"}, 1);
    return [dense, every](std::int64_t i) { return i >= dense && i % every == 0 ? MlpKind::Moe : MlpKind::Dense; };
}

void checkChosenExperts(const Draft& d, std::string_view name)
{
    const MoeShape& moe = d.model.moe;
    if (moe.topK > moe.experts)
        d.keys.problem("inconsistent", name, say("{} experts are chosen of {}", moe.topK, moe.experts),
                       said("a token can be sent to each expert once at most"));
}

void readExperts(Draft& d, Names experts, Names topK, std::int64_t ffn)
{
    MoeShape& moe = d.model.moe;
    moe.experts = d.keys.required(experts);
    moe.topK = d.keys.required(topK);
    moe.ffn = ffn > 0 ? ffn : d.keys.required({"moe_intermediate_size"});
    checkChosenExperts(d, *topK.begin());
}

void readSharedExperts(Draft& d, Names number)
{
    d.model.moe.sharedFfn = times(statedCount(d, number), d.model.moe.ffn);
}

void setBiases(Draft& d, bool qkv, bool out)
{
    d.model.attention.qkvBias = qkv;
    d.model.attention.outBias = out;
}

void setGptStyle(Draft& d)
{
    d.model.gated = false;
    d.model.norm = NormKind::LayerNorm;
    d.model.mlpBias = true;
    setBiases(d, true, true);
}

} // namespace headroom::hf
