// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf_quantization.hpp"
#include "core/facts/catalog_facts.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom
{
namespace
{

using ModelRow = FactRow<ModelEntry>;
using Number = std::optional<double>;

constexpr std::string_view ofModel = "Model", size = "Parameters", shape = "Shape", experts = "Experts",
                           stored = "Storage";

Number known(std::int64_t value)
{
    return value > 0 ? Number(static_cast<double>(value)) : std::nullopt;
}

bool hasLayer(const ModelArchitecture& m, std::string_view mixer)
{
    return std::ranges::any_of(m.schedule, [&](const LayerRun& run) {
        return std::ranges::any_of(run.segments,
                                   [&](const LayerSegment& segment) { return segment.mixer.starts_with(mixer); });
    });
}

std::string attentionName(const AttentionShape& a)
{
    switch (a.kind) {
    case AttentionKind::Mha:
        return "MHA";
    case AttentionKind::Mqa:
        return "MQA";
    case AttentionKind::Mla:
        return "MLA";
    case AttentionKind::Dsv4:
        return said("compressed");
    case AttentionKind::None:
        return said("none");
    case AttentionKind::Gqa:
        break;
    }
    return a.kvHeads == a.heads ? "MHA" : a.kvHeads == 1 ? "MQA" : "GQA";
}

/// "GQA + window", "MLA + indexer", "GQA + linear".
std::string attentionText(const ModelEntry& e)
{
    const ModelArchitecture& m = *e.model;
    std::string text = attentionName(m.attention);
    if (m.sliding.window > 0 && hasLayer(m, m.sliding.chunked ? "chunked" : "sliding"))
        text += " + " + (m.sliding.chunked ? said("chunks") : said("window"));
    if (hasLayer(m, "linear"))
        text += " + " + said("linear");
    if (hasLayer(m, "mamba"))
        text += " + Mamba";
    if (hasLayer(m, "cross"))
        text += " + " + said("cross");
    if (m.indexer)
        text += " + " + said("indexer");
    return text;
}

std::string quantizationText(const ModelEntry& e)
{
    const ModelArchitecture& m = *e.model;
    if (!m.quantization)
        return m.dataType;
    std::string text = m.quantization->method;
    if (!m.quantization->algorithm.empty())
        text += " " + m.quantization->algorithm;
    const double bits = storedBitsPerWeight(*m.quantization);
    return bits > 0 ? say("{}, {} bits", text, withLocalMark(fmt::format("{:.4g}", bits))) : text;
}

const std::vector<ModelRow>& modelRows()
{
    static const std::vector<ModelRow> rows{
        ModelRow::words("family", ofModel, "Family", "Family", "", [](const ModelEntry& e) { return e.model->family; }),
        ModelRow::words(
            "year", ofModel, "Year", "Year", "",
            [](const ModelEntry& e) { return e.model->year > 0 ? std::to_string(e.model->year) : std::string(); }),
        ModelRow::words("type", ofModel, "Model type", "", "", [](const ModelEntry& e) { return e.model->modelType; }),
        {"total", size, "All", "Parameters", "", ValueFormat::Parameters, FactOrder::None,
         [](const ModelEntry& e) { return Number(e.counts.total); }},
        {"active", size, "Active per token", "Active", "", ValueFormat::Parameters, FactOrder::None,
         [](const ModelEntry& e) { return Number(e.counts.active); }},
        {"active-no-embedding", size, "Active, input embedding left out", "", "", ValueFormat::Parameters,
         FactOrder::None, [](const ModelEntry& e) { return Number(e.counts.activeNoInputEmbedding); }},
        {"active-no-embeddings", size, "Active, embedding and head left out", "", "", ValueFormat::Parameters,
         FactOrder::None,
         [](const ModelEntry& e) {
             return e.model->moe.experts > 0 ? Number(e.counts.active - e.counts.embedding - e.counts.lmHead)
                                             : std::nullopt;
         }},
        {"non-embedding", size, "Without embedding and head", "", "", ValueFormat::Parameters, FactOrder::None,
         [](const ModelEntry& e) { return Number(e.counts.nonEmbedding); }},
        {"mtp", size, "Multi-token prediction, besides", "", "", ValueFormat::Parameters, FactOrder::None,
         [](const ModelEntry& e) { return e.counts.mtp > 0 ? Number(e.counts.mtp) : std::nullopt; }},
        {"layers", shape, "Layers", "Layers", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->layers); }},
        {"hidden", shape, "Hidden width", "Hidden", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->hidden); }},
        {"heads", shape, "Heads", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->heads); }},
        {"kv-heads", shape, "Key/value heads", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->kvHeads); }},
        {"head-dim", shape, "Head width", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->headDim); }},
        ModelRow::words("attention", shape, "Attention", "Attention", "", attentionText),
        {"window", shape, "Window", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->sliding.window); }},
        {"ffn", shape, "Feed-forward width", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->ffn); }},
        {"vocab", shape, "Vocabulary", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->vocab); }},
        ModelRow::words(
            "tied", shape, "Output head", "", "",
            [](const ModelEntry& e) { return e.model->tied ? said("tied to the embedding") : said("its own"); }),
        {"context", shape, "Longest context", "Context", "", ValueFormat::Integer, FactOrder::More,
         [](const ModelEntry& e) { return known(e.model->maxContext); }},
        {"experts", experts, "Experts", "Experts", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->moe.experts); }},
        {"top-k", experts, "Used per token", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->moe.topK); }},
        {"expert-ffn", experts, "Expert width", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->moe.ffn); }},
        {"shared-ffn", experts, "Shared width", "", "", ValueFormat::Integer, FactOrder::None,
         [](const ModelEntry& e) { return known(e.model->moe.sharedFfn); }},
        ModelRow::words("stored", stored, "Checkpoint stored as", "", "", quantizationText),
        {"weights", stored, "Weights, 16 bit", "", "", ValueFormat::Bytes, FactOrder::Less,
         [](const ModelEntry& e) { return Number(2 * e.counts.total); }},
        {"cache", stored, "Cache of 32k tokens, 16 bit", "Cache 32k", "", ValueFormat::Bytes, FactOrder::Less,
         [](const ModelEntry& e) { return e.cacheBytes > 0 ? Number(e.cacheBytes) : std::nullopt; }},
    };
    return rows;
}

} // namespace

ModelEntry modelEntry(std::shared_ptr<const ModelArchitecture> model)
{
    const ModelProfile profile = compileModel(*model);
    constexpr double bytes = 2;
    return {std::move(model), profile.parameters,
            inference::sequenceCacheBytes(profile, factContext, {bytes, bytes}, 1)};
}

std::span<const FactRow<ModelEntry>> modelFacts()
{
    return modelRows();
}

} // namespace headroom
