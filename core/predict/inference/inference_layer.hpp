// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Pass: the operators of a forward pass, layer kind by layer kind, handed to a sink (private to core).
#pragma once

#include "core/hardware/roofline.hpp"
#include "core/predict/attention_keys.hpp"
#include "core/predict/expert_width.hpp"
#include "core/predict/inference/inference_kernel.hpp"
#include "core/predict/inference/inference_memory.hpp"
#include "core/predict/inference/inference_pass.hpp"
#include "core/predict/tensor_sums.hpp"
#include "core/support/language.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{

/// Sink: kernel(const Kernel&, const KernelRate&, count), link(const Kernel&, const LinkRate&, bumpBytes, count), and
/// layer(kind) after those of a kind of layers, and head() after the kernel of the LM head. Where the sink does not
/// want the kinds apart(), a mixer or feed-forward of several kinds comes once, for all their layers.
template <typename Sink>
class Pass final
{
public:
    Pass(const Machine& machine, const PreparedScenario& prepared, const PassModel& model, const PassShape& shape,
         Routing routing, Sink& sink)
        : m(machine), layers(model), p(model.profile), c(prepared.calibration->inference), w(prepared.inference),
          s(shape), r(routing), out(sink), h(model.hidden), t(machine.sizes.tensor),
          promptTokens(shape.promptTokens() / machine.sizes.context), decodeTokens(shape.sequences * shape.tokensEach),
          tokens(decodeTokens + promptTokens),
          meanTokens(decodeTokens * shape.evenSequences + promptTokens * shape.evenPrompts)
    {
    }

    void run()
    {
        if (layers.fusion > 0)
            matmul(phrase("draft fusion"), tokens, h, layers.fusion * h, m.dense, layers.heads);
        const bool sharing = layers.sharesBlocks() && !out.apart();
        for (const LayerKind& kind : layers.kinds) {
            mixers = sharing ? kind.mixerLayers : kind.count;
            feedForwards = sharing ? kind.feedForwardLayers : kind.count;
            layer(kind);
            out.layer(kind);
        }
        matmul(phrase("LM head"), decodeTokens + s.read(), layers.vocab / t, layers.headDepth, m.head, layers.heads);
        out.head();
    }

private:
    const Machine& m;
    const PassModel& layers;
    const ModelProfile& p;
    const InferenceCalibration& c;
    const InferenceWorkload& w;
    const PassShape& s;
    Routing r;
    Sink& out;
    double h, t;
    double promptTokens;                 ///< of one context-parallel rank
    double decodeTokens;                 ///< of the sequences that decode
    double tokens;                       ///< through the matmuls of one rank
    double meanTokens;                   ///< the same of the mean rank: all of them meet in the experts
    double heads = 0;                    ///< queries' heads on one rank, of the attention under way
    double mixers = 0, feedForwards = 0; ///< layers that have the blocks under way

    /// [rows, depth]·[depth, width]; nothing where one of them is 0, or less: what is left of a mixer's weights.
    [[gnu::always_inline]] void matmul(std::string_view name, double rows, double width, double depth,
                                       const WeightClass& weights, double count, TimePart part = TimePart::Matmul,
                                       double starts = 1)
    {
        const double flop = 2 * rows * width * depth;
        if (flop <= 0)
            return;
        out.kernel({.name = name,
                    .part = part,
                    .flop = flop,
                    .bytes = width * depth * weights.bytes,
                    .activations = m.activationBytes * rows * (width + depth),
                    .starts = starts,
                    .precision = weights.precision},
                   weights.rate, count);
    }

    void layer(const LayerKind& k)
    {
        if (mixers > 0)
            mixer(k);
        if (feedForwards > 0)
            feedForward(k);
        matmul(phrase("per-layer inputs"), tokens, k.extraWeights / h / t, h, m.plain, k.count);
        const double values = c.elementwise.hiddenValues * h + c.elementwise.ffnValues * (k.ffn + sharedFfn(k)) / t;
        out.kernel({.name = phrase("norms, activation, residual"),
                    .part = TimePart::MemoryBound,
                    .activations = tokens * values * m.activationBytes,
                    .starts = 1 + smallKernels(k) * m.smallStart,
                    .precision = m.plain.precision},
                   m.elementwise, k.count);
        reduce(k);
    }

    void mixer(const LayerKind& k)
    {
        switch (k.mixer) {
        case MixerKind::Attention:
            attention(k);
            break;
        case MixerKind::Linear:
        case MixerKind::StateSpace:
            stateMixer(k);
            break;
        case MixerKind::None:
            break;
        }
    }

    static double sharedFfn(const LayerKind& k) { return k.hasMoe ? real(k.moe.sharedFfn) : 0; }

    void attention(const LayerKind& k)
    {
        heads = wholeShare(real(k.attention.heads), t);
        switch (k.attention.kind) {
        case AttentionKind::Mla:
            latentProjections(k);
            break;
        case AttentionKind::Dsv4:
            compressedProjections(k);
            break;
        default:
            plainProjections(k);
            break;
        }
        if (k.cross)
            return;
        if (k.indexer)
            indexer(k);
        if (s.sequences > 0)
            decodeCore(k);
        if (promptTokens > 0)
            promptCore(k);
    }

    void plainProjections(const LayerKind& k)
    {
        const AttentionShape& a = k.attention;
        const double q = heads * real(a.headDim);
        const double kv = a.kvShared || k.cross ? 0 : std::max(1.0, wholeShare(real(a.kvHeads), t));
        const double gate = a.gate == OutputGate::Element ? q : a.gate == OutputGate::Head ? heads : 0;
        const double keyValue = real(a.headDim + (a.kEqV ? 0 : a.valueDim()));
        // What else the mixer multiplies every token by, such as the relative positions of Gopher.
        const double known = h * (real(a.heads) * real(a.headDim + a.valueDim()) + gate * t +
                                  (a.kvShared ? 0 : real(a.kvHeads) * keyValue));
        const double rest = std::max(0.0, textMixerWeights(k) - k.indexerWeights - known) / h / t;
        matmul(phrase("QKV projection"), tokens, q + gate + kv * keyValue + rest, h, m.projection, mixers);
        matmul(phrase("output projection"), tokens, h, heads * real(a.valueDim()), m.projection, mixers);
    }

    void latentProjections(const LayerKind& k)
    {
        const MlaShape& a = k.attention.mla;
        const double q = heads, rank = real(a.kvLoraRank), nope = real(a.qkNope), rope = real(a.qkRope);
        const double v = real(a.vHeadDim), qRank = real(a.qLoraRank);
        matmul(phrase("latent down projection"), tokens, qRank + rank + rope, h, m.projection, mixers);
        matmul(phrase("query up projection"), tokens, q * (nope + rope), qRank > 0 ? qRank : h, m.projection, mixers);
        if (k.attention.gate != OutputGate::None)
            matmul(phrase("output gate"), tokens, k.attention.gate == OutputGate::Element ? q * v : q, h, m.projection,
                   mixers);
        const double latents = decodeTokens + (s.absorbs ? promptTokens : 0);
        matmul(phrase("absorbed key up"), latents, q * nope, rank, m.absorbed, mixers);
        matmul(phrase("absorbed value up"), latents, q * v, rank, m.absorbed, mixers);
        const double seen = s.promptTokens() + s.read() * cachedKeys(p, k, s.length, s.held);
        // Latents come from the other context ranks as they are: each rank projects all of them, the bound its own.
        if (promptTokens > 0 && !s.absorbs)
            matmul(phrase("latent up projection"), m.ideal ? seen / m.sizes.context : seen, q * (nope + v), rank,
                   m.projection, mixers);
        matmul(phrase("output projection"), tokens, h, q * v, m.projection, mixers);
    }

    void compressedProjections(const LayerKind& k)
    {
        const AttentionShape& a = k.attention;
        const double q = heads * real(a.headDim), all = real(a.heads) * real(a.headDim);
        const double rank = real(a.dsv4.qLoraRank), low = real(a.dsv4.oLoraRank), groups = real(a.dsv4.oGroups);
        matmul(phrase("latent down projection"), tokens, rank + real(a.headDim), h, m.projection, mixers);
        matmul(phrase("query up projection"), tokens, q, rank, m.projection, mixers);
        matmul(phrase("grouped output down"), tokens, low, q, m.projection, mixers);
        matmul(phrase("output projection"), tokens, h, groups * low / t, m.projection, mixers);
        const double known = h * (rank + real(a.headDim)) + rank * all + low * all + h * groups * low;
        const double rest = k.mixerWeights - k.indexerWeights - known;
        matmul(phrase("key compression"), tokens, rest / h, h, m.projection, mixers);
    }

    /// Scores every token it may choose from: projections, and a scan of its own small cache.
    void indexer(const LayerKind& k)
    {
        const double width = real(k.indexer->headDim);
        if (width <= 0)
            return;
        matmul(phrase("indexer projections"), tokens, k.indexerWeights / h, h, m.projection, mixers);
        double seen = 0;
        for (const double context : s.contexts)
            seen += indexedKeys(k, context) / static_cast<double>(s.contexts.size());
        const double prompt = indexedKeys(k, (s.length + 1) / 2 + s.cached);
        // Engines keep the indexer whole on every tensor rank, like its projections above.
        const double score = 2 * width * real(k.indexer->heads);
        if (s.sequences > 0) {
            const double scanned = s.sequences * seen / m.sizes.context;
            out.kernel({.name = phrase("indexer scan"),
                        .part = TimePart::Attention,
                        .flop = score * scanned * s.tokensEach,
                        .bytes = scanned * width * m.indexBytes,
                        .precision = m.plain.precision},
                       m.indexScan, mixers);
        }
        if (promptTokens > 0)
            out.kernel({.name = phrase("indexer scan of the prompt"),
                        .part = TimePart::Attention,
                        .flop = score * promptTokens * prompt,
                        .precision = m.plain.precision},
                       m.promptScan, mixers);
    }

    /// Query heads per key/value head of a rank, for engines that read the cache once per query head.
    double cacheReads(const LayerKind& k) const
    {
        const AttentionShape& a = k.attention;
        const bool grouped = a.kind != AttentionKind::Mla && a.kind != AttentionKind::Dsv4 && a.kvHeads > 0;
        return m.engine.cachePerQueryHead && !m.ideal && grouped ? heads / wholeShare(real(a.kvHeads), t) : 1;
    }

    void decodeCore(const LayerKind& k)
    {
        const double keys = s.sequences * meanDecodeKeys(p, k, s.contexts) / m.sizes.context;
        const bool latent = k.attention.kind == AttentionKind::Mla || k.attention.kind == AttentionKind::Dsv4;
        out.kernel({.name = phrase("attention core"),
                    .part = TimePart::Attention,
                    .flop = keys * s.tokensEach * coreFlopPerKey(k) * heads / real(k.attention.heads),
                    .bytes = keys * cacheValuesPerToken(k, t) * m.cacheBytes * cacheReads(k),
                    .precision = m.plain.precision},
                   latent ? m.latentDecode : m.decodeAttention, mixers);
        if (m.sizes.context > 1) // partial results of the ranks that share a cache, 32 bit
            out.link({.name = phrase("partial attention merge"),
                      .part = TimePart::ContextParallel,
                      .bytes = 4 * decodeTokens * heads * real(k.attention.valueDim())},
                     m.contextMerge, c.links.bumpBytes, mixers);
    }

    void promptCore(const LayerKind& k)
    {
        const AttentionShape& a = k.attention;
        const double q = heads, kv = cacheValuesPerToken(k, t);
        // Of its keys and values those must move that stay in the cache for later tokens.
        const double left = s.prompts * layerCacheBytes(p, k, s.length, m.kept(), t, m.sizes.context, 0);
        // Of a cached prefix a rank holds its share, and meets the others'.
        const double prefix = s.read() * cachedKeys(p, k, s.length, s.held) * kv * m.cacheBytes;
        double bytes = promptTokens * m.activationBytes * 2 * q * real(a.headDim) +
                       std::max(0.0, promptTokens * m.activationBytes * kv - left) + prefix * (1 - 1 / m.sizes.context);
        if (!m.fusesAttention) // scores written, read, and again as probabilities
            bytes += 4 * m.activationBytes * promptTokens * q * (s.length + s.cached);
        out.kernel({.name = phrase("prompt attention"),
                    .part = TimePart::Attention,
                    .flop = promptTokens * promptKeys(p, k, s.length, s.cached) * q * promptFlopPerPair(k, s.absorbs),
                    .bytes = prefix / m.sizes.context + left,
                    .activations = bytes,
                    .padding = 1 / narrowHeadShare(attentionWidths(k).keyDim, m.promptKernels),
                    .precision = m.plain.precision},
                   m.prefillAttention, mixers);
        if (m.sizes.context > 1) { // keys and values of the other ranks' tokens, as far as a window reaches
            const bool compressed = a.kind == AttentionKind::Dsv4;
            const double token = kv * m.cacheBytes, ranks = m.sizes.context - 1;
            const double query = m.activationBytes * real(a.headDim) + 4 * real(a.valueDim()); // and its partial result
            double others = ranks * (compressed || k.indexer ? left : promptTokens * token);
            if (!m.ideal) // of a cached prefix, or queries to it, whichever is less
                others += ranks * std::min(prefix / m.sizes.context, promptTokens * q * query);
            if (k.window > 0 && !compressed)
                others = std::min(others, std::max(1.0, s.read()) * k.window * token);
            out.link({.name = phrase("key/value exchange"), .part = TimePart::ContextParallel, .bytes = others},
                     m.contextGather, c.links.bumpBytes, mixers);
        }
    }

    /// Linear attention and state-space blocks: projections, and a state that every token updates.
    void stateMixer(const LayerKind& k)
    {
        const double inner = recurrentWidth(k);
        matmul(phrase("mixer input projection"), tokens, (k.mixerWeights / h - inner) / t, h, m.projection, mixers);
        matmul(phrase("mixer output projection"), tokens, h, inner / t, m.projection, mixers);
        const StateValueBytes kept = stateValueBytes(k, m.kept());
        const double state = stateValues(k) / t, window = convolutionValues(k, t) * kept.convolution;
        const double moved = c.linear.bytesPerState * (kept.state / 4); // the constant is of 32 bit
        // Read once, and written after every draft: those that are rejected have to be taken back.
        const double sequences = s.sequences * (1 + s.tokensEach) / 2 + s.read();
        out.kernel({.name = phrase("state update"),
                    .part = TimePart::Attention,
                    .flop = c.linear.flopPerState * tokens * state,
                    .bytes = sequences * (moved * state + 2 * window),
                    .precision = m.plain.precision},
                   m.mixerState, mixers);
        if (m.sizes.context > 1 && promptTokens > 0) { // each rank's own states to all others; the bound hands one on
            const double states = s.read() * (m.ideal ? 1 : m.sizes.context - 1) * state * kept.state;
            out.link({.name = phrase("state exchange"), .part = TimePart::ContextParallel, .bytes = states},
                     m.contextGather, c.links.bumpBytes, mixers);
        }
    }

    [[gnu::always_inline]] void dense(double width, bool gated, double count, double starts, TimePart part)
    {
        matmul(gated ? phrase("feed-forward gate and up") : phrase("feed-forward up"), tokens,
               (gated ? 2 : 1) * width / t, h, m.dense, count, part, starts);
        matmul(phrase("feed-forward down"), tokens, h, width / t, m.dense, count, part, starts);
    }

    void feedForward(const LayerKind& k)
    {
        if (k.ffn > 0)
            dense(k.ffn, k.gated, feedForwards, 1, TimePart::Matmul);
        if (!k.hasMoe)
            return;
        matmul(phrase("router"), tokens, real(k.moe.experts), h, m.plain, feedForwards, TimePart::Experts);
        if (k.moe.sharedFfn > 0)
            dense(real(k.moe.sharedFfn), k.moe.gated, feedForwards, c.experts.sharedStartShare, TimePart::Experts);
        // What else the block multiplies for every token: latent projections, the shared experts' gate.
        const double shared = (k.moe.gated ? 3 : 2) * h * real(k.moe.sharedFfn);
        const double rest = std::max(0.0, k.sharedWeights - shared) / h;
        matmul(phrase("latent expert projections"), tokens, rest, h, m.dense, feedForwards, TimePart::Experts,
               k.moe.latent > 0 ? 1 : 0);
        routedExperts(k);
    }

    void routedExperts(const LayerKind& k)
    {
        const ExpertConstants& x = c.experts;
        const double experts = real(k.moe.experts), topK = real(k.moe.topK), e = m.sizes.expert;
        const double split = m.sizes.expertSplit();
        const double held = m.sizes.expertsHeld(k), part = held / experts; // of the fullest device
        const double all = meanTokens * s.ranks;                           // tokens of the whole replica meet here
        const double width = expertWidth(k, h), f = real(k.moe.ffn);
        double rows = all * topK * part;
        const double even = r == Routing::Fewest ? topK / e : distinctExperts(experts, k.missLog, all) * part;
        double distinct = even;
        double padding = 1;
        if (!m.ideal) {
            const double skew =
                x.smallBatchSkew + (1 - x.smallBatchSkew) * std::min(1.0, all * topK / experts / x.evenRows);
            distinct *= skew;
            if (e > 1) { // the busiest device sets the pace
                const double z = m.busiestExperts;
                distinct += z * std::sqrt(std::max(0.0, distinct * (1 - distinct / held)));
                distinct = std::min(distinct, held);
                rows += z * std::sqrt(rows);
            }
            padding = std::clamp(x.tileRows * distinct / rows, 1.0, x.mostPadding) * m.expertImbalance;
        }
        const double weights = k.expertWeights / split * m.routed.bytes;
        const double copies = x.activationCopies * (m.activationBytes / 2); // the constant is of 16 bit
        out.kernel({.name = phrase("routed experts"),
                    .part = TimePart::Experts,
                    .flop = 2 * rows * k.expertWeights / split,
                    .bytes = distinct * weights,
                    .lightBytes = even * weights, // MBU counts even routing
                    .activations = copies * rows * (2 * width + 3 * f / split),
                    .padding = padding,
                    .precision = m.routed.precision},
                   m.experts, feedForwards);
    }

    /// Sums over the tensor-parallel ranks after each block; with attention data parallelism two all-to-alls around
    /// the experts instead of the second.
    void reduce(const LayerKind& k)
    {
        const bool mixer = k.mixer != MixerKind::None, ffn = k.ffn > 0 || k.hasMoe;
        const bool exchanged = k.hasMoe && m.sizes.attentionData > 1;
        if (t > 1) {
            const bool divided = ffn && !exchanged;
            const double least = tensorSums(p.architecture, mixer, divided).results;
            const double sums = m.sumsBlocksOnce ? least : (mixer ? 1 : 0) + (divided ? 1 : 0);
            LinkRate rate = m.allReduce;
            if (sums > least) // the bound is of what has to be summed
                rate.lightPerByte *= least / sums;
            if (sums > 0)
                out.link({.name = phrase("all-reduce"),
                          .part = TimePart::TensorParallel,
                          .bytes = m.activationBytes * tokens * h},
                         rate, c.links.bumpBytes, k.count * sums);
        }
        if (exchanged) {
            const auto way = m.exchange.oneWay(real(k.moe.topK));
            const double values = tokens / t * way.copies * expertWidth(k, h);
            out.link({.name = phrase("expert all-to-all"),
                      .part = TimePart::ExpertParallel,
                      .bytes = m.exchange.valueBytes * values * m.expertImbalance},
                     way.link, c.links.bumpBytes, 2 * k.count);
        }
    }
};

} // namespace headroom::inference
