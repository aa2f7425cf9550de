// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_mix.hpp"

#include <algorithm>

namespace headroom::inference
{

namespace
{

MixResult mixOf(const PreparedScenario& p, const Replica& replica, const Serving& v, const Evaluation& e,
                OtherPrompts& others)
{
    const Machine& m = replica.m;
    const RequestMix& mix = *p.inference.mix;
    PreparedScenario& other = others.fresh();
    const bool together = p.inference.scheduling == Scheduling::Static; // all wait for the whole batch's prompts
    const double mean = promptShownS(p, replica, v, v.prefillS + v.loadS);
    MixResult r;
    r.count = mix.count;
    for (std::size_t i = 0; i < mix.count; ++i) {
        const RequestClass& c = mix.all[i];
        ClassResult& one = r.all[i];
        const double output = static_cast<double>(c.outputTokens);
        one.share = c.share;
        one.promptTokens = static_cast<double>(c.promptTokens);
        one.outputTokens = output;
        other.inference.promptTokens = c.promptTokens;
        other.inference.prefixCachedTokens = std::min(p.inference.prefixCachedTokens, c.promptTokens);
        one.ttftS =
            *e.ttftS +
            (together ? 0 : promptShownS(other, replica, v, replica.promptsTime(other, v.prefillPrompts)) - mean);
        one.latencyS = one.ttftS + (output - 1) * v.tpotS;
        // Tokens, and places in the batch, by share and answer.
        const double weight = c.share * output / mix.meanOutput();
        one.requestsPerS = c.share * *e.requestsPerS;
        one.tokensPerS = weight * *e.tokensPerS;
        // Under a load the batch is that of a busy replica: Little's law counts the time in which none is.
        one.inFlight = p.inference.requestsPerS ? one.requestsPerS * one.latencyS : weight * v.batch * m.sizes.replicas;
        r.ttftS = std::max(r.ttftS, one.ttftS);
        r.latencyS = std::max(r.latencyS, one.latencyS);
    }
    return r;
}

} // namespace

void addMix(const PreparedScenario& p, const Replica& replica, const Serving& v, OtherPrompts& others,
            Evaluation& result) noexcept
{
    result.mix = mixOf(p, replica, v, result, others);
    double meanS = 0;
    for (const ClassResult& one : result.mix->classes())
        meanS += one.share * one.ttftS;
    const double longer = meanS - *result.ttftS;
    *result.requestLatencyS += longer;
    if (result.ttftAloneS)
        *result.ttftAloneS += longer;
    result.ttftS = meanS;
}

} // namespace headroom::inference
