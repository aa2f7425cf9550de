// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/per_layer.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace headroom::hf
{
namespace
{

/// "05" is 5; -1 where it is no layer of the model.
std::int64_t layerNumber(const std::string& name, std::int64_t layers)
{
    std::int64_t layer = -1;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, layer);
    return error == std::errc{} && stop == end && layer >= 0 && layer < layers ? layer : -1;
}

AttentionVariant variantOf(const ConfigKeys& layer)
{
    AttentionVariant variant;
    for (const std::string& key : layer.names())
        if (!layer.has(key))
            continue;
        else if (key == "head_dim")
            variant.headDim = layer.required({"head_dim"});
        else if (key == "num_key_value_heads")
            variant.kvHeads = layer.required({"num_key_value_heads"});
        else if (key == "num_attention_heads")
            variant.heads = layer.required({"num_attention_heads"});
        else
            layer.problem("unsupported-model", printable(key, 40),
                          said("a layer with such a value of its own cannot be counted"),
                          said("head_dim, num_key_value_heads and num_attention_heads can"));
    return variant;
}

} // namespace

std::optional<std::map<std::string, AttentionVariant>> readPerLayerConfig(const Draft& d, const MixerOf& kind)
{
    const ConfigKeys list = d.keys.object(perLayerKey);
    const std::vector<std::string> names = list.names();
    if (names.empty())
        return std::nullopt;
    std::map<std::int64_t, AttentionVariant> given;
    for (const std::string& name : names) {
        const std::int64_t layer = layerNumber(name, d.model.layers);
        if (layer < 0) {
            list.problem("inconsistent", printable(name, 40), said("the model has no such layer"),
                         say("layers are counted from 0 to {}", d.model.layers - 1));
            return std::nullopt;
        }
        given[layer] = variantOf(list.object(name));
    }
    std::map<std::string, AttentionVariant> kinds;
    for (std::int64_t i = 0; i < d.model.layers; ++i) {
        const auto own = given.find(i);
        const AttentionVariant here = own == given.end() ? AttentionVariant{} : own->second;
        if (const auto [same, isNew] = kinds.emplace(kind(i), here); !isNew && same->second != here) {
            d.keys.problem("unsupported-model", perLayerKey,
                           say("layer {} has other sizes than those before it of the same type", i),
                           said("layers of one type must have equal sizes to be counted"));
            return std::nullopt;
        }
    }
    return kinds;
}

} // namespace headroom::hf
