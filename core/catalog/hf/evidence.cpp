// SPDX-License-Identifier: GPL-3.0-or-later
// A count that looks right and is not is worse than none: what a file says and nobody counts is a reason to refuse it.
#include "core/catalog/hf/evidence.hpp"
#include "core/support/say.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::hf
{
namespace
{

/// The whole number of a key; 0 where it is none.
double numberOf(const ConfigKeys& keys, std::string_view name)
{
    const auto* value = keys.find(name);
    return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

bool anyLayer(const Draft& d, std::string_view begins)
{
    return std::ranges::any_of(d.layers, [begins](const LayerEntry& l) { return l.mixer.starts_with(begins); });
}

} // namespace

void refuseWhatIsNotCounted(const Draft& d)
{
    const auto contradiction = [&](std::string_view key, std::string hint) {
        d.keys.problem("inconsistent", key,
                       say("{} is {}, and nothing else in the file says that the model has such a part", key,
                           shown(*d.keys.find(key))),
                       std::move(hint));
    };
    // Jamba writes one expert for none; a Nemotron-H without expert blocks carries its class's sizes of them.
    const bool mixture = d.model.moe.experts > 0 || d.modelType == "jamba" || d.modelType == "nemotron_h";
    for (const char* key :
         {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts", "num_experts_per_tok",
          "num_experts_per_token", "moe_top_k", "moe_topk", "top_k_experts", "moe_intermediate_size"})
        if (!mixture && numberOf(d.keys, key) > 1)
            return contradiction(
                key,
                said("give the number of experts (num_experts, num_local_experts or n_routed_experts), of those that "
                     "are chosen (num_experts_per_tok), and their width; a dense model's file has none of them"));
    const AttentionKind kind = d.model.attention.kind;
    if (kind != AttentionKind::Mla && kind != AttentionKind::Dsv4 && numberOf(d.keys, "kv_lora_rank") > 0 &&
        d.keys.flag({"use_mla"}, true))
        return contradiction("kv_lora_rank", said("latent attention is counted in families that are known to have it"));
    struct Row {
        std::string_view theirs, ours;
    };
    static constexpr Row rows[] = {{"sliding_attention", "sliding"},
                                   {"chunked_attention", "chunked"},
                                   {"linear_attention", "linear"},
                                   {"mamba", "mamba"}};
    const auto* types = d.keys.find("layer_types");
    if (types == nullptr || !types->is_array() || d.modelType == "nemotron_h")
        return;
    for (const Row& row : rows) {
        const auto layer = std::ranges::find(*types, nlohmann::json(row.theirs));
        if (layer != types->end() && layer - types->begin() < d.model.layers && !anyLayer(d, row.ours))
            return d.keys.problem("inconsistent", fmt::format("layer_types/{}", layer - types->begin()),
                                  say("a layer of type {} is not counted in this family", row.theirs),
                                  said("other keys of the file say that all layers are of another type"));
    }
}

} // namespace headroom::hf
