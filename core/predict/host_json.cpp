// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/host_json.hpp"

namespace headroom
{
namespace
{

void appendTier(JsonText& json, const char* name, const CacheTier& tier)
{
    json.open(name);
    json.number("bytes", tier.bytes);
    json.number("tokens", tier.bytes > 0 ? std::optional(tier.tokens) : std::nullopt);
    json.number("hit_tokens", tier.hitTokens);
    json.number("bytes_per_s", tier.bytesPerS);
    json.close();
}

} // namespace

void appendTiers(JsonText& json, const Evaluation& e)
{
    if (!e.tiers)
        return json.undefined("kv_tiers");
    const TiersResult& t = *e.tiers;
    json.open("kv_tiers");
    appendTier(json, "host", t.host);
    appendTier(json, "nvme", t.nvme);
    json.number("prompt_bytes", t.promptBytes);
    json.number("load_bytes", t.loadBytes);
    const bool loads = t.loadBytes > 0; // a prompt finds something there
    json.number("load_s", loads ? std::optional(t.loadS) : std::nullopt);
    json.number("load_shown_s", t.shownS);
    json.number("recompute_s", t.recomputeS);
    json.number("saved_s", loads ? std::optional(t.savedS) : std::nullopt);
    json.number("break_even_bytes_per_s",
                t.breakEvenBytesPerS > 0 ? std::optional(t.breakEvenBytesPerS) : std::nullopt); // saves nothing
    json.close();
}

void appendHostWeights(JsonText& json, const Evaluation& e)
{
    if (!e.hostWeights)
        return json.undefined("host_weights");
    const HostWeightsResult& h = *e.hostWeights;
    json.open("host_weights");
    json.number("bytes", h.bytes);
    json.number("share", h.share);
    json.number("read_bytes", h.readBytes);
    json.number("bytes_per_s", h.bytesPerS);
    json.number("read_s", h.readS);
    json.number("shown_s", h.shownS);
    json.close();
}

void appendHostStates(JsonText& json, const Evaluation& e)
{
    if (!e.hostStates)
        return json.undefined("host_states");
    const HostStates& h = *e.hostStates;
    json.open("host_states");
    json.number("bytes", h.bytes);
    json.number("gpus", h.gpus);
    json.number("host_bytes", h.hostBytes);
    json.number("most_bytes", h.mostBytes);
    json.close();
}

} // namespace headroom
