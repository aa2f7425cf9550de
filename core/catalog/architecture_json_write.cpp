// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_json.hpp"

#include "core/catalog/architecture_check.hpp"
#include "core/catalog/architecture_names.hpp"

namespace headroom
{
namespace
{

using Ordered = nlohmann::ordered_json;

/// Adds a field unless it has its default.
template <typename T>
void put(Ordered& object, const char* key, const T& value, const T& usual)
{
    if (value != usual)
        object[key] = value;
}

void put(Ordered& object, const char* key, const std::string& value)
{
    if (!value.empty())
        object[key] = value;
}

void put(Ordered& object, const char* key, std::int64_t value)
{
    put<std::int64_t>(object, key, value, 0);
}

void put(Ordered& object, const char* key, bool value)
{
    put<bool>(object, key, value, false);
}

template <typename T>
void put(Ordered& object, const char* key, const std::optional<T>& value)
{
    if (value)
        object[key] = *value;
}

void put(Ordered& object, const char* key, Ordered part)
{
    if (!part.empty())
        object[key] = std::move(part);
}

Ordered writeAttention(const AttentionShape& a)
{
    Ordered o;
    o["kind"] = nameOf(attentionNames, a.kind);
    if (a.qkNorm != QkNorm::None)
        o["qk_norm"] = nameOf(qkNormNames, a.qkNorm);
    if (a.gate != OutputGate::None)
        o["gate"] = nameOf(gateNames, a.gate);
    put(o, "sinks", a.sinks);
    put(o, "relative_position", a.relativePosition);
    put(o, "kv_shared", a.kvShared);
    put(o, "k_eq_v", a.kEqV);
    put(o, "compress", a.compress);
    if (a.mla != MlaShape{}) {
        Ordered& m = o["mla"];
        put(m, "q_lora_rank", a.mla.qLoraRank);
        put(m, "kv_lora_rank", a.mla.kvLoraRank);
        put(m, "qk_nope", a.mla.qkNope);
        put(m, "qk_rope", a.mla.qkRope);
        put(m, "v_head_dim", a.mla.vHeadDim);
    }
    if (a.dsv4 != Dsv4Shape{}) {
        Ordered& d = o["dsv4"];
        put(d, "q_lora_rank", a.dsv4.qLoraRank);
        put(d, "o_lora_rank", a.dsv4.oLoraRank);
        put(d, "o_groups", a.dsv4.oGroups);
        put(d, "index_heads", a.dsv4.indexHeads);
        put(d, "index_head_dim", a.dsv4.indexHeadDim);
        put(d, "index_topk", a.dsv4.indexTopk);
        put(d, "rope", a.dsv4.rope);
    }
    return o;
}

Ordered writeVariants(const ModelArchitecture& m)
{
    Ordered o = Ordered::object();
    for (const auto& [mixer, v] : m.attentionVariants) {
        Ordered variant = Ordered::object();
        put(variant, "heads", v.heads);
        put(variant, "kv_heads", v.kvHeads);
        put(variant, "head_dim", v.headDim);
        put(variant, "v_head_dim", v.vHeadDim);
        put(variant, "compress", v.compress);
        if (v.qkNorm)
            variant["qk_norm"] = nameOf(qkNormNames, *v.qkNorm);
        put(variant, "sinks", v.sinks);
        put(variant, "kv_shared", v.kvShared);
        put(variant, "k_eq_v", v.kEqV);
        o[mixer] = std::move(variant);
    }
    return o;
}

Ordered writeBiases(const ModelArchitecture& m)
{
    Ordered o;
    put(o, "qkv", m.attention.qkvBias);
    put(o, "attention_out", m.attention.outBias);
    put(o, "mlp", m.mlpBias);
    put(o, "experts", m.moe.expertBias);
    put(o, "lm_head", m.lmHeadBias);
    return o;
}

Ordered writeMoe(const MoeShape& m)
{
    Ordered o;
    put(o, "experts", m.experts);
    put(o, "top_k", m.topK);
    put(o, "ffn", m.ffn);
    put(o, "shared_ffn", m.sharedFfn);
    put(o, "shared_gate", m.sharedGate);
    put(o, "router_bias", m.routerBias);
    put(o, "latent", m.latent);
    put(o, "extra", m.extra);
    put(o, "gated", m.gated, true);
    return o;
}

Ordered writeLinear(const LinearShape& l)
{
    if (l == LinearShape{})
        return {};
    Ordered o;
    o["kind"] = nameOf(linearNames, l.kind);
    put(o, "key_heads", l.keyHeads);
    put(o, "value_heads", l.valueHeads);
    put(o, "key_dim", l.keyDim);
    put(o, "value_dim", l.valueDim);
    put(o, "heads", l.heads);
    put(o, "head_dim", l.headDim);
    put(o, "conv", l.conv);
    put(o, "full_rank_gate", l.fullRankGate);
    return o;
}

Ordered writeMamba(const MambaShape& m)
{
    if (m == MambaShape{})
        return {};
    Ordered o;
    o["version"] = m.version;
    put(o, "inner", m.inner);
    put(o, "heads", m.heads);
    put(o, "head_dim", m.headDim);
    put(o, "state", m.state);
    put(o, "groups", m.groups);
    put(o, "conv", m.conv);
    put(o, "dt_rank", m.dtRank);
    put(o, "conv_bias", m.convBias, true);
    put(o, "proj_bias", m.projBias);
    put(o, "inner_norms", m.innerNorms);
    return o;
}

Ordered writeIndexer(const IndexerShape& x)
{
    Ordered o;
    o["kind"] = x.msa ? "msa" : "dsa";
    put(o, "heads", x.heads);
    put(o, "head_dim", x.headDim);
    put(o, "topk", x.topk);
    put(o, "q_lora_rank", x.qLoraRank);
    put(o, "block", x.block);
    put(o, "topk_blocks", x.topkBlocks);
    return o;
}

Ordered writeMtp(const MtpShape& m)
{
    Ordered o;
    o["layers"] = m.layers;
    put(o, "mixer", m.mixer);
    if (m.mlp)
        o["mlp"] = nameOf(mlpNames, *m.mlp);
    for (const auto& [mixer, mlp] : m.pattern)
        o["pattern"].push_back({mixer, nameOf(mlpNames, mlp)});
    put<std::int64_t>(o, "norms", m.norms, 3);
    put(o, "extra", m.extra);
    put(o, "eh_proj", m.ehProjection, true);
    put(o, "stores_embed_and_head", m.storesEmbedAndHead);
    return o;
}

Ordered writeQuantization(const Quantization& q)
{
    Ordered o = Ordered::object();
    put(o, "method", q.method);
    put(o, "format", q.format);
    put(o, "algo", q.algorithm);
    put(o, "bits", q.bits, 0.0);
    put(o, "group", q.group);
    if (!q.block.empty())
        o["block"] = q.block;
    return o;
}

Ordered writeSegment(const LayerSegment& s)
{
    return Ordered::array({s.count, s.mixer, nameOf(mlpNames, s.mlp)});
}

Ordered writeSchedule(const std::vector<LayerRun>& schedule)
{
    Ordered o = Ordered::array();
    for (const LayerRun& run : schedule) {
        Ordered group = Ordered::array();
        for (const LayerSegment& segment : run.segments)
            group.push_back(writeSegment(segment));
        const bool single = run.repeat == 1 && run.segments.size() == 1;
        if (single)
            o.push_back(group[0]);
        else
            o.push_back(Ordered::array({run.repeat, group}));
    }
    return o;
}

Ordered writePublished(const std::vector<PublishedCount>& published)
{
    Ordered o = Ordered::array();
    for (const PublishedCount& p : published) {
        Ordered figure;
        figure["what"] = p.what;
        figure["value"] = p.value;
        figure["kind"] = p.kind;
        put(figure, "unit", p.unit, 0.0);
        figure["basis"] = p.basis;
        figure["source"] = p.source;
        put(figure, "cause", p.cause);
        o.push_back(std::move(figure));
    }
    return o;
}

void writeSizes(Ordered& o, const ModelArchitecture& m)
{
    o["layers"] = m.layers;
    o["hidden"] = m.hidden;
    o["heads"] = m.heads;
    put(o, "kv_heads", m.kvHeads);
    put(o, "head_dim", m.headDim);
    put(o, "v_head_dim", m.vHeadDim);
    put(o, "ffn", m.ffn);
    put(o, "gated", m.gated, true);
    o["vocab"] = m.vocab;
    put(o, "max_context", m.maxContext);
    put(o, "tied", m.tied);
    o["norm"] = nameOf(normNames, m.norm);
    put<std::int64_t>(o, "norms_per_layer", m.normsPerLayer, 2);
    put(o, "final_norm", m.finalNorm, true);
    put(o, "embed_norm", m.embedNorm);
    o["position"] = nameOf(positionNames, m.position);
    put(o, "position_offset", m.positionOffset);
    put(o, "parallel_block", m.parallelBlock);
    put(o, "embed_dim", m.embedDim);
    put(o, "extra", m.extra + std::int64_t(customBlockParameters(m)));
    put(o, "extra_per_layer", m.extraPerLayer);
    put(o, "embedding_rows_extra", m.embeddingRowsExtra);
    put(o, "stored_integers", m.storedIntegers);
}

void writeParts(Ordered& o, const ModelArchitecture& m)
{
    put(o, "biases", writeBiases(m));
    o["attention"] = writeAttention(m.attention);
    put(o, "attention_variants", writeVariants(m));
    if (m.sliding.window > 0)
        o["sliding"] = {{"window", m.sliding.window}, {"kind", m.sliding.chunked ? "chunked" : "sliding"}};
    put(o, "moe", writeMoe(m.moe));
    put(o, "linear", writeLinear(m.linear));
    put(o, "mamba", writeMamba(m.mamba));
    if (m.indexer)
        o["indexer"] = writeIndexer(*m.indexer);
    if (m.mtp)
        o["mtp"] = writeMtp(*m.mtp);
    o["schedule"] = writeSchedule(m.schedule);
    for (const auto& [mixer, width] : m.customBlocks)
        o["custom_blocks"].push_back({mixer, width});
    if (m.quantization)
        o["quantization"] = writeQuantization(*m.quantization);
}

} // namespace

nlohmann::ordered_json writeArchitecture(const ModelArchitecture& m, PublicationFields fields)
{
    const bool all = fields == PublicationFields::Kept;
    Ordered o = Ordered::object();
    put(o, "id", m.id);
    put(o, "name", m.name);
    put(o, "family", m.family);
    if (all) {
        put(o, "hf_id", m.hfId);
        put(o, "year", m.year, 0);
        put(o, "model_type", m.modelType);
        put(o, "source", m.source);
    }
    writeSizes(o, m);
    put(o, "activation", m.activation);
    put(o, "dtype", m.dataType);
    writeParts(o, m);
    put(o, "exact", m.exact, true);
    put(o, "notes", m.notes);
    if (all && !m.published.empty())
        o["published"] = writePublished(m.published);
    return o;
}

} // namespace headroom
