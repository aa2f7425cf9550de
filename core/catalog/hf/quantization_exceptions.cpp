// SPDX-License-Identifier: GPL-3.0-or-later
// Names of modules: "model.layers.3.self_attn*", "*.mlp.shared_expert.*", "re:.*mlp\\.(gate|up|down)_proj.*".
#include "core/catalog/hf/quantization_exceptions.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

namespace headroom::hf
{
namespace
{

using Words = std::initializer_list<std::string_view>;

bool holds(std::string_view text, Words words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// Without the signs of regular expressions and wildcards at its end: empty where a whole module is meant.
std::string_view withoutWildcard(std::string_view text)
{
    const auto end = text.find_last_not_of("*.$)?");
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

/// Whether `entry` names one of `modules` as a whole, or the one of its `matrices` that stands for it.
bool keeps(std::string_view entry, Words modules, Words matrices)
{
    return std::ranges::any_of(modules, [&](std::string_view module) {
        const auto at = entry.rfind(module);
        if (at == std::string_view::npos)
            return false;
        const std::string_view rest = withoutWildcard(entry.substr(at + module.size()));
        return rest.empty() || holds(rest, matrices);
    });
}

/// The layers that keep a part.
class Kept final
{
public:
    explicit Kept(std::int64_t layers) : m_layers(layers) {}

    /// `layer`: its number, -1 for all of them.
    void add(std::int64_t layer)
    {
        if (layer < 0)
            m_all = true;
        else if (layer < m_layers)
            m_named.insert(layer);
    }
    [[nodiscard]] bool most() const { return m_all || 2 * std::ssize(m_named) > m_layers; }

private:
    std::int64_t m_layers;
    bool m_all = false;
    std::set<std::int64_t> m_named;
};

/// The number after "layers."; -1 where there is none.
std::int64_t layerOf(std::string_view entry, std::string_view& rest)
{
    constexpr std::string_view word = "layers.";
    std::int64_t layer = -1;
    const auto at = entry.find(word);
    if (at == std::string_view::npos)
        return layer;
    const char* const end = entry.data() + entry.size();
    const auto [stop, error] = std::from_chars(entry.data() + at + word.size(), end, layer);
    if (error != std::errc())
        return -1;
    rest = {stop, static_cast<std::size_t>(end - stop)};
    return layer;
}

/// Of the lists, and of GPTQModel's dynamic, where "-:" before a pattern leaves out what it matches (vLLM, GPTQConfig).
std::vector<std::string> namedExceptions(const ConfigKeys& keys)
{
    std::vector<std::string> entries;
    for (const char* name : {"ignore", "exclude_modules", "modules_to_not_convert", "ignored_layers",
                             "llm_int8_skip_modules", "skip_modules", "exclude"})
        if (const nlohmann::json* const list = keys.find(name); list != nullptr && list->is_array())
            for (const nlohmann::json& item : *list)
                if (item.is_string())
                    entries.push_back(item.get<std::string>());
    constexpr std::string_view leftOut = "-:";
    if (const nlohmann::json* const dynamic = keys.find("dynamic"); dynamic != nullptr && dynamic->is_object())
        for (const auto& [pattern, entry] : dynamic->items())
            if (pattern.starts_with(leftOut))
                entries.push_back("re:" + pattern.substr(leftOut.size()));
    return entries;
}

/// "self_attn", "mlp.down_proj": a module within every layer, by its name alone.
bool isBareName(std::string_view entry)
{
    static constexpr std::string_view modules[] = {
        "attn",         "self_attn", "attention", "self_attention", "linear_attn",    "mixer", "mlp",
        "feed_forward", "ffn",       "experts",   "shared_expert",  "shared_experts", "moe",   "block_sparse_moe"};
    return std::ranges::find(modules, entry.substr(0, entry.find('.'))) != std::end(modules);
}

} // namespace

bool isBesideLanguage(std::string_view module)
{
    return holds(module,
                 {"vision", "visual", "audio", "image", "img_", "mtp", "projector", "merge", "connector", "aligner"});
}

void readExceptions(const ConfigKeys& keys, std::int64_t layers, Quantization& result)
{
    Kept attention(layers), dense(layers), experts(layers);
    for (std::string& entry : namedExceptions(keys)) {
        std::erase(entry, '\\');
        if (isBesideLanguage(entry))
            continue;
        std::string_view rest = entry;
        const std::int64_t layer = layerOf(entry, rest);
        const bool pattern = entry.starts_with("re:") || entry.find('*') != std::string::npos;
        if (layer < 0 && !pattern && !isBareName(entry))
            continue;
        const bool whole = layer >= 0 && withoutWildcard(rest).empty();
        const bool routed = rest.find("experts") != std::string_view::npos && !holds(rest, {"shared"});
        // The output projection is the largest matrix of most attentions; MLA's is more than half of it.
        if (whole || keeps(rest, {"attn", "attention", "mixer"}, {"o_proj", "out_proj"}))
            attention.add(layer);
        if (routed && keeps(rest, {"experts"}, {"down_proj"}))
            experts.add(layer);
        if (whole ||
            (!routed && keeps(rest, {"shared_experts", "shared_expert", "mlp", "ffn", "feed_forward"}, {"down"})))
            dense.add(layer);
    }
    result.attention = result.attention && !attention.most();
    result.dense = result.dense && !dense.most();
    result.experts = result.experts && !experts.most();
}

} // namespace headroom::hf
