// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/architecture_shapes_json.hpp"

#include "core/catalog/architecture_names.hpp"
#include "core/support/say.hpp"

namespace headroom
{
namespace
{

void readMla(ObjectReader& r, MlaShape& m)
{
    readSize(r, "q_lora_rank", m.qLoraRank, 0);
    readSize(r, "kv_lora_rank", m.kvLoraRank);
    readSize(r, "qk_nope", m.qkNope);
    readSize(r, "qk_rope", m.qkRope, 0);
    readSize(r, "v_head_dim", m.vHeadDim);
}

void readDsv4(ObjectReader& r, Dsv4Shape& d)
{
    readSize(r, "q_lora_rank", d.qLoraRank);
    readSize(r, "o_lora_rank", d.oLoraRank);
    readSize(r, "o_groups", d.oGroups);
    readSize(r, "index_heads", d.indexHeads);
    readSize(r, "index_head_dim", d.indexHeadDim);
    readSize(r, "index_topk", d.indexTopk);
    readSize(r, "rope", d.rope, 0);
}

void optionalSize(ObjectReader& r, std::string_view key, std::optional<std::int64_t>& target, std::int64_t least = 1)
{
    r.integer(key, target, least, mostSize);
}

void readVariant(ObjectReader& r, AttentionVariant& v)
{
    optionalSize(r, "heads", v.heads);
    optionalSize(r, "kv_heads", v.kvHeads);
    optionalSize(r, "head_dim", v.headDim);
    optionalSize(r, "v_head_dim", v.vHeadDim);
    optionalSize(r, "compress", v.compress, 0);
    r.choice("qk_norm", v.qkNorm, qkNormNames);
    r.boolean("sinks", v.sinks);
    r.boolean("kv_shared", v.kvShared);
    r.boolean("k_eq_v", v.kEqV);
}

} // namespace

void readSize(ObjectReader& r, std::string_view key, std::int64_t& target, std::int64_t least)
{
    r.integer(key, target, least, mostSize);
}

std::optional<MlpKind> mlpNamed(const Json& value)
{
    if (value.is_string())
        for (const auto& name : mlpNames)
            if (name.id == value.get_ref<const std::string&>())
                return name.value;
    return std::nullopt;
}

void readAttention(ObjectReader& r, AttentionShape& a, bool& kindGiven)
{
    kindGiven = r.choice("kind", a.kind, attentionNames);
    r.choice("qk_norm", a.qkNorm, qkNormNames);
    r.choice("gate", a.gate, gateNames);
    r.boolean("sinks", a.sinks);
    r.boolean("qkv_bias", a.qkvBias);
    r.boolean("out_bias", a.outBias);
    r.boolean("relative_position", a.relativePosition);
    r.boolean("kv_shared", a.kvShared);
    r.boolean("k_eq_v", a.kEqV);
    readSize(r, "compress", a.compress, 0);
    r.object("mla", [&](ObjectReader& child) { readMla(child, a.mla); });
    r.object("dsv4", [&](ObjectReader& child) { readDsv4(child, a.dsv4); });
}

void readVariants(ObjectReader& r, ModelArchitecture& m)
{
    const Json* variants = r.value("attention_variants");
    if (variants == nullptr)
        return;
    if (!variants->is_object()) {
        r.wrongType("attention_variants", *variants, said("an object of layer kinds"));
        return;
    }
    for (const auto& entry : variants->items()) {
        ObjectReader child(entry.value(), childPath(r.pathOf("attention_variants"), entry.key()), r.diagnostics(),
                           Nulls::Absent);
        readVariant(child, m.attentionVariants[entry.key()]);
        child.finish();
    }
}

void readMoe(ObjectReader& r, MoeShape& m)
{
    readSize(r, "experts", m.experts);
    readSize(r, "top_k", m.topK);
    readSize(r, "ffn", m.ffn);
    readSize(r, "shared_ffn", m.sharedFfn, 0);
    readSize(r, "latent", m.latent, 0);
    readSize(r, "extra", m.extra, 0);
    r.boolean("shared_gate", m.sharedGate);
    r.boolean("router_bias", m.routerBias);
    r.boolean("expert_bias", m.expertBias);
    r.boolean("gated", m.gated);
}

void readLinear(ObjectReader& r, LinearShape& l)
{
    r.choice("kind", l.kind, linearNames);
    readSize(r, "key_heads", l.keyHeads);
    readSize(r, "value_heads", l.valueHeads);
    readSize(r, "key_dim", l.keyDim);
    readSize(r, "value_dim", l.valueDim);
    readSize(r, "conv", l.conv, 0);
    readSize(r, "heads", l.heads);
    readSize(r, "head_dim", l.headDim);
    r.boolean("full_rank_gate", l.fullRankGate);
}

void readMamba(ObjectReader& r, MambaShape& m)
{
    r.integer("version", m.version, 1, 2);
    readSize(r, "inner", m.inner);
    readSize(r, "heads", m.heads);
    readSize(r, "head_dim", m.headDim);
    readSize(r, "state", m.state);
    readSize(r, "groups", m.groups);
    readSize(r, "conv", m.conv, 0);
    readSize(r, "dt_rank", m.dtRank);
    r.boolean("conv_bias", m.convBias);
    r.boolean("proj_bias", m.projBias);
    r.boolean("inner_norms", m.innerNorms);
}

void readIndexer(ObjectReader& r, IndexerShape& x)
{
    std::string kind;
    if (r.string("kind", kind)) {
        x.msa = kind == "msa";
        if (!x.msa && kind != "dsa")
            r.unknownName("kind", kind, std::array<std::string_view, 2>{"dsa", "msa"});
    }
    readSize(r, "heads", x.heads);
    readSize(r, "head_dim", x.headDim);
    readSize(r, "topk", x.topk);
    readSize(r, "q_lora_rank", x.qLoraRank);
    readSize(r, "block", x.block);
    readSize(r, "topk_blocks", x.topkBlocks);
}

void readSliding(ObjectReader& r, SlidingShape& s)
{
    readSize(r, "window", s.window);
    std::string kind;
    if (r.string("kind", kind)) {
        s.chunked = kind == "chunked";
        if (!s.chunked && kind != "sliding")
            r.unknownName("kind", kind, std::array<std::string_view, 2>{"sliding", "chunked"});
    }
    r.ignore({"sliding_layers", "full_layers"}); // the schedule says so
}

void readMtp(ObjectReader& r, MtpShape& m)
{
    r.integer("layers", m.layers, 0, mostLayers);
    r.string("mixer", m.mixer);
    r.choice("mlp", m.mlp, mlpNames);
    readSize(r, "norms", m.norms, 0);
    readSize(r, "extra", m.extra, 0);
    r.boolean("eh_proj", m.ehProjection);
    r.boolean("stores_embed_and_head", m.storesEmbedAndHead);
    const Json* pattern = r.value("pattern");
    if (pattern == nullptr)
        return;
    m.pattern.clear();
    for (const Json& block : *pattern) {
        const auto mlp = block.is_array() && block.size() == 2 ? mlpNamed(block[1]) : std::nullopt;
        if (!mlp || !block[0].is_string()) {
            r.error("pattern", "wrong-type", said("must be an array of [mixer, feed-forward]"), R"(["full", "none"])");
            return;
        }
        m.pattern.emplace_back(block[0].get<std::string>(), *mlp);
    }
}

void readQuantization(ObjectReader& r, Quantization& q)
{
    r.string("method", q.method);
    r.string("format", q.format);
    r.string("algo", q.algorithm);
    r.number("bits", q.bits, {0, 64});
    if (const Json* group = r.value("group"); group != nullptr && group->is_number_integer() && *group == -1)
        q.group = 0; // a whole row
    else
        readSize(r, "group", q.group, 0);
    const Json* block = r.value("block");
    if (block != nullptr && block->is_number_integer() && *block > 0)
        q.block = {block->get<std::int64_t>()};
    else
        r.integers("block", q.block, 1, mostSize);
    r.ignore({"activation", "type", "skip", "strategy", "zero_point", "double_quant"});
}

} // namespace headroom
