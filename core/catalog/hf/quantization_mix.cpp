// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/quantization_mix.hpp"
#include "core/catalog/hf/quantization_exceptions.hpp"
#include "core/catalog/hf_quantization.hpp"
#include "core/model/model_profile.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

namespace headroom::hf
{

ModelParts modelParts(const ModelArchitecture& model)
{
    const ModelProfile profile = compileModel(model);
    ModelParts parts{model.layers};
    for (const LayerKind& kind : profile.kinds) {
        parts.attention += kind.count * kind.mixerWeights;
        parts.dense += kind.count * (kind.denseWeights + kind.sharedWeights);
        parts.experts += kind.count * double(kind.moe.experts) * kind.expertWeights;
        parts.attentionLayers += kind.mixerWeights > 0 ? kind.count : 0;
        parts.denseLayers += kind.denseWeights + kind.sharedWeights > 0 ? kind.count : 0;
        parts.expertLayers += kind.hasMoe ? kind.count : 0;
    }
    parts.head = profile.untiedHeadParameters;
    return parts;
}

namespace
{

enum Part : std::size_t { Attention, Dense, Experts, Head, partCount };
using PartNumbers = std::array<double, partCount>;

/// What the name of a module, or a pattern of names, covers.
struct Covered {
    std::array<bool, partCount> parts{};
    bool rest = false;                ///< whatever no other name covers: a class of modules
    std::vector<std::int64_t> layers; ///< empty: all of them
};

bool mentions(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// Cuts every `word` out of `text`; whether there was one.
bool cut(std::string& text, std::string_view word)
{
    const std::size_t before = text.size();
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
        text.erase(at, word.size());
    return text.size() < before;
}

/// The numbers after "layers.", of a pattern those in "(0|1|2)"; none where it means all layers.
std::vector<std::int64_t> layersIn(std::string_view name)
{
    constexpr std::string_view word = "layers.";
    std::vector<std::int64_t> layers;
    const std::size_t found = name.find(word);
    if (found == std::string_view::npos)
        return layers;
    const char *at = name.data() + found + word.size(), *const end = name.data() + name.size();
    at += at != end && *at == '(' ? 1 : 0;
    for (std::int64_t layer = 0;;) {
        const auto [stop, error] = std::from_chars(at, end, layer);
        if (error != std::errc() || layer < 0)
            return layers;
        layers.push_back(layer);
        if (stop == end || *stop != '|')
            return layers;
        at = stop + 1;
    }
}

Covered coveredBy(std::string name)
{
    Covered covered;
    std::erase(name, '\\');
    if (isBesideLanguage(name) || mentions(name, {"router"}) || name.ends_with(".gate"))
        return covered;
    const bool pattern = name.starts_with("re:") || name.find('*') != std::string::npos;
    const bool shared = cut(name, "shared_experts") || cut(name, "shared_expert");
    const bool routed = mentions(name, {"experts"}) || (!shared && mentions(name, {"moe"}));
    const bool forward = !routed && mentions(name, {"mlp", "ffn", "feed_forward", "gate_proj", "up_proj", "down_proj",
                                                    "(gate", "(up", "(down"});
    // "mlp.*" means the experts within, too; "mlp.(gate|up|down)_proj" the feed-forward of dense layers alone.
    const bool within = pattern && forward && !shared && !mentions(name, {"mlp.(", "mlp.gate", "mlp.up", "mlp.down"});
    covered.parts[Head] = mentions(name, {"lm_head"});
    covered.parts[Experts] = routed || within;
    covered.parts[Dense] = shared || forward;
    covered.parts[Attention] =
        mentions(name, {"attn", "attention", "mamba", "q_proj", "k_proj", "v_proj", "o_proj", "qkv"}) ||
        (mentions(name, {"mixer"}) && !shared && !routed);
    covered.layers = layersIn(name);
    covered.rest = std::ranges::none_of(covered.parts, [](bool part) { return part; });
    if (covered.rest && !covered.layers.empty()) { // whole layers
        covered.parts[Attention] = covered.parts[Dense] = covered.parts[Experts] = true;
        covered.rest = false;
    }
    return covered;
}

/// What a way names of each part: how many modules, a name without a layer's number standing for one in each, and in
/// which layers.
struct Named {
    PartNumbers modules{};
    std::array<std::set<std::int64_t>, partCount> layers;
    std::array<bool, partCount> everywhere{};
    bool rest = false;
};

void add(const StoredWay& way, std::int64_t layers, Named& named)
{
    for (const std::string& name : way.modules) {
        const Covered covered = coveredBy(name);
        named.rest = named.rest || covered.rest;
        for (std::size_t part = 0; part < partCount; ++part) {
            if (!covered.parts[part])
                continue;
            named.modules[part] += covered.layers.empty() ? double(layers) : double(covered.layers.size());
            named.layers[part].insert(covered.layers.begin(), covered.layers.end());
            named.everywhere[part] = named.everywhere[part] || covered.layers.empty();
        }
    }
}

/// Of each way the share of a part that it stores, 0 to 1. What names leave of a part belongs to the ways of classes.
std::vector<PartNumbers> sharesOf(std::span<const StoredWay> ways, const ModelParts& model)
{
    const PartNumbers layers{model.attentionLayers, model.denseLayers, model.expertLayers, 1};
    std::vector<Named> named(ways.size());
    Named all;
    double classes = 0;
    for (std::size_t way = 0; way < ways.size(); ++way) {
        add(ways[way], model.layers, named[way]);
        add(ways[way], model.layers, all);
        classes += named[way].rest ? 1 : 0;
    }
    std::vector<PartNumbers> shares(ways.size());
    for (std::size_t part = 0; part < partCount; ++part) {
        const bool whole = classes <= 0 || all.everywhere[part];
        const double covered = all.modules[part] <= 0 ? 0
                               : whole                ? 1
                                                      : double(all.layers[part].size()) / std::max(layers[part], 1.0);
        for (std::size_t way = 0; way < ways.size(); ++way) {
            if (all.modules[part] > 0)
                shares[way][part] = std::min(covered, 1.0) * named[way].modules[part] / all.modules[part];
            if (named[way].rest && part != Head) // which checkpoints keep in 16 bit as a rule
                shares[way][part] += std::max(1 - covered, 0.0) / classes;
        }
    }
    return shares;
}

} // namespace

void mixWays(std::span<const StoredWay> ways, const ModelParts& model, Quantization& result)
{
    const PartNumbers weights{model.attention, model.dense, model.experts, model.head};
    const std::vector<PartNumbers> shares = sharesOf(ways, model);
    PartNumbers bits{}, named{};
    std::size_t main = 0;
    double most = -1;
    for (std::size_t way = 0; way < ways.size(); ++way) {
        double stored = 0;
        for (std::size_t part = 0; part < partCount; ++part) {
            stored += weights[part] * shares[way][part];
            named[part] += shares[way][part];
            bits[part] += shares[way][part] * storedBitsPerWeight(ways[way].how);
        }
        if (stored > most) {
            most = stored;
            main = way;
        }
    }
    result = ways[main].how;
    const auto isApart = [&](std::size_t part) {
        return weights[part] > 0 && named[part] > 0 &&
               std::abs(bits[part] - storedBitsPerWeight(result)) > 1e-9; // a mean of equal bits is off by a rounding
    };
    result.attentionBits = isApart(Attention) ? bits[Attention] : 0;
    result.denseBits = isApart(Dense) ? bits[Dense] : 0;
    result.expertBits = isApart(Experts) ? bits[Experts] : 0;
    result.headBits = weights[Head] > 0 && named[Head] > 0 ? bits[Head] : 0;
    result.attention = weights[Attention] <= 0 || named[Attention] > 0;
    result.dense = weights[Dense] <= 0 || named[Dense] > 0;
    result.experts = weights[Experts] <= 0 || named[Experts] > 0;
}

} // namespace headroom::hf
