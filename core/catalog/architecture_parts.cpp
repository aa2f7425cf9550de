// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_parts.hpp"

#include "core/catalog/architecture_names.hpp"
#include "core/support/json_reader.hpp"
#include "core/support/say.hpp"
#include "core/support/utf8.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom
{
namespace
{

/// The object at a key; null where there is none.
const nlohmann::json* statedPart(const nlohmann::json& object, std::string_view key)
{
    const auto part = object.is_object() ? object.find(key) : object.end();
    return part != object.end() && part->is_object() ? &*part : nullptr;
}

const nlohmann::json* statedAttention(const nlohmann::json& object, std::string_view key)
{
    const nlohmann::json* const attention = statedPart(object, "attention");
    return attention != nullptr ? statedPart(*attention, key) : nullptr;
}

/// What layers there are, those of multi-token prediction too.
struct Layers {
    std::vector<std::string_view> mixers;
    bool experts = false;
};

Layers layersOf(const ModelArchitecture& m)
{
    Layers found;
    const auto add = [&found](std::string_view mixer, MlpKind mlp) {
        found.mixers.push_back(mixer);
        found.experts = found.experts || mlp == MlpKind::Moe || mlp == MlpKind::DenseAndMoe;
    };
    for (const LayerRun& run : m.schedule)
        for (const LayerSegment& segment : run.segments)
            add(segment.mixer, segment.mlp);
    if (m.mtp) {
        add(m.mtp->mixer, m.mtp->mlp.value_or(MlpKind::None));
        for (const auto& [mixer, mlp] : m.mtp->pattern)
            add(mixer, mlp);
    }
    return found;
}

bool hasWindow(const ModelArchitecture& m, const Layers& layers)
{
    return m.attention.kind == AttentionKind::Dsv4 || std::ranges::any_of(layers.mixers, [](std::string_view mixer) {
               return mixer.starts_with("sliding") || mixer.starts_with("chunked");
           });
}

} // namespace

void takeStatedParts(const nlohmann::json& object, ModelArchitecture& m)
{
    const Layers layers = layersOf(m);
    if (statedAttention(object, "mla") != nullptr && !statedPart(object, "attention")->contains("kind"))
        m.attention.kind = AttentionKind::Mla;
    if (object.contains("schedule") || !m.customBlocks.empty())
        return;
    const bool experts = statedPart(object, "moe") != nullptr && m.moe.experts > 0 && !layers.experts;
    const bool window = statedPart(object, "sliding") != nullptr && m.sliding.window > 0 && !hasWindow(m, layers);
    for (LayerRun& run : m.schedule)
        for (LayerSegment& segment : run.segments) {
            if (experts && segment.mlp != MlpKind::None)
                segment.mlp = MlpKind::Moe;
            if (window && segment.mixer == "full")
                segment.mixer = m.sliding.chunked ? "chunked" : "sliding";
        }
}

void checkStatedParts(const nlohmann::json& object, const ModelArchitecture& m, const std::string& path,
                      Diagnostics& diagnostics)
{
    const Layers layers = layersOf(m);
    const auto has = [&layers](std::string_view mixer) {
        return std::ranges::find(layers.mixers, mixer) != layers.mixers.end();
    };
    const auto refuse = [&](std::string part, std::string example) {
        addDiagnostic(diagnostics, "contradiction", std::move(part), said("no layer has this part"),
                      say("leave it out, or give it to layers of the schedule: {}", example));
    };
    const auto inert = [&](const char* part, AttentionKind kind) {
        if (statedAttention(object, part) != nullptr && m.attention.kind != kind)
            addDiagnostic(diagnostics, "contradiction", childPath(childPath(path, "attention"), part),
                          say("has no effect: the kind of attention is '{}'", nameOf(attentionNames, m.attention.kind)),
                          say("leave it out, or write \"kind\": \"{}\"", part));
    };
    inert("mla", AttentionKind::Mla);
    inert("dsv4", AttentionKind::Dsv4);
    if (statedPart(object, "moe") != nullptr && m.moe.experts == 0)
        addDiagnostic(diagnostics, "missing-key", childPath(path, "moe"),
                      said("'experts', 'top_k' and 'ffn' go together"));
    else if (statedPart(object, "moe") != nullptr && !layers.experts)
        refuse(childPath(path, "moe"), R"([32, "full", "moe"])");
    if (statedPart(object, "sliding") != nullptr && m.sliding.window == 0)
        addDiagnostic(diagnostics, "missing-key", childPath(path, "sliding"),
                      said("'window' is missing: how many tokens a layer sees"));
    else if (statedPart(object, "sliding") != nullptr && !hasWindow(m, layers))
        refuse(childPath(path, "sliding"),
               m.sliding.chunked ? R"([32, "chunked", "dense"])" : R"([32, "sliding", "dense"])");
    if (statedPart(object, "linear") != nullptr && !has("linear"))
        refuse(childPath(path, "linear"), R"([32, "linear", "dense"])");
    if (statedPart(object, "mamba") != nullptr && !has("mamba"))
        refuse(childPath(path, "mamba"), R"([32, "mamba", "dense"])");
    if (const nlohmann::json* const variants = statedPart(object, "attention_variants"))
        for (const auto& [mixer, variant] : variants->items())
            if (!has(mixer))
                refuse(childPath(childPath(path, "attention_variants"), mixer),
                       "[32, \"" + printable(mixer) + "\", \"dense\"]");
}

} // namespace headroom
