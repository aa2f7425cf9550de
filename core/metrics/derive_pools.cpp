// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/predict/inference/inference_pools.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

/// Requests a second that are asked of a pool: the load, or what is served without one.
double requests(DerivationBuilder& b)
{
    if (b.p.inference.requestsPerS)
        return b.parameter("requests_per_s");
    const PoolResult& decode = b.e.pools->decode;
    return b.input("λ", say("requests/s that both pools serve"), decode.utilization * decode.requestsPerS, Plain,
                   b.calibrationSource());
}

double decodeCapacity(DerivationBuilder& b, const char* symbol)
{
    return b.input(symbol, say("requests/s that all replicas serve with their full batch, or get over their links"),
                   b.e.pools->decode.requestsPerS, Plain, b.calibrationSource());
}

double timeOfPrompt(DerivationBuilder& b)
{
    return b.input("s",
                   say("time of a prefill instance for a prompt, or of its links for the cache, one after the other"),
                   b.e.pools->requestS, Seconds, b.calibrationSource());
}

double instanceGpus(DerivationBuilder& b)
{
    const PoolResult& prefill = b.e.pools->prefill;
    return b.input("g", say("GPUs of a prefill instance"), prefill.devices / prefill.instances, Integer);
}

/// The same GPUs as one pool with continuous scheduling, where they are of one kind and its layout takes all of them.
std::optional<Evaluation> onePool(const PreparedScenario& p, const PoolsResult& pools)
{
    if (p.prefillAccelerator && p.prefillAccelerator != p.accelerator)
        return std::nullopt;
    PreparedScenario one = p;
    one.inference.scheduling = Scheduling::Continuous;
    one.inference.requestsPerS.reset();
    one.measured = {};
    one.parallelism.replicas.reset();
    one.hardware.count = std::llround(pools.decode.devices + pools.prefill.devices);
    return checkSetup(one).empty() ? std::optional(evaluate(one)) : std::nullopt;
}

/// Says which of the two serves more, and what it costs those who read.
void compareWithOnePool(DerivationBuilder& b)
{
    const PoolsResult& pools = *b.e.pools;
    const std::optional<Evaluation> one = onePool(b.p, pools);
    if (!one)
        return;
    const double together = *one->requestsPerS, apart = std::min(pools.prefill.requestsPerS, pools.decode.requestsPerS);
    const std::string serves =
        say("One pool of the same GPUs would serve {} requests/s at full batch where the two serve "
            "{}, and a token would take {} instead of {}.",
            shown(together, Plain), shown(apart, Plain), shown(*one->tpotS, Seconds), shown(*b.e.tpotS, Seconds));
    b.explain(serves);
    if (together > apart)
        b.explain(said("One pool serves more: two pay where the time of a token counts, or at their ratio."));
    else
        b.explain(said("Two pools serve more."));
}

} // namespace

void poolUtilization(DerivationBuilder& b)
{
    const PoolsResult& pools = *b.e.pools;
    const bool decodes = b.metric.id == "pools.decode.utilization";
    const double asked = requests(b);
    double most = 0;
    if (decodes) {
        b.parameter("batch", fullBatch(b.e));
        most = decodeCapacity(b, "c");
    } else {
        const double instances = b.input("n", say("prefill instances"), pools.prefill.instances, Integer);
        const double each = timeOfPrompt(b);
        most = b.step("c", say("requests/s that the pool reads"), "n ÷ s",
                      fmt::format("{} ÷ {}", wholeText(instances), shown(each, Seconds)), instances / each, Plain);
    }
    b.result("λ ÷ c", fmt::format("{} ÷ {}", scientific(asked), shown(most, Plain)), asked / most);
    if (pools.prefill.requestsPerS < pools.decode.requestsPerS)
        b.explain(said("The prefill pool is the narrower one."));
    else
        b.explain(said("The decode pool is the narrower one."));
}

void prefillGpus(DerivationBuilder& b)
{
    if (b.p.inference.prefillPool.count) {
        const double stated = b.parameter("prefill_count");
        const double each = instanceGpus(b);
        b.result(say("whole instances"),
                 fmt::format("⌊{} ÷ {}⌋ × {}", wholeText(stated), wholeText(each), wholeText(each)),
                 b.e.pools->prefill.instances * each);
        return;
    }
    const double asked = b.p.inference.requestsPerS ? b.parameter("requests_per_s") : decodeCapacity(b, "λ");
    const double time = timeOfPrompt(b), each = instanceGpus(b);
    constexpr double busy = inference::busiestPool;
    b.result("⌈λ × s ÷ u⌉ × g",
             fmt::format("⌈{} × {} ÷ {}⌉ × {}", scientific(asked), shown(time, Seconds), shown(busy, Percent),
                         wholeText(each)),
             inference::instancesFor(asked, 1 / time) * each);
    b.assume(say("A pool is planned to be busy {} of the time at most.", shown(busy, Percent)));
}

void poolRatio(DerivationBuilder& b)
{
    const double most = decodeCapacity(b, "c");
    const double time = timeOfPrompt(b), each = instanceGpus(b);
    const double gpus = b.gpus();
    b.result(
        "c × s × g ÷ G",
        fmt::format("{} × {} × {} ÷ {}", shown(most, Plain), shown(time, Seconds), wholeText(each), wholeText(gpus)),
        most * time * each / gpus);
    compareWithOnePool(b);
}

void transferBytes(DerivationBuilder& b)
{
    b.parameter("prompt_tokens");
    b.parameter("kv_cache");
    b.parameter("tensor");
    const bool latent = b.p.model->architecture.attention.kind == AttentionKind::Mla;
    b.result(latent ? say("layers × width of the latents × bytes × tokens") : say(b.metric.formula), {},
             b.e.pools->transferBytes, b.modelSource());
    b.assume(say("Where tensor parallelism exceeds the KV heads, replicas travel too; a latent cache travels once."));
}

void transferTime(DerivationBuilder& b)
{
    const PoolsResult& pools = *b.e.pools;
    const double bytes = b.input("b", say("cache of a prompt"), pools.transferBytes, Bytes, b.modelSource());
    const double start = b.p.efficiency.base == EfficiencyBase::Ideal ? 0 : b.parameter("transfer_start_s");
    if (b.p.inference.transferGbitPerS) {
        const double rate = b.parameter("transfer_gbit_per_s");
        b.result("t₀ + 8 × b ÷ r",
                 fmt::format("{} + 8 × {} ÷ {}", shown(start, Seconds), shown(bytes, Bytes), shown(rate, Plain)),
                 start + bytes / std::max(1.0, rate * 1e9 / 8));
        return;
    }
    const double rate = b.input("r", say("bytes/s that the links of an instance sustain"),
                                bytes / (pools.transferS - start), BytesPerS, b.calibrationSource());
    b.result("t₀ + b ÷ r",
             fmt::format("{} + {} ÷ {}", shown(start, Seconds), shown(bytes, Bytes), shown(rate, BytesPerS)),
             start + bytes / rate);
}

} // namespace headroom::derivations
