// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/derivation_builder.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>

namespace headroom::derivations
{

namespace
{

using enum ValueFormat;

std::string className(const ClassResult& c)
{
    return say("{} of the requests: {} tokens read, {} written", shown(c.share, Percent), wholeText(c.promptTokens),
               wholeText(c.outputTokens));
}

} // namespace

void classTtft(DerivationBuilder& b)
{
    const MixResult& mix = *b.e.mix;
    b.input("TTFT", say("time to first token, of a mean prompt"), *b.e.ttftS, Seconds);
    double longest = 0;
    for (std::size_t i = 0; i < mix.count; ++i)
        longest = std::max(longest, b.input(fmt::format("TTFT_{}", i + 1), className(mix.all[i]), mix.all[i].ttftS,
                                            Seconds, b.calibrationSource()));
    b.result(b.metric.formula, {}, longest);
    if (const auto target = b.p.inference.ttftTargetS)
        for (std::size_t i = 0; i < mix.count; ++i)
            if (mix.all[i].ttftS > *target)
                b.explain(say("Class {} misses the target of {}, whatever it waits.", i + 1, shown(*target, Seconds)));
    b.assume(say("Without waiting; classes wait alike, and share what reading others' prompts takes."));
}

void classLatency(DerivationBuilder& b)
{
    const MixResult& mix = *b.e.mix;
    const double each = b.input("TPOT", say("time per output token"), *b.e.tpotS, Seconds);
    double longest = 0;
    for (std::size_t i = 0; i < mix.count; ++i) {
        const ClassResult& c = mix.all[i];
        longest = std::max(longest, b.step(fmt::format("T_{}", i + 1), className(c),
                                           fmt::format("TTFT_{} + (output − 1) × TPOT", i + 1),
                                           fmt::format("{} + {} × {}", shown(c.ttftS, Seconds),
                                                       wholeText(c.outputTokens - 1), shown(each, Seconds)),
                                           c.ttftS + (c.outputTokens - 1) * each, Seconds));
        b.explain(say("Class {}: {} requests/s, {} tokens/s, {} in flight.", i + 1, shown(c.requestsPerS, Plain),
                      shown(c.tokensPerS, Plain), shown(c.inFlight, Plain)));
    }
    b.result(b.metric.formula, {}, longest);
    b.assume(say("All classes decode in the same passes, so a token takes each of them as long."));
}

} // namespace headroom::derivations
