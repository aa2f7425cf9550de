// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_reserve.hpp"

#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom::inference
{
namespace
{

/// vLLM up to 0.7 takes no prompt in chunks: when it starts it runs one as long as the model allows, and what that
/// needed is lost to the cache. Three copies of the hidden state and of the feed-forward's.
double contextBytes(const ModelProfile& model, const Machine& m)
{
    double widest = 0;
    for (const LayerKind& k : model.kinds)
        widest = std::max(widest, k.hasMoe ? real(k.moe.sharedFfn + k.moe.topK * k.moe.ffn) : k.ffn);
    return real(model.architecture.maxContext) * 3 * (model.hidden + widest / m.sizes.tensor) * m.activationBytes;
}

/// Of the rule's rows the one for a device of this size.
const PassSize& passSize(const std::vector<PassSize>& rows, double deviceBytes)
{
    const auto found = std::ranges::find_if(rows, [&](const PassSize& row) { return deviceBytes < row.belowBytes; });
    return found != rows.end() ? *found : rows.back();
}

/// Tokens of the pass that the engine prepares for.
double chunkTokens(const Machine& m, const PassSize& size)
{
    return m.passTokens > 0 ? m.passTokens : size.tokens;
}

/// What SGLang leaves of the memory to activations and graphs where no share is given (server_args.py).
double outsideOfFraction(const PreparedScenario& p, const Machine& m, const StartConstants& c, const PassSize& size)
{
    const double graphs = m.sizes.tensor < c.splitTensor ? size.sequences : size.sequencesSplit;
    double bytes = c.fractionBaseBytes + c.fractionTokenBytes * std::max(chunkTokens(m, size), c.fractionFewestTokens) +
                   c.fractionSequenceBytes * graphs + c.fractionRankBytes * m.sizes.tensor * m.sizes.pipeline;
    if (m.sizes.attentionData > 1)
        bytes += graphs * m.sizes.attentionData * c.fractionDataBytes * (graphs > c.fractionManyGraphs ? 1.5 : 1);
    if (p.accelerator->usableMemoryBytes() > c.fractionLargeBytes)
        bytes = std::max(bytes, c.fractionLeastBytes);
    return bytes; // a draft's weights and cache are counted as they are
}

} // namespace

StartReserve startReserve(const PreparedScenario& p, const Machine& m, const StartNeed& need) noexcept
{
    const StartConstants& c = p.calibration->inference.memory.start;
    const double usable = p.accelerator->usableMemoryBytes();
    StartReserve r;
    switch (m.engine.reserve) {
    case ReserveRule::Batch:
        break;
    case ReserveRule::Context:
        r.activations = contextBytes(*p.model, m);
        break;
    case ReserveRule::Profile: {
        // Of the A100, however much memory it has, vLLM asks as little as of a small device (arg_utils.py).
        const PassSize& size = m.family == KernelFamily::A100 ? c.profiled.front() : passSize(c.profiled, usable);
        r.chunkTokens = chunkTokens(m, size);
        r.activations = r.chunkTokens * need.activationPerToken;
        r.logitSequences = size.sequences;
        if (m.sizes.tensor * m.sizes.attentionData * m.sizes.pipeline * m.sizes.context > 1)
            r.overhead = c.communicationBytes;
        break;
    }
    case ReserveRule::Fraction: {
        const PassSize& size = passSize(c.fractioned, usable);
        r.chunkTokens = chunkTokens(m, size);
        if (const auto& share = p.inference.memoryUtilization)
            r.activations = (1 - *share) * (usable - need.overhead);
        else // an operator raises the share before the cache has next to nothing
            r.activations = std::clamp((1 - c.fractionCacheShare) * usable - need.overhead - need.weights, 0.0,
                                       outsideOfFraction(p, m, c, size) * (usable - need.overhead) / usable);
        break;
    }
    }
    return r;
}

} // namespace headroom::inference
