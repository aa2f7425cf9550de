// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas: docs/method/matmul.md and docs/method/attention.md.
#include "core/predict/training/training_layer.hpp"

#include "core/hardware/roofline.hpp"
#include "core/predict/attention_keys.hpp"
#include "core/predict/expert_width.hpp"
#include "core/predict/training/training_rank.hpp"
#include "core/support/language.hpp"
#include "core/support/whole_parts.hpp"

#include <algorithm>
#include <cmath>

namespace headroom
{
namespace
{

/// [rows × in] by [in × out], on this rank.
struct MatmulShape {
    double rows = 0, in = 0, out = 0;
    [[nodiscard]] double flop() const noexcept { return 2 * rows * in * out; }
};

class LayerBuilder final
{
public:
    LayerBuilder(const TrainingPlan& plan, const LayerKind& kind, OperatorSink& sink) noexcept
        : p(plan), k(kind), m_width(attentionWidths(kind)), m_own(headsOnRank(kind, plan.tensor)), m_sink(sink)
    {
    }

    void addLayer(LayerPart part) noexcept
    {
        if (part == LayerPart::All) {
            if (k.mixer != MixerKind::None)
                k.mixer == MixerKind::Attention ? addAttention() : addRecurrent();
            m_sink.endOfMixer();
        }
        if (k.ffn > 0)
            addFeedForward(phrase("feed-forward"), k.ffn, k.gated);
        if (k.hasMoe)
            addExperts();
        addMatmul(phrase("per-layer inputs"), {p.tokens, p.model->hidden, split(k.extraWeights / p.model->hidden)},
                  true, Repeated::Matmul);
        addMatmul(phrase("state and embedding joined"),
                  {p.tokens, p.model->hidden, split(k.joinWeights / p.model->hidden)}, false, Repeated::Matmul);
        addElementwise();
        if (p.adapters)
            addAdapters();
    }

    /// A matmul of 16-bit weights outside the layers: the head.
    void addHead() noexcept
    {
        const double step = p.profile.padsVocabulary ? alignedWidth : 1;
        const double vocab = step * std::ceil(p.model->vocab / p.tensor / step);
        const double in = p.model->headWeights / p.model->vocab;
        addMatmul(phrase("LM head"), {p.tokens, in, vocab}, true, Repeated::Never);
        if (in != p.model->hidden) // OPT-350M: from the embedding's width into the layers, and back
            addMatmul(phrase("embedding projections"), {p.tokens, in, split(2 * p.model->hidden)}, true,
                      Repeated::Never);
        const double bytes = p.constants.lossBytes * p.profile.lossFactor * p.tokens * vocab;
        const Work loss{0, bytes, bytes / (p.constants.elementwiseShare * p.bandwidth)};
        m_sink.add({phrase("loss"), TimePart::MemoryBound, true, Repeated::Never, {}, loss});
    }

private:
    [[nodiscard]] double split(double width) const noexcept { return width / p.tensor; }

    /// One product: t0 + soft maximum of compute, at `share` of the peak, and traffic.
    [[nodiscard]] static double productSeconds(double flop, double bytes, const MatmulLaw& law, double share,
                                               double peak, double bandwidth) noexcept
    {
        return law.start + softMaximum(flop / (share * peak), bytes / (law.memory * bandwidth), law.p);
    }

    /// Values of 16 bit in 16 bytes: rows that do not start on such a boundary miss the fast kernels of the tensor
    /// cores (NVIDIA, Matrix Multiplication Background: Tensor Core requirements).
    static constexpr double alignedWidth = 8;

    /// Gradients of `weights` weights are added to 32-bit sums: in the epilogue of the matmul that makes them, which
    /// hides their bytes behind its arithmetic, or apart from it, from the second micro-batch on.
    [[nodiscard]] double bytesSummedInside(double weights) const noexcept
    {
        return p.profile.accumulatesFp32 ? p.constants.weightGradientBytes * weights : 0;
    }
    [[nodiscard]] Work summedApart(double weights) const noexcept
    {
        if (p.profile.accumulatesFp32 || p.microBatches <= 1)
            return {};
        const double added = 1 - 1 / p.microBatches; // the first micro-batch has nothing to add to
        const double bytes = p.constants.weightGradientBytes * weights * added;
        return {0, bytes, bytes / (p.constants.weightGradientShare * p.bandwidth)};
    }

    void addMatmul(std::string_view name, MatmulShape s, bool wide, Repeated repeated) noexcept
    {
        if (s.in <= 0 || s.out <= 0)
            return;
        const MatmulLaw& law = wide ? p.law16 : p.law;
        const bool aligned = !wide || dividesInto(s.out, alignedWidth);
        const double share = law.compute * (aligned ? 1 : p.constants.unalignedShare);
        const double peak = wide ? p.peak16 : p.peak;
        const double value = p.valueBytes, e = wide ? value : p.inputBytes;
        const double x = s.rows * s.in, w = s.in * s.out, y = s.rows * s.out, flop = s.flop();
        const auto product = [&](double bytes) {
            return Work{flop, bytes, productSeconds(flop, bytes, law, share, peak, p.bandwidth)};
        };
        const bool alike = e == value; // then the three products move the same
        const Work forward = product(e * (x + w) + value * y);
        Work backward = alike ? forward : product(e * (y + w) + value * x); // input gradient
        if (!p.adapters) {
            const double sum = bytesSummedInside(w);
            backward += alike && sum == 0 ? forward : product(e * (x + y) + value * w + sum);
            backward += summedApart(w);
        }
        m_sink.add({name, TimePart::Matmul, wide, repeated, forward, backward});
    }

    void addProjections() noexcept
    {
        const double h = p.model->hidden;
        constexpr Repeated again = Repeated::Matmul;
        const AttentionShape& a = k.attention;
        const double outWidth = m_own.heads * m_width.valueDim;
        if (a.kind == AttentionKind::Mla) {
            const double latent = double(a.mla.kvLoraRank), rank = double(a.mla.qLoraRank);
            const double queries = m_own.heads * m_width.keyDim;
            const Repeated up = rank > 0 ? Repeated::Expansion : again; // from the latents that were kept
            const double down = latent + double(a.mla.qkRope) + rank;
            addMatmul(phrase("latent projections"), {p.tokens / p.sequenceSplit, h, down}, false, again);
            addMatmul(phrase("query projection"), {p.tokens, rank > 0 ? rank : h, queries}, false, up);
            addMatmul(phrase("key and value expansion"),
                      {p.tokens, latent, m_own.heads * (double(a.mla.qkNope) + m_width.valueDim)}, false, up);
            // What else the mixer multiplies every token by: an indexer's projections, an output gate.
            const double known = h * down + (rank > 0 ? rank : h) * m_width.heads * m_width.keyDim +
                                 latent * m_width.heads * (double(a.mla.qkNope) + m_width.valueDim) +
                                 m_width.heads * m_width.valueDim * h;
            addMatmul(phrase("indexer projections"), {p.tokens, h, split(std::max(0.0, k.mixerWeights - known) / h)},
                      false, again);
        } else {
            const double outWeights = a.kind == AttentionKind::Dsv4 ? 0 : h * m_width.outputWidth();
            double out = split((k.mixerWeights - outWeights) / h);
            if (!a.kvShared) // key/value heads that a rank must repeat
                out += (m_own.kvHeads - split(m_width.kvHeads)) * (m_width.keyDim + (a.kEqV ? 0 : m_width.valueDim));
            out += (m_own.heads - split(m_width.heads)) * m_width.keyDim;
            addMatmul(phrase("QKV projection"), {p.tokens, h, out}, false, again);
            if (a.kind == AttentionKind::Dsv4)
                return; // its grouped output is among the projections above
        }
        addMatmul(phrase("output projection"), {p.tokens, outWidth, h}, false, again);
    }

    void addAttention() noexcept
    {
        addProjections();
        const double keys = meanKeys(k, p.model->architecture, p.sample, KeyCount::ExactCausal);
        const double dims = m_own.heads * (m_width.keyDim + m_width.valueDim);
        const double traffic = p.valueBytes * p.tokens * (dims + m_own.kvHeads * (m_width.keyDim + m_width.valueDim));
        if (p.flash)
            addFused(2 * p.tokens * dims * keys + indexerFlop(), traffic);
        else
            addUnfused(traffic);
    }

    [[nodiscard]] double indexerFlop() const noexcept
    {
        return k.indexer ? p.tokens * layerIndexerFlopPerToken(k, p.sample, KeyCount::ExactCausal) / p.tensor : 0;
    }

    [[nodiscard]] AttentionKernels attentionKernels() const noexcept
    {
        const bool older = p.family == TrainingFamily::A100 || p.family == TrainingFamily::Pcie;
        const bool second = older ||
                            (p.family == TrainingFamily::B200 && madeForAmpere(p.setup->training.flashAttention)) ||
                            p.hopperAttention() < 1;
        return second ? AttentionKernels::SecondVersion : AttentionKernels::Later;
    }

    void addFused(double flop, double traffic) noexcept
    {
        const TrainingConstants& c = p.constants;
        const double narrow = p.ideal ? 1 : narrowHeadShare(m_width.keyDim, attentionKernels());
        const double slower = 1 + c.attentionShortTokens / p.sample;
        const double read = traffic / (c.attentionTrafficShare * p.bandwidth);
        // Where arithmetic is scarce beside bandwidth (H20), a fused kernel's share of the peak rises: it never takes
        // longer than the matmuls and the scores that it replaces, which does not make its own traffic any faster.
        const auto seconds = [&](double work, double share, double start, double bytes, double unfused) {
            const double compute = work / (share * narrow * p.peak16) * slower;
            return p.ideal ? std::max(compute, bytes) : std::min(start + compute + bytes, std::max(unfused, bytes));
        };
        const double back = c.attentionBackwardFlop * flop;
        m_sink.add({phrase("attention core"),
                    TimePart::Attention,
                    true,
                    Repeated::Attention,
                    {flop, traffic,
                     seconds(flop, p.attention.forward, c.attentionStartForward, read,
                             unfused(1, c.scoreBytesForward, traffic).seconds)},
                    {back, 2 * traffic,
                     seconds(back, p.attention.backward, c.attentionStartBackward, 2 * read,
                             unfused(2, c.scoreBytesBackward, traffic).seconds)}});
    }

    /// Rows of a head start on 16-byte boundaries: what the tensor cores' batched kernels ask for.
    [[nodiscard]] bool aligned() const noexcept
    {
        return p.ideal || (std::int64_t(m_width.keyDim) % 8 == 0 && std::int64_t(m_width.valueDim) % 8 == 0);
    }
    /// FLOP/s beside the tensor cores; a sixteenth of theirs where the catalogue does not say (as on an A100).
    [[nodiscard]] double vectorRate() const noexcept
    {
        const double fp32 = p.accelerator->peakFlops(DataType::Fp32);
        return fp32 > 0 ? std::min(fp32, p.peak16) : p.peak16 / 16;
    }

    /// Full s × s matmuls, scores written and read, windows and other samples masked: what a stack without
    /// FlashAttention runs. The bound leaves out what is masked, and so does what a fused kernel is held against.
    [[nodiscard]] Work unfused(double passes, double bytesPerScore, double traffic) const noexcept
    {
        const TrainingConstants& c = p.constants;
        const double least = k.window > 0 ? std::min(k.window, p.sample) : p.sample;
        const double seen = p.flash || p.ideal ? least : p.sequence;
        const double flop =
            passes * (2 * p.tokens * m_own.heads * (m_width.keyDim + m_width.valueDim) * seen + indexerFlop());
        const double rate = c.unfusedMatmulShare * p.law16.compute * (aligned() ? p.peak16 : vectorRate());
        const double bytes = bytesPerScore * p.valueBytes / 2 * p.tokens * m_own.heads * seen; // per 16-bit score
        const double seconds = flop / rate,
                     moving = bytes / (c.scoreShare * p.bandwidth) + traffic / (c.attentionTrafficShare * p.bandwidth);
        return Work{flop, bytes + traffic, p.ideal ? std::max(seconds, moving) : seconds + moving};
    }

    void addUnfused(double traffic) noexcept
    {
        const Work forward = unfused(1, p.constants.scoreBytesForward, traffic);
        m_sink.add({phrase("attention core"), TimePart::Attention, true, Repeated::Attention, forward,
                    unfused(2, p.constants.scoreBytesBackward, traffic)});
    }

    /// Linear attention and state-space blocks: projections, then a scan over their inner width.
    void addRecurrent() noexcept
    {
        const double h = p.model->hidden, inner = recurrentWidth(k);
        addMatmul(phrase("input projection"), {p.tokens, h, split(k.mixerWeights / h - inner)}, false,
                  Repeated::Matmul);
        addMatmul(phrase("output projection"), {p.tokens, split(inner), h}, false, Repeated::Matmul);
        const double bytes = p.valueBytes * p.tokens * split(inner) * p.constants.scanPasses;
        const Work scan{0, bytes, bytes * p.elementwiseSecondsPerByte};
        m_sink.add({phrase("scan"), TimePart::MemoryBound, true, Repeated::MemoryBound, scan, 2 * scan});
    }

    void addFeedForward(std::string_view name, double width, bool gated) noexcept
    {
        const double h = p.model->hidden;
        addMatmul(name, {p.tokens, h, split(gated ? 2 * width : width)}, false, Repeated::Matmul);
        addMatmul(name, {p.tokens, split(width), h}, false, Repeated::Matmul);
    }

    void addExperts() noexcept
    {
        const double h = p.model->hidden;
        const double own = p.tokens / p.tensor; // tokens whose routing this rank decides
        addMatmul(phrase("router"), {own, h, k.routerWeights / h}, true, Repeated::Matmul);
        double shared = k.sharedWeights;
        if (k.moe.sharedFfn > 0) {
            addFeedForward(phrase("shared experts"), double(k.moe.sharedFfn), k.moe.gated);
            shared -= (k.moe.gated ? 3 : 2) * h * double(k.moe.sharedFfn);
        }
        if (shared > h) // latent projections, gate
            addMatmul(phrase("expert projections"), {p.tokens, h, split(shared / h)}, false, Repeated::Matmul);
        addRoutedExperts(own);
        const TrainingConstants& c = p.constants;
        const double values = own * p.expertTensor * double(k.moe.topK) * expertWidth(k, p.model->hidden);
        const double bytes = p.valueBytes * values * c.dispatchPasses * p.dispatchTraffic(k);
        const Work dispatch{0, bytes, bytes * p.elementwiseSecondsPerByte};
        if (!p.ideal) // a fused kernel reads each token where it lies
            m_sink.add({phrase("expert dispatch"), TimePart::MemoryBound, true, Repeated::MemoryBound, dispatch,
                        c.dispatchBackward * dispatch});
    }

    /// Two grouped matmuls over the local experts; their weights are read once each. Few rows an expert fill its tiles
    /// badly: as if each had expertHalfRows more.
    void addRoutedExperts(double own) noexcept
    {
        const TrainingConstants& c = p.constants;
        const double local = expertsOnRank(p, k);
        const double rows = own * p.expertTensor * double(k.moe.topK);
        const double weights = local * k.expertWeights / p.expertTensor;
        const double h = expertWidth(k, p.model->hidden);
        const double width = double(k.moe.ffn) / p.expertTensor;
        const double values = rows * (2 * h + (k.moe.gated ? 3 : 2) * width);
        const double flop = 2 * rows * k.expertWeights / p.expertTensor;
        const double share = p.ideal ? 1 : c.expertCompute * rows / (rows + local * c.expertHalfRows);
        const MatmulLaw law{2 * c.expertStart, p.law.compute * share, c.expertMemory, p.law.p};
        const auto product = [&](double bytes) {
            const double seconds = productSeconds(flop, bytes, law, law.compute, p.peak, p.bandwidth);
            return Work{flop, bytes, p.expertImbalance * seconds};
        };
        const Work forward = product(p.inputBytes * weights + p.valueBytes * values);
        Work backward = forward;
        if (!p.adapters) {
            backward += product(p.valueBytes * weights + p.inputBytes * values + bytesSummedInside(weights));
            backward += summedApart(weights);
        }
        m_sink.add({phrase("routed experts"), TimePart::Experts, false, Repeated::Experts, forward, backward});
    }

    /// Feed-forward values a token has in this layer, over all its experts.
    [[nodiscard]] double feedForwardWidth() const noexcept
    {
        return k.ffn + double(k.moe.sharedFfn) + double(k.moe.topK) * double(k.moe.ffn) * p.expertTraffic(k);
    }
    [[nodiscard]] double qkvWidth() const noexcept
    {
        return split(m_width.queryWidth()) + m_own.kvHeads * (m_width.keyDim + m_width.valueDim);
    }

    /// 2 bytes read and 1 written, against 2 read and twice 1 written.
    static constexpr double castWithoutColumns = 0.75;

    void addElementwise() noexcept
    {
        const double h = p.model->hidden / p.sequenceSplit;
        const double blocks = (k.mixer != MixerKind::None ? 1 : 0) + (feedForwardWidth() > 0 ? 1 : 0);
        const double rotary = p.model->architecture.position == PositionKind::Rope ? 2 * qkvWidth() : 0;
        const double width = split(feedForwardWidth());
        double forward = 4 * blocks * h + rotary + (k.gated ? 3 : 2) * width;
        double backward = 5 * blocks * h + rotary + (k.gated ? 5 : 3) * width;
        forward *= p.valueBytes * p.tokens;
        backward *= p.valueBytes * p.tokens;
        if (p.width != MatmulClass::Bits16) {
            // Forward, the norms write what the next matmul reads; attention's result and the activations are cast.
            // Backward, the gradients of all results are. A copy by columns serves weight gradients alone.
            const double out = k.mixer == MixerKind::Attention ? split(m_width.outputWidth()) : 0;
            const double qkv = k.mixer == MixerKind::Attention ? qkvWidth() : 0;
            const double bytes =
                p.tokens * p.constants.castBytes * p.profile.castFactor * (p.adapters ? castWithoutColumns : 1);
            forward += bytes * (out + width);
            backward += bytes * (blocks * h + qkv + (k.gated ? 2 : 1) * width);
        }
        const double rate = p.elementwiseSecondsPerByte;
        m_sink.add({phrase("norms, residuals, activations"),
                    TimePart::MemoryBound,
                    true,
                    Repeated::MemoryBound,
                    {0, forward, forward * rate},
                    {0, backward, backward * rate}});
    }

    void addAdapters() noexcept
    {
        const TrainingWorkload& t = p.setup->training;
        const LayerAdapters a = layerAdapters(k, p.model->hidden, double(t.loraRank), t.loraTargets);
        const double flop = 2 * p.tokens * (a.parameters + double(k.moe.topK) * a.perExpert) / p.tensor;
        // `products`: matmuls of a factor, each as large as one forward.
        const auto work = [&](const LayerAdapters::Traffic& traffic, double products) {
            const double values = traffic.whole / p.sequenceSplit + split(traffic.split);
            const double bytes = p.constants.adapterTraffic * p.valueBytes * p.tokens * values;
            const double compute = products * flop / (p.law16.compute * p.peak16);
            return Work{products * flop, bytes,
                        std::max(compute, bytes * p.elementwiseSecondsPerByte) +
                            2 * products * a.matrices * p.law16.start};
        };
        m_sink.add({phrase("adapters"), TimePart::MemoryBound, true, Repeated::Matmul, work(a.forward, 1),
                    work(a.backward, 2)});
        if (!p.quantized)
            return;
        const double frozen = split(k.mixerWeights + k.denseWeights + k.sharedWeights) + repeatedHeadWeights(p, k) +
                              expertsOnRank(p, k) * k.expertWeights / p.expertTensor;
        const double packed = p.constants.dequantizeBytes * frozen;
        const Work pass{0, packed, packed / (p.constants.dequantizeShare * p.bandwidth)};
        m_sink.add({phrase("dequantisation"), TimePart::MemoryBound, true, Repeated::MemoryBound, pass, pass});
    }

    const TrainingPlan& p;
    const LayerKind& k;
    AttentionWidths m_width;
    RankHeads m_own;
    OperatorSink& m_sink;
};

} // namespace

[[gnu::flatten]] void addLayerOperators(const TrainingPlan& plan, const LayerKind& kind, OperatorSink& sink,
                                        LayerPart part) noexcept
{
    LayerBuilder(plan, kind, sink).addLayer(part);
}

[[gnu::flatten]] void addHeadOperators(const TrainingPlan& plan, OperatorSink& sink) noexcept
{
    static const LayerKind none;
    LayerBuilder(plan, none, sink).addHead();
}

} // namespace headroom
