// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/hf/finish.hpp"

#include "core/catalog/architecture_check.hpp"
#include "core/catalog/count_words.hpp"
#include "core/catalog/hf/evidence.hpp"
#include "core/catalog/hf/schedule.hpp"
#include "core/model/model_profile.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <set>

namespace headroom::hf
{
namespace
{

bool isAttention(const LayerEntry& layer)
{
    return layer.mixer != "none" && layer.mixer != "mamba" && layer.mixer != "linear";
}

bool hasDense(const LayerEntry& layer)
{
    return layer.mlp != MlpKind::None && layer.mlp != MlpKind::Moe;
}

/// The sizes that the layers need, under the names of config.json.
void requireSizes(const Draft& d)
{
    const ModelArchitecture& m = d.model;
    const bool attends = std::ranges::any_of(d.layers, isAttention);
    if (m.layers == 0)
        d.keys.missing({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    if (m.hidden == 0)
        d.keys.missing({"hidden_size", "n_embd", "n_embed", "d_model"});
    if (m.vocab == 0)
        d.keys.missing({"vocab_size", "padded_vocab_size"});
    if (m.heads == 0 && (attends || d.layers.empty()))
        d.keys.missing({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    if (m.ffn == 0 && m.hidden > 0 && std::ranges::any_of(d.layers, hasDense))
        d.keys.missing({"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim"});
    if (m.moe.experts > 0 && m.moe.ffn == 0)
        d.keys.missing({"moe_intermediate_size", "intermediate_size"});
    if (!attends || m.heads == 0)
        return;
    const bool ownWidth = m.headDim > 0 || m.attention.kind == AttentionKind::Mla;
    if (!ownWidth && m.hidden % m.heads != 0)
        d.keys.problem("inconsistent", "num_attention_heads",
                       say("{} heads do not divide the hidden size {}", m.heads, m.hidden),
                       said("give head_dim where heads times their width is not the hidden size"));
    if (m.kvHeads > 0 && m.heads % m.kvHeads != 0)
        d.keys.problem("inconsistent", "num_key_value_heads",
                       m.heads == 1 ? say("{} key-value heads do not divide 1 query head", m.kvHeads)
                                    : say("{} key-value heads do not divide {} query heads", m.kvHeads, m.heads),
                       said("every key-value head serves equally many query heads"));
}

/// The window that sliding or chunked layers see; a family may have put its class default there.
void readWindow(Draft& d)
{
    SlidingShape& sliding = d.model.sliding;
    const auto begins = [&](std::string_view with) {
        return std::ranges::any_of(d.layers, [&](const LayerEntry& l) { return l.mixer.starts_with(with); });
    };
    const bool chunks = begins("chunked");
    // Beside what it compresses, every layer of DeepSeek V4 sees a window, under whatever name it goes.
    const bool windows =
        d.model.attention.kind == AttentionKind::Dsv4 || (d.model.mtp && d.model.mtp->mixer.starts_with("sliding"));
    if (!chunks && !windows && !begins("sliding")) {
        sliding = {};
        return;
    }
    const std::string key = chunks ? "attention_chunk_size" : "sliding_window";
    const std::int64_t given = d.keys.count(chunks ? Names{"attention_chunk_size"} : windowKeys);
    if (given > 0)
        sliding.window = given;
    else if (sliding.window > 0)
        d.warn(key, say("{} is absent: the class default of {} tokens is used", key, sliding.window));
    else
        d.keys.missing({"sliding_window", "sliding_window_size", "window_size", "attention_chunk_size"},
                       said("some layers see a window only: say how many tokens it has"));
    sliding.chunked = chunks;
}

/// Families describe every kind of layer they know; a model keeps those that it has.
void dropUnusedVariants(Draft& d)
{
    std::erase_if(d.model.attentionVariants, [&](const auto& variant) {
        return std::ranges::none_of(d.layers, [&](const LayerEntry& l) { return l.mixer == variant.first; });
    });
}

/// Counts are doubles that hold whole numbers exactly up to 2^53; no real model comes near.
void checkTotal(const Draft& d)
{
    constexpr double most = 9007199254740992.0;
    const ParameterCounts counts = countParameters(d.model);
    if (!(counts.total >= 1 && counts.total + counts.mtp + counts.mtpCopies < most))
        d.keys.problem(
            "out-of-range", "hidden_size", say("the sizes multiply to {:.3g} parameters", counts.total),
            said("check the layers, widths, experts and vocabulary: fewer than 9e15 parameters can be counted"));
}

/// As many key-value heads as heads is what most classes make of an absent key (class_defaults.cpp has the others);
/// those without the key need no word.
void noteAbsentKvHeads(Draft& d)
{
    static const std::set<std::string, std::less<>> without{"qwen", "baichuan", "internlm", "xverse", "nemotron-nas"};
    const ModelArchitecture& m = d.model;
    const bool given = statesKvHeads(d.keys);
    const bool grouped = m.norm == NormKind::RmsNorm || d.modelType.starts_with("cohere") || d.modelType == "stablelm";
    if (!given && m.heads > 0 && m.kvHeads == m.heads && grouped && m.attention.kind != AttentionKind::Mla &&
        m.attention.kind != AttentionKind::Dsv4 && !without.contains(d.modelType))
        d.warn("num_key_value_heads", said("num_key_value_heads is absent: as many key-value heads as query heads"));
}

void noteSmallModels(Draft& d)
{
    constexpr std::int64_t few = 2;
    if (d.keys.has("draft_vocab_size") || d.keys.has("dflash_config"))
        d.warn("draft_vocab_size", said("this is a draft model for speculative decoding, not a model on its own"));
    else if (d.model.layers <= few)
        d.warn("num_hidden_layers", say("{}: a draft model or a shortened file", layersText(d.model.layers)));
}

} // namespace

void finish(Draft& d, Diagnostics& problems)
{
    if (!problems.empty())
        return;
    requireSizes(d);
    readWindow(d);
    if (!problems.empty())
        return;
    if (static_cast<std::int64_t>(d.layers.size()) != d.model.layers) {
        d.keys.problem("inconsistent", "num_hidden_layers",
                       say("{} described, {} given", layersText(std::ssize(d.layers)), d.model.layers));
        return;
    }
    dropUnusedVariants(d);
    refuseWhatIsNotCounted(d);
    if (!problems.empty())
        return;
    d.model.schedule = scheduleOf(d.layers);
    fillDefaults(d.model, false);
    checkArchitecture(d.model, d.keys.path(), problems);
    if (problems.empty())
        checkTotal(d);
    noteAbsentKvHeads(d);
    noteSmallModels(d);
}

} // namespace headroom::hf
