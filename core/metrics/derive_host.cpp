// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

/// What a tier's rate is taken from.
double hostLink(DerivationBuilder& b, double rate)
{
    if (b.p.inference.hostLinkGbPerS)
        (void)b.parameter("host_link_gb_per_s");
    return b.input("r", say("host link of a GPU, sustained"), rate, BytesPerS, b.acceleratorSource({"pcie", "host"}));
}

void assumeHits(DerivationBuilder& b)
{
    b.assume(say("Hit rates are stated, not predicted: how often a prefix comes back is the traffic's, and what a tier "
                 "holds says nothing of it."));
    b.assume(effectiveLayerwise(b.p.inference)
                 ? say("Prefill begins when the first layer's cache is there: of loading and prefill the longer shows "
                       "whole, of the shorter one layer.")
                 : say("The engine loads a prompt's cache before prefill begins: nothing of it hides."));
}

} // namespace

void tiersLoad(DerivationBuilder& b)
{
    const TiersResult& t = *b.e.tiers;
    const double bytes = b.input("b", say("cache that a prompt loads, of a GPU"), t.loadBytes, Bytes, b.modelSource());
    const double rate = hostLink(b, t.host.bytesPerS);
    if (!(t.nvme.hitTokens > 0)) {
        b.result("b ÷ r", fmt::format("{} ÷ {}", shown(bytes, Bytes), shown(rate, BytesPerS)), bytes / rate);
        return assumeHits(b);
    }
    const double prompt = b.parameter("prompt_tokens");
    const double drives = b.input("b_n", say("of it, from NVMe"), t.promptBytes * t.nvme.hitTokens / prompt, Bytes);
    const double reads =
        b.input("r_n", say("what the drives of a GPU read"), t.nvme.bytesPerS, BytesPerS, b.calibrationSource());
    const bool overlaps = b.p.efficiency.base == EfficiencyBase::Ideal;
    b.result(overlaps ? "max(b_n ÷ r_n, b ÷ r)" : "b_n ÷ r_n + b ÷ r",
             fmt::format("{} ÷ {} + {} ÷ {}", shown(drives, Bytes), shown(reads, BytesPerS), shown(bytes, Bytes),
                         shown(rate, BytesPerS)),
             overlaps ? std::max(drives / reads, bytes / rate) : drives / reads + bytes / rate);
    b.assume(say("What comes from drives lies in host memory before it moves on."));
    assumeHits(b);
}

void tiersSaved(DerivationBuilder& b)
{
    const TiersResult& t = *b.e.tiers;
    if (b.p.inference.tierHostHits)
        (void)b.parameter("tier_host_hits");
    if (b.p.inference.tierNvmeHits)
        (void)b.parameter("tier_nvme_hits");
    const double again =
        b.input("t", say("prefill of the tokens that are found"), t.recomputeS, Seconds, b.calibrationSource());
    const double load = b.input("s", say("loading that prefill does not hide"), t.shownS, Seconds);
    b.result("t − s", fmt::format("{} − {}", shown(again, Seconds), shown(load, Seconds)), again - load);
    b.explain(again > load ? say("Loading pays.") : say("Computing again is quicker."));
    assumeHits(b);
}

void tiersBreakEven(DerivationBuilder& b)
{
    const TiersResult& t = *b.e.tiers;
    const bool hits = t.loadBytes > 0;
    const double bytes =
        b.input("b", hits ? say("cache that a prompt loads, of a GPU") : say("cache of a prompt, of a GPU"),
                hits ? t.loadBytes : t.promptBytes, Bytes, b.modelSource());
    const double time = b.input("t", hits ? say("prefill of the tokens that are found") : say("prefill of the prompt"),
                                bytes / t.breakEvenBytesPerS, Seconds, b.calibrationSource());
    b.result("b ÷ t", fmt::format("{} ÷ {}", shown(bytes, Bytes), shown(time, Seconds)), bytes / time);
    b.explain(say("The host link gives {}.", shown(t.host.bytesPerS, BytesPerS)));
    if (!hits)
        b.assume(say("No hit rate is stated: of the whole prompt."));
}

void tierTokens(DerivationBuilder& b)
{
    const bool host = b.metric.id == "kv_tiers.host.tokens";
    const CacheTier& tier = host ? b.e.tiers->host : b.e.tiers->nvme;
    const double gb = b.parameter(host ? "tier_host_gb" : "tier_nvme_gb");
    const double ranks = b.parameter("attention_data");
    const double each =
        b.input("c", say("cache of a token on a GPU"), gb * giga * ranks / tier.tokens, Bytes, b.modelSource());
    b.result("10⁹ × GB ÷ c × n",
             fmt::format("{} ÷ {} × {}", shown(gb * giga, Bytes), shown(each, Bytes), wholeText(ranks)),
             gb * giga / each * ranks);
    const InferenceWorkload& w = b.p.inference;
    b.explain(say("That is {} requests at their full length.",
                  shown(tier.tokens / double(w.promptTokens + w.outputTokens), Plain)));
    b.assume(say("How many of them come back is not predicted."));
}

void hostRead(DerivationBuilder& b)
{
    const HostWeightsResult& h = *b.e.hostWeights;
    (void)b.parameter("host_weights_gb");
    const double bytes =
        b.input("b", say("bytes of a decode step that lie there, of a GPU"), h.readBytes, Bytes, b.modelSource());
    (void)b.parameter("pipeline");
    const double passes = b.input("n", say("reads of b that a step waits for: of each stage, and again of the slowest"),
                                  h.readS * h.bytesPerS / h.readBytes, Plain, b.calibrationSource());
    const double rate = hostLink(b, h.bytesPerS);
    b.result("b × n ÷ r",
             fmt::format("{} × {} ÷ {}", shown(bytes, Bytes), shown(passes, Plain), shown(rate, BytesPerS)),
             bytes * passes / rate);
    b.explain(say("Of it, {} show in the step.", shown(h.shownS, Seconds)));
    b.assume(say("Weights there are a mixture like all of the GPU's: a step reads those that its tokens touch."));
    b.assume(
        say("No fit: two published runs took about one and a half times as long, and the interval is as much wider."));
}

void hostBytes(DerivationBuilder& b)
{
    const HostWeightsResult& h = *b.e.hostWeights;
    const double stated = b.parameter("host_weights_gb");
    const double all =
        b.input("w", say("weights of a GPU"), h.share > 0 ? h.bytes / h.share : 0, Bytes, b.modelSource());
    b.result(say("min(10⁹ × GB, w)"), fmt::format("min({}, {})", shown(stated * giga, Bytes), shown(all, Bytes)),
             std::min(stated * giga, all));
}

} // namespace headroom::derivations
