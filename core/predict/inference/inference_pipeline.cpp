// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_pipeline.hpp"

#include "core/predict/inference/inference_lengths.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

/// Adds `count` sends of `tokens` tokens between neighbouring stages.
void addSends(const PreparedScenario& p, const Machine& m, double tokens, double count, PassCost& cost)
{
    const double moving = m.activationBytes * tokens * p.model->hidden * m.send.perByte;
    cost.time[static_cast<std::size_t>(TimePart::PipelineSend)] += count * (m.send.startS + moving);
    cost.linkS += count * moving;
    cost.fixedS += count * m.send.startS;
}

/// Under the bound sends overlap like everything else.
bool sendsShow(const Machine& m)
{
    return m.sizes.pipeline > 1 && !m.ideal;
}

/// Of a pass through all layers, the slowest stage's time; under the bound stages are equal.
double slowestShare(const Machine& m, const PassCost& pass)
{
    if (pass.slowestS > 0)
        return pass.slowestS / pass.total();
    return m.ideal ? 1 / m.sizes.pipeline : m.sizes.fullestShare;
}

/// Adds `pass` as often as `whole`, and `behind` times what the slowest stage takes of it.
void addPasses(const Machine& m, const PassCost& pass, double whole, double behind, PassCost& cost)
{
    const double share = slowestShare(m, pass);
    cost.add(pass, whole + behind * share);
    if (pass.slowestHostS > 0) // the stage that reads longest may be another
        cost.hostS += behind * (pass.slowestHostS - share * pass.hostS);
    if (pass.slowestS <= 0)
        return;
    // Where layers differ, the hardware needs for one stage at the least what it needs for the mean of them. The share
    // in time says nothing of it: it falls where prompts grow that slow kernels of other stages read.
    const double less = behind * (1 / m.sizes.pipeline - share);
    cost.lightPassesS += less * pass.light();
    cost.lightComputeS += less * pass.lightComputeS;
    cost.lightMemoryS += less * pass.lightMemoryS;
    cost.lightLinkS += less * pass.lightLinkS;
}

} // namespace

PassShape promptShape(const PreparedScenario& p, const Machine& m, double prompts, double even) noexcept
{
    PassShape s;
    s.prompts = prompts;
    s.length = promptLength(p.inference);
    s.cached = s.held = std::max(0.0, double(p.inference.promptTokens) - s.length);
    if (p.inference.mix ||
        promptsSpread(p.inference)) { // fewer and longer ones that are as many tokens, and as many pairs of them
        const MixedPrompts mixed = mixedPrompts(p.inference);
        s.prompts /= mixed.longer;
        s.each = mixed.longer;
        s.length *= mixed.longer;
        s.cached = mixed.cached;
        s.held = mixed.held;
    }
    s.ranks = m.sizes.attentionData;
    s.evenPrompts = even;
    return s;
}

double microBatches(const Machine& m, double batch) noexcept
{
    return m.engine.splitsLayers ? 1 : std::clamp(onFullestRank(m, batch), 1.0, m.sizes.pipeline);
}

double pacedS(const Machine& m, const PassTime& pass, double batch) noexcept
{
    return std::max(pass.total(), microBatches(m, batch) * pass.slowestS);
}

double pacedHostS(const Machine& m, const PassTime& pass, double batch) noexcept
{
    return std::max(pass.hostS, microBatches(m, batch) * pass.slowestHostS);
}

PassCost chunkedPrefill(const PreparedScenario& p, const Machine& m, double prompts, double chunk, bool queued,
                        double even) noexcept
{
    const PassShape all = promptShape(p, m, prompts, even);
    const double tokens = all.promptTokens();
    if (chunk <= 0 || tokens <= chunk)
        return passCost(m, p, all);
    const double length = promptLength(p.inference);
    const double whole = std::floor(tokens / chunk * (1 + roundingError)), rest = tokens - whole * chunk;
    PassCost cost;
    const double behind = queued ? whole - 1 : 0;
    addPasses(m, passCost(m, p, promptShape(p, m, chunk / length, even)), whole - behind, behind, cost);
    if (rest > roundingError * tokens) // a last digit is no pass
        addPasses(m, passCost(m, p, promptShape(p, m, rest / length, even)), queued ? 0 : 1, queued ? 1 : 0, cost);
    return cost;
}

PassCost lonePrefill(const PreparedScenario& p, const Machine& m, double prompts, double even) noexcept
{
    const double stages = m.sizes.pipeline;
    PassCost cost = chunkedPrefill(p, m, prompts, m.engine.chunkTokens, stages > 1, even);
    if (sendsShow(m))
        addSends(p, m, prompts * promptLength(p.inference), stages - 1, cost);
    return cost;
}

PassCost decodePass(const PreparedScenario& p, const Machine& m, double batch, Routing routing) noexcept
{
    const PassShape shape = decodeShape(m, batch);
    PassCost cost = passCost(m, p, shape, routing);
    if (m.sizes.pipeline <= 1)
        return cost;
    if (!m.engine.splitsLayers && !m.ideal) {
        // As many micro-batches as stages are under way, and each waits for the slowest stage: of equal layers the
        // one that has most, or the last with its head.
        const double head = cost.headS, all = cost.total(), layers = all - head;
        const double slowest = cost.slowestS > 0
                                   ? cost.slowestS
                                   : std::max(m.sizes.fullestShare * layers, m.sizes.lastShare * layers + head);
        if (const double paced = microBatches(m, batch) * slowest; paced > all)
            cost.slow(paced / all);
        cost.hostS = pacedHostS(m, cost, batch);
    }
    if (sendsShow(m))
        addSends(p, m, shape.sequences * shape.tokensEach, m.sizes.pipeline - 1, cost);
    return cost;
}

PassCost prefillPass(const PreparedScenario& p, const Machine& m, double prompts) noexcept
{
    const double perRank = onFullestRank(m, prompts), stages = m.sizes.pipeline;
    const double even = prompts / m.sizes.attentionData / perRank; // fewer than ranks leave some without one
    if (stages <= 1 || m.engine.chunkTokens > 0)
        return lonePrefill(p, m, perRank, even);
    // `parts` groups of prompts pass the stages one behind the other.
    const double parts = m.engine.splitsLayers ? 1 : std::min(perRank, stages);
    const PassCost one = chunkedPrefill(p, m, perRank / parts, m.engine.chunkTokens, false, even);
    PassCost cost;
    if (m.ideal)
        cost.add(one, std::max(1.0, parts / stages));
    else
        addPasses(m, one, 1, parts - 1, cost);
    if (sendsShow(m))
        addSends(p, m, perRank / parts * promptLength(p.inference), stages - 1, cost);
    return cost;
}

} // namespace headroom::inference
