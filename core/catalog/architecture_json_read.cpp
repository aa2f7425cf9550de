// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_json.hpp"

#include "core/catalog/architecture_check.hpp"
#include "core/catalog/architecture_names.hpp"
#include "core/catalog/architecture_shapes_json.hpp"
#include "core/support/say.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

void readPublished(ObjectReader& r, ModelArchitecture& m)
{
    m.published.clear();
    r.objects("published", [&](ObjectReader& child) {
        PublishedCount p;
        child.string("what", p.what, Presence::Required);
        child.string("kind", p.kind, Presence::Required);
        child.number("value", p.value, NumberRange::positive(), Presence::Required);
        child.number("unit", p.unit, NumberRange::positive());
        child.string("basis", p.basis, Presence::Required);
        child.string("source", p.source, Presence::Required);
        child.string("cause", p.cause);
        m.published.push_back(std::move(p));
    });
}

std::optional<LayerSegment> segmentOf(const Json& entry)
{
    if (!entry.is_array() || entry.size() != 3 || !entry[0].is_number_integer() || !entry[1].is_string())
        return std::nullopt;
    const auto count = entry[0].get<std::int64_t>();
    const auto mlp = mlpNamed(entry[2]);
    if (!mlp || count < 1 || count > mostLayers)
        return std::nullopt;
    return LayerSegment{count, entry[1].get<std::string>(), *mlp};
}

std::optional<LayerRun> runOf(const Json& entry)
{
    if (const auto segment = segmentOf(entry))
        return LayerRun{1, {*segment}};
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_integer() || !entry[1].is_array())
        return std::nullopt;
    LayerRun run;
    run.repeat = entry[0].get<std::int64_t>();
    for (const Json& element : entry[1]) {
        const auto segment = segmentOf(element);
        if (!segment)
            return std::nullopt;
        run.segments.push_back(*segment);
    }
    return run.repeat < 1 || run.repeat > mostLayers || run.segments.empty() ? std::nullopt : std::optional(run);
}

void readSchedule(ObjectReader& r, ModelArchitecture& m)
{
    const Json* schedule = r.value("schedule");
    if (schedule == nullptr)
        return;
    if (!schedule->is_array()) {
        r.wrongType("schedule", *schedule, said("an array"));
        return;
    }
    std::vector<LayerRun> runs;
    for (const Json& entry : *schedule) {
        auto run = runOf(entry);
        if (!run) {
            addDiagnostic(r.diagnostics(), "wrong-type", childPath(r.pathOf("schedule"), std::to_string(runs.size())),
                          said("must be [count, mixer, feed-forward] or [repeat, [such entries]]"),
                          said("[32, \"full\", \"dense\"]; feed-forward is none, dense, dense2, moe or dense+moe"));
            return;
        }
        runs.push_back(std::move(*run));
    }
    m.schedule = std::move(runs);
}

void readCustomBlocks(ObjectReader& r, ModelArchitecture& m)
{
    const Json* blocks = r.value("custom_blocks");
    if (blocks == nullptr)
        return;
    m.customBlocks.clear();
    for (const Json& block : *blocks) {
        const bool pair = block.is_array() && block.size() == 2 && block[0].is_string() && block[1].is_number_integer();
        const std::int64_t width = pair ? block[1].get<std::int64_t>() : -1;
        if (width < 0 || width > mostSize) {
            addDiagnostic(r.diagnostics(), "wrong-type",
                          childPath(r.pathOf("custom_blocks"), std::to_string(m.customBlocks.size())),
                          said("must be [mixer, feed-forward width]"), R"(["full", 14336])");
            return;
        }
        m.customBlocks.emplace_back(block[0].get<std::string>(), width);
    }
}

/// `biases` is the one home of biases; the spellings of the facts files (attention.qkv_bias, mlp_bias) give way to it.
void readBiases(ObjectReader& r, ModelArchitecture& m)
{
    r.boolean("mlp_bias", m.mlpBias);
    r.boolean("lm_head_bias", m.lmHeadBias);
    r.object("biases", [&](ObjectReader& child) {
        child.boolean("qkv", m.attention.qkvBias);
        child.boolean("attention_out", m.attention.outBias);
        child.boolean("mlp", m.mlpBias);
        child.boolean("experts", m.moe.expertBias);
        child.boolean("lm_head", m.lmHeadBias);
        bool unused = false; // follows from the kind of norm
        child.boolean("norm", unused);
    });
}

void readPublication(ObjectReader& r, ModelArchitecture& m, PublicationFields fields)
{
    if (fields == PublicationFields::Kept) {
        r.string("hf_id", m.hfId);
        r.string("source", m.source);
        r.string("model_type", m.modelType);
        r.integer("year", m.year, 1950, 2200);
        readPublished(r, m);
    }
    r.ignore({"published", "computed", "hf_id", "year", "model_type", "source", "text_model_type", "architectures",
              "config_file", "config_like", "config_nesting", "import_warnings", "mtp_note", "per_layer_embedding",
              "rope_theta"});
}

void readSizes(ObjectReader& r, ModelArchitecture& m, Presence presence)
{
    r.integer("layers", m.layers, 1, mostLayers, presence);
    r.integer("hidden", m.hidden, 1, mostSize, presence);
    r.integer("heads", m.heads, 0, mostSize, presence);
    r.integer("vocab", m.vocab, 1, mostSize, presence);
    readSize(r, "kv_heads", m.kvHeads, 0);
    readSize(r, "head_dim", m.headDim, 0);
    readSize(r, "v_head_dim", m.vHeadDim, 0);
    readSize(r, "ffn", m.ffn, 0);
    readSize(r, "max_context", m.maxContext);
    readSize(r, "norms_per_layer", m.normsPerLayer, 0);
    readSize(r, "position_offset", m.positionOffset, 0);
    readSize(r, "embed_dim", m.embedDim);
    readSize(r, "extra_per_layer", m.extraPerLayer, 0);
    readSize(r, "embedding_rows_extra", m.embeddingRowsExtra, 0);
    readSize(r, "stored_integers", m.storedIntegers, 0);
}

void readParts(ObjectReader& r, ModelArchitecture& m, bool& kindGiven)
{
    if (const Json* kind = r.value("attention"); kind != nullptr && kind->is_string())
        kindGiven = r.choice("attention", m.attention.kind, attentionNames);
    else
        r.object("attention", [&](ObjectReader& child) { readAttention(child, m.attention, kindGiven); });
    readVariants(r, m);
    r.object("sliding", [&](ObjectReader& child) { readSliding(child, m.sliding); });
    r.object("moe", [&](ObjectReader& child) { readMoe(child, m.moe); });
    r.object("linear", [&](ObjectReader& child) { readLinear(child, m.linear); });
    r.object("mamba", [&](ObjectReader& child) { readMamba(child, m.mamba); });
    r.object("indexer", [&](ObjectReader& child) { readIndexer(child, m.indexer ? *m.indexer : m.indexer.emplace()); });
    r.object("mtp", [&](ObjectReader& child) { readMtp(child, m.mtp ? *m.mtp : m.mtp.emplace()); });
    r.object("quantization", [&](ObjectReader& child) {
        readQuantization(child, m.quantization ? *m.quantization : m.quantization.emplace());
    });
    readBiases(r, m);
}

void readFields(ObjectReader& r, ModelArchitecture& m, PublicationFields fields, Presence presence, bool& kindGiven)
{
    r.string("name", m.name);
    r.string("family", m.family);
    r.string("dtype", m.dataType);
    r.string("activation", m.activation);
    r.string("notes", m.notes);
    readPublication(r, m, fields);
    readSizes(r, m, presence);
    r.boolean("gated", m.gated);
    r.boolean("tied", m.tied);
    r.boolean("parallel_block", m.parallelBlock);
    r.boolean("final_norm", m.finalNorm);
    r.boolean("embed_norm", m.embedNorm);
    r.boolean("exact", m.exact);
    r.choice("norm", m.norm, normNames);
    r.choice("position", m.position, positionNames);
    readParts(r, m, kindGiven);
    readSchedule(r, m);
    readCustomBlocks(r, m);
    std::int64_t extra = 0;
    if (r.integer("extra", extra, -mostSize, mostSize)) {
        m.extra = extra - std::int64_t(customBlockParameters(m));
        if (m.extra < 0 && !m.customBlocks.empty())
            r.error("extra", "out-of-range",
                    say("must hold the feed-forward weights of custom_blocks, {:.0f} parameters (found {})",
                        customBlockParameters(m), extra),
                    said("leave it out where custom_blocks says everything"));
    }
}

} // namespace

Expected<ModelArchitecture> readArchitecture(const nlohmann::json& object, const std::string& path,
                                             PublicationFields fields)
{
    Diagnostics diagnostics;
    ModelArchitecture m;
    m.name = "custom";
    m.custom = fields == PublicationFields::Ignored;
    bool kindGiven = false;
    ObjectReader r(object, path, diagnostics, Nulls::Absent);
    r.string("id", m.id);
    readFields(r, m, fields, Presence::Required, kindGiven);
    r.finish();
    if (!hasErrors(diagnostics)) {
        fillDefaults(m, kindGiven);
        noteAssumptions(m);
        checkArchitecture(m, path, diagnostics);
    }
    if (hasErrors(diagnostics))
        return tl::unexpected(std::move(diagnostics));
    return m;
}

Expected<ModelArchitecture> readArchitectureOverride(const ModelArchitecture& base, const nlohmann::json& object,
                                                     const std::string& path)
{
    Diagnostics diagnostics;
    ModelArchitecture m = base;
    m.custom = true;
    bool kindGiven = true;
    ObjectReader r(object, path, diagnostics, Nulls::Absent);
    r.ignore({"id"});
    readFields(r, m, PublicationFields::Ignored, Presence::Optional, kindGiven);
    r.finish();
    if (!hasErrors(diagnostics)) {
        const bool alike = base.kvHeads == base.heads && m.kvHeads == base.kvHeads;
        if (alike && !r.json().contains("kv_heads")) // multi-head stays multi-head
            m.kvHeads = m.heads;
        if (m.layers != base.layers && !r.json().contains("schedule"))
            resizeLayers(m);
        fillDefaults(m, true);
        noteAssumptions(m);
        checkArchitecture(m, path, diagnostics);
    }
    if (hasErrors(diagnostics))
        return tl::unexpected(std::move(diagnostics));
    return m;
}

} // namespace headroom
