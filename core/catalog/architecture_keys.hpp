// SPDX-License-Identifier: GPL-3.0-or-later
// PRIVATE to core/catalog: the keys of an architecture's record, in the order in which they are written. Each is
// declared here once, for reading, writing, the forms and docs/catalog_format.md (key_walkers.hpp).
#pragma once

#include "core/catalog/architecture_forms.hpp"
#include "core/catalog/architecture_names.hpp"
#include "core/catalog/key_walkers.hpp"
#include "core/model/model_architecture.hpp"

namespace headroom::fields
{

inline constexpr NumberRange size{1, double(mostSize)}, sizeOrNone{0, double(mostSize)};

template <typename Keys>
void attention(Keys& keys)
{
    using A = AttentionShape;
    keys.always("kind", &A::kind, attentionNames);
    keys.key("qk_norm", &A::qkNorm, qkNormNames);
    keys.key("gate", &A::gate, gateNames);
    keys.key("sinks", &A::sinks);
    keys.also("qkv_bias", &A::qkvBias); // their home is `biases`
    keys.also("out_bias", &A::outBias);
    keys.key("relative_position", &A::relativePosition);
    keys.key("kv_shared", &A::kvShared);
    keys.key("k_eq_v", &A::kEqV);
    keys.key("compress", &A::compress, sizeOrNone);
    keys.part("mla", &A::mla, [](auto& of) {
        of.key("q_lora_rank", &MlaShape::qLoraRank, sizeOrNone);
        of.key("kv_lora_rank", &MlaShape::kvLoraRank, size);
        of.key("qk_nope", &MlaShape::qkNope, size);
        of.key("qk_rope", &MlaShape::qkRope, sizeOrNone);
        of.key("v_head_dim", &MlaShape::vHeadDim, size);
    });
    keys.part("dsv4", &A::dsv4, [](auto& of) {
        of.key("q_lora_rank", &Dsv4Shape::qLoraRank, size);
        of.key("o_lora_rank", &Dsv4Shape::oLoraRank, size);
        of.key("o_groups", &Dsv4Shape::oGroups, size);
        of.key("index_heads", &Dsv4Shape::indexHeads, size);
        of.key("index_head_dim", &Dsv4Shape::indexHeadDim, size);
        of.key("index_topk", &Dsv4Shape::indexTopk, size);
        of.key("rope", &Dsv4Shape::rope, sizeOrNone);
    });
}

template <typename Keys>
void attentionVariant(Keys& keys)
{
    using V = AttentionVariant;
    keys.key("heads", &V::heads, size);
    keys.key("kv_heads", &V::kvHeads, size);
    keys.key("head_dim", &V::headDim, size);
    keys.key("v_head_dim", &V::vHeadDim, size);
    keys.key("compress", &V::compress, sizeOrNone);
    keys.key("qk_norm", &V::qkNorm, qkNormNames);
    keys.key("sinks", &V::sinks);
    keys.key("kv_shared", &V::kvShared);
    keys.key("k_eq_v", &V::kEqV);
}

template <typename Keys>
void experts(Keys& keys)
{
    using M = MoeShape;
    keys.key("experts", &M::experts, size);
    keys.key("top_k", &M::topK, size);
    keys.key("group_limit", &M::groupLimit, sizeOrNone);
    keys.key("ffn", &M::ffn, size);
    keys.key("shared_ffn", &M::sharedFfn, sizeOrNone);
    keys.key("shared_gate", &M::sharedGate);
    keys.key("router_bias", &M::routerBias);
    keys.also("expert_bias", &M::expertBias); // its home is `biases`
    keys.key("latent", &M::latent, sizeOrNone);
    keys.key("extra", &M::extra, sizeOrNone);
    keys.key("gated", &M::gated);
}

template <typename Keys>
void linear(Keys& keys)
{
    using L = LinearShape;
    keys.always("kind", &L::kind, linearNames);
    keys.key("key_heads", &L::keyHeads, size);
    keys.key("value_heads", &L::valueHeads, size);
    keys.key("key_dim", &L::keyDim, size);
    keys.key("value_dim", &L::valueDim, size);
    keys.key("heads", &L::heads, size);
    keys.key("head_dim", &L::headDim, size);
    keys.key("conv", &L::conv, sizeOrNone);
    keys.key("full_rank_gate", &L::fullRankGate);
    keys.key("state_dtype", &L::stateType, stateTypeNames);
}

template <typename Keys>
void mamba(Keys& keys)
{
    using M = MambaShape;
    keys.always("version", &M::version, NumberRange{1, 2});
    keys.key("inner", &M::inner, size);
    keys.key("heads", &M::heads, size);
    keys.key("head_dim", &M::headDim, size);
    keys.key("state", &M::state, size);
    keys.key("groups", &M::groups, size);
    keys.key("conv", &M::conv, sizeOrNone);
    keys.key("dt_rank", &M::dtRank, size);
    keys.key("conv_bias", &M::convBias);
    keys.key("proj_bias", &M::projBias);
    keys.key("inner_norms", &M::innerNorms);
    keys.key("state_dtype", &M::stateType, stateTypeNames);
}

template <typename Keys>
void indexer(Keys& keys)
{
    using X = IndexerShape;
    keys.always("kind", &X::msa, indexerNames);
    keys.key("heads", &X::heads, size);
    keys.key("head_dim", &X::headDim, size);
    keys.key("topk", &X::topk, size);
    keys.key("q_lora_rank", &X::qLoraRank, size);
    keys.key("block", &X::block, size);
    keys.key("topk_blocks", &X::topkBlocks, size);
}

template <typename Keys>
void multiTokenPrediction(Keys& keys)
{
    using M = MtpShape;
    keys.always("layers", &M::layers, NumberRange{0, double(mostLayers)});
    keys.key("mixer", &M::mixer);
    keys.key("mlp", &M::mlp, mlpNames);
    keys.own("pattern", &M::pattern, readPattern, patternJson);
    keys.key("norms", &M::norms, sizeOrNone);
    keys.key("extra", &M::extra, sizeOrNone);
    keys.key("eh_proj", &M::ehProjection);
    keys.key("stores_embed_and_head", &M::storesEmbedAndHead);
}

template <typename Keys>
void quantization(Keys& keys)
{
    using Q = Quantization;
    keys.key("method", &Q::method);
    keys.key("format", &Q::format);
    keys.key("algo", &Q::algorithm);
    keys.key("bits", &Q::bits, NumberRange{0, 64});
    keys.own("group", &Q::group, readGroup);
    keys.own("block", &Q::block, readBlock);
    keys.key("attention", &Q::attention);
    keys.key("dense", &Q::dense);
    keys.key("experts", &Q::experts);
    keys.key("weight_only", &Q::weightOnly);
    keys.key("attention_bits", &Q::attentionBits, NumberRange{0, 64});
    keys.key("dense_bits", &Q::denseBits, NumberRange{0, 64});
    keys.key("expert_bits", &Q::expertBits, NumberRange{0, 64});
    keys.key("head_bits", &Q::headBits, NumberRange{0, 64});
    keys.key("embed_bits", &Q::embedBits, NumberRange{0, 64});
    keys.ignored({"activation", "type", "skip", "strategy", "zero_point", "double_quant"});
}

/// Where the architecture was published: facts of the catalogue, nothing in a scenario.
template <typename Keys>
void publication(Keys& keys)
{
    using M = ModelArchitecture;
    keys.key("hf_id", &M::hfId);
    keys.key("year", &M::year, NumberRange{1950, 2200});
    keys.key("model_type", &M::modelType);
    keys.key("source", &M::source);
}

/// Parameter figures that somebody published, of the catalogue too.
template <typename Keys>
void published(Keys& keys)
{
    using P = PublishedCount;
    keys.parts("published", &ModelArchitecture::published, [](auto& of) {
        of.needed("what", &P::what);
        of.needed("value", &P::value, NumberRange::positive());
        of.needed("kind", &P::kind);
        of.key("unit", &P::unit, NumberRange::positive());
        of.needed("basis", &P::basis);
        of.needed("source", &P::source);
        of.key("cause", &P::cause);
    });
}

template <typename Keys>
void sizes(Keys& keys)
{
    using M = ModelArchitecture;
    keys.needed("layers", &M::layers, NumberRange{1, double(mostLayers)});
    keys.needed("hidden", &M::hidden, size);
    keys.needed("heads", &M::heads, sizeOrNone);
    keys.key("kv_heads", &M::kvHeads, sizeOrNone);
    keys.key("head_dim", &M::headDim, sizeOrNone);
    keys.key("v_head_dim", &M::vHeadDim, sizeOrNone);
    keys.key("ffn", &M::ffn, sizeOrNone);
    keys.key("gated", &M::gated);
    keys.needed("vocab", &M::vocab, size);
    keys.key("max_context", &M::maxContext, size);
    keys.key("tied", &M::tied);
    keys.always("norm", &M::norm, normNames);
    keys.key("norms_per_layer", &M::normsPerLayer, sizeOrNone);
    keys.key("final_norm", &M::finalNorm);
    keys.key("embed_norm", &M::embedNorm);
    keys.always("position", &M::position, positionNames);
    keys.key("position_offset", &M::positionOffset, sizeOrNone);
    keys.key("parallel_block", &M::parallelBlock);
    keys.key("embed_dim", &M::embedDim, size);
    keys.key("extra", &M::extra, NumberRange{-double(mostSize), double(mostSize)});
    keys.key("extra_per_layer", &M::extraPerLayer, sizeOrNone);
    keys.key("extra_tables", &M::extraTables, sizeOrNone);
    keys.key("extra_matrices", &M::extraMatrices, sizeOrNone);
    keys.key("extra_matrices_per_layer", &M::extraMatricesPerLayer, sizeOrNone);
    keys.key("embedding_rows_extra", &M::embeddingRowsExtra, sizeOrNone);
    keys.key("stored_integers", &M::storedIntegers, sizeOrNone);
}

/// All but what publication() and published() hold.
template <typename Keys>
void shape(Keys& keys)
{
    using M = ModelArchitecture;
    sizes(keys);
    keys.key("activation", &M::activation);
    keys.always("dtype", &M::dataType);
    keys.also("mlp_bias", &M::mlpBias); // their home is `biases`
    keys.also("lm_head_bias", &M::lmHeadBias);
    keys.named("attention", &M::attention, &AttentionShape::kind, attentionNames, [](auto& of) { attention(of); });
    keys.byName("attention_variants", &M::attentionVariants, [](auto& of) { attentionVariant(of); });
    keys.part("sliding", &M::sliding, [](auto& of) {
        of.key("window", &SlidingShape::window, size);
        of.always("kind", &SlidingShape::chunked, slidingNames);
        of.ignored({"sliding_layers", "full_layers"}); // the schedule says so
    });
    keys.part("moe", &M::moe, [](auto& of) { experts(of); });
    // After the parts: what stands here counts before what they spell otherwise.
    keys.object("biases", [](auto& of) {
        of.inner("qkv", &M::attention, &AttentionShape::qkvBias);
        of.inner("attention_out", &M::attention, &AttentionShape::outBias);
        of.key("mlp", &M::mlpBias);
        of.inner("experts", &M::moe, &MoeShape::expertBias);
        of.key("lm_head", &M::lmHeadBias);
        of.ignored({"norm"}); // follows from the kind of norm
    });
    keys.part("linear", &M::linear, [](auto& of) { linear(of); });
    keys.part("mamba", &M::mamba, [](auto& of) { mamba(of); });
    keys.optional("indexer", &M::indexer, [](auto& of) { indexer(of); });
    keys.optional("mtp", &M::mtp, [](auto& of) { multiTokenPrediction(of); });
    keys.own("schedule", &M::schedule, readSchedule, scheduleJson);
    keys.own("custom_blocks", &M::customBlocks, readCustomBlocks);
    keys.optional("quantization", &M::quantization, [](auto& of) { quantization(of); });
    keys.key("exact", &M::exact);
    keys.key("notes", &M::notes);
}

} // namespace headroom::fields
