// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_machine.hpp"

#include "core/hardware/bound.hpp"
#include "core/hardware/power.hpp"
#include "core/hardware/roofline.hpp"
#include "core/hardware/sixteen_bit.hpp"
#include "core/predict/device_domain.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_speculation.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/layout_parts.hpp"
#include "core/support/whole_parts.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::inference
{
namespace
{

double atLeastOne(std::int64_t n)
{
    return static_cast<double>(std::max<std::int64_t>(1, n));
}

/// Builds the rates of one scenario.
class Builder final
{
public:
    Builder(const PreparedScenario& p, bool ideal, Machine& machine)
        : m_p(p), m_a(*p.accelerator), m_c(p.calibration->inference), m_ideal(ideal),
          m_software(effectiveSoftware(p.inference)), m_powerLimit(powerLimitShare(p.hardware, *p.accelerator)),
          m_memoryLimit(memoryUnderLimit(m_powerLimit)), m_m(machine)
    {
        m_m.ideal = ideal;
        m_m.dealsEvenly = ideal || p.inference.requestsPerS;
        m_m.bandwidth = m_a.memoryBandwidth();
        m_lightPerByte = 1 / std::max(m_m.bandwidth, 1.0);
        m_bandwidth = m_m.bandwidth * p.efficiency.memoryBandwidth;
        m_m.family = kernelFamily(m_a.family);
        m_m.engine = m_c.engines[static_cast<std::size_t>(m_software)];
        if (const auto most = p.inference.maxTokensPerPass) {
            m_m.passTokens = static_cast<double>(std::max<std::int64_t>(1, *most));
            m_m.engine.chunkTokens = m_m.passTokens; // in place of the engine's own: llama.cpp's -ub
        }
        m_m.contexts = decodeContexts(p.inference);
        m_m.admissionWait = p.inference.admissionWait.value_or(m_m.admissionWait);
    }

    void build()
    {
        chooseProfile();
        setSizes();
        setWeights();
        setKernels();
        setLinks();
        if (speculates(m_p))
            setSpeculation();
        if (readsFromHost(m_p.inference))
            addHost(m_p, m_m);
        if (m_a.hostLinkGbPerS <= 0 && countsHostLink(m_p, m_m.sizes.devices()))
            m_m.warnings.add(WarningCode::HostLinkAssumed, hostLinkRate(m_p) / giga);
        judgeByRuns(m_p, m_software, m_m);
    }

private:
    const PreparedScenario& m_p;
    const Accelerator& m_a;
    const InferenceCalibration& m_c;
    bool m_ideal;
    InferenceSoftware m_software; ///< whose profile serves
    double m_powerLimit = 1;      ///< share of the rated power that the board may draw
    double m_memoryLimit = 1;     ///< what that leaves of the memory's rate
    double m_bandwidth = 0;
    double m_lightPerByte = 0; ///< s, at the rated bandwidth
    double m_peak16 = 0;
    CutUnits m_units;
    double m_peakAttention = 0; ///< 16 bit, or as wide as a wider `compute`
    Machine& m_m;

    void chooseProfile()
    {
        m_m.vendor = vendorGroup(m_a);
        m_m.profile = m_c.profiles[static_cast<std::size_t>(m_software)][static_cast<std::size_t>(m_m.vendor)];
        if (m_software != InferenceSoftware::Tuned && m_m.profile.rows <= 0)
            m_m.warnings.add(WarningCode::SoftwareWithoutFit);
        ServingProfile& f = m_m.profile;
        if (m_ideal)
            f = {1, 1, 0, 0, 0, 0, 0, f.phi, f.rows};
        const Efficiency& e = m_p.efficiency;
        f.decode /= e.decode;
        f.prefill /= e.prefill;
        f.launchS *= e.host;
        f.promptLaunchS *= e.host;
        f.stepS *= e.host;
        f.sequenceS *= e.host;
        f.firstTokenS *= e.host;
        if (m_p.inference.arrival == Arrival::Burst)
            f.phi = m_c.serving.burstPhi;
        m_m.fewestInFlight = m_p.model->moeLayers > 0 ? m_m.engine.fewestExperts : m_m.engine.fewestDense;
    }

    void setSizes()
    {
        ParallelSizes& s = m_m.sizes;
        const Parallelism& q = m_p.parallelism;
        s.tensor = atLeastOne(q.tensor);
        s.pipeline = std::min(atLeastOne(q.pipeline), std::max(1.0, m_p.model->layers));
        s.context = atLeastOne(q.context);
        s.attentionData = atLeastOne(q.attentionData);
        s.expert = std::clamp(atLeastOne(q.expert), 1.0, s.expertRanks());
        if (!m_ideal)
            m_m.expertImbalance = std::min(m_p.inference.expertImbalance, s.expert);
        s.replicas = atLeastOne(servingReplicas(m_p));
        m_m.layout = PipelineLayout(*m_p.model, s.pipeline);
        if (s.pipeline > 1) {
            s.fullestShare = m_m.layout.mostLayers() / m_p.model->layers;
            s.lastShare = m_m.layout.layers(m_m.layout.last()) / m_p.model->layers;
        }
        warnSizes();
    }

    void warnSizes()
    {
        const ParallelSizes& s = m_m.sizes;
        const auto uneven = [](double n, double parts) { return parts > 1 && !dividesInto(n, parts); };
        if (m_m.layout.uneven())
            m_m.warnings.add(WarningCode::LayersNotDivisible, s.pipeline);
        if (m_p.model->attentionLayers > 0 && uneven(static_cast<double>(m_p.model->architecture.heads), s.tensor))
            m_m.warnings.add(WarningCode::HeadsNotDivisible, s.tensor);
        if (m_p.model->experts > 0 && uneven(m_p.model->experts, s.expert))
            m_m.warnings.add(WarningCode::ExpertsNotDivisible, s.expert);
        if (static_cast<double>(m_p.parallelism.expert) > s.expertRanks())
            m_m.warnings.add(WarningCode::ExpertGroupTooLarge);
        else if (!dividesInto(s.expertRanks(), s.expert))
            m_m.warnings.add(WarningCode::ExpertGroupTooLarge, s.expertRanks());
        if (lacksParts(m_p))
            m_m.warnings.add(WarningCode::SoftwareLacks);
    }

    /// Share of the bandwidth that the engine's kernels can ask for: `memory`, or what its loads in flight carry.
    [[nodiscard]] double weightShare(WeightKind kind, double memory) const
    {
        const double clock = (m_a.boostClockMhz > 0 ? m_a.boostClockMhz : m_a.peakClockMhz) * 1e6;
        // Hopper's kernels alone are fitted so; a unit of other chips may be a hundred of its.
        const bool own =
            kind == WeightKind::Only4 && m_m.engine.only4BytesPerClock > 0 && m_m.family == KernelFamily::Hopper;
        const double each = own ? m_m.engine.only4BytesPerClock : m_m.engine.bytesPerClock;
        const double limit = each > 0 && hasGpuCores(m_a) ? each * m_a.computeUnits * clock : 0;
        return limit > 0 ? std::min(memory, limit / std::max(m_bandwidth, 1.0)) : memory;
    }

    /// Most boards have no limit.
    [[nodiscard]] double underLimit(double share) const
    {
        return m_powerLimit < 1 ? shareUnderLimit(share, m_powerLimit) : share;
    }

    [[nodiscard]] KernelRate rate(double start, double compute, double memory, double exponent, double peak,
                                  double multiplier) const
    {
        const double p = std::max(peak, 1.0), device = std::max(m_m.bandwidth, 1.0);
        const double user = m_p.efficiency.memoryBandwidth;
        if (m_ideal)
            return {0, 1 / sustained(p, multiplier), 1 / sustained(device, user), hardRoofline, 1 / p, m_lightPerByte};
        return {start,
                compute > 0 ? 1 / sustained(p, underLimit(compute) * multiplier) : 0,
                1 / sustained(device, user * memory * m_memoryLimit),
                exponent,
                1 / p,
                m_lightPerByte};
    }

    [[nodiscard]] WeightClass weights(WeightKind kind, double bytes, DataType precision) const
    {
        const MatmulConstants& k = m_c.matmul[static_cast<std::size_t>(m_m.family)][static_cast<std::size_t>(kind)];
        const bool sixteen = kind == WeightKind::Bits16 || kind == WeightKind::Only8 || kind == WeightKind::Only4;
        const bool wide = precision == DataType::Fp32 || precision == DataType::Tf32;
        const double peak = sixteen && !wide ? m_peak16 : peakOf(precision);
        const bool quantizes = kind == WeightKind::Bits8 || kind == WeightKind::Bits8Block || kind == WeightKind::Bits4;
        const double start = k.startS + (quantizes ? m_m.engine.quantizeS : 0);
        const double compute = sixteen ? m_units.share16(k.compute) : k.compute;
        return {rate(start, compute, weightShare(kind, k.memory), k.exponent, peak, m_p.efficiency.matmul), bytes, peak,
                precision};
    }

    /// A part with `bytes` of its own, 0 for none, is multiplied as the rest; what has 8 bits, in no fewer.
    [[nodiscard]] WeightClass ofPart(WeightClass stored, double bytes) const
    {
        if (bytes >= 1 && isFourBit(stored.precision))
            return weights(WeightKind::Bits8, bytes, DataType::Fp8);
        return bytes > 0 ? (stored.bytes = bytes, stored) : stored;
    }

    [[nodiscard]] double peakOf(DataType type) const
    {
        const double rated = m_a.peakFlops(type);
        return rated > 0 ? rated : std::max({m_a.peakFlops(DataType::Bf16), m_a.peakFlops(DataType::Fp32), 1.0});
    }

    void setWeights()
    {
        const InferenceWorkload& w = m_p.inference;
        const Precisions p = resolvePrecisions(w, m_p.model->architecture, m_a, m_m.engine);
        if (p.unavailable || takesOtherSixteen(m_a, p.compute))
            m_m.warnings.add(WarningCode::PrecisionUnavailable);
        // GeForce cards: 16-bit accumulation doubles the rate; the ideal bound allows for it whatever the engine.
        m_peak16 = peakOf(DataType::Bf16);
        if (m_ideal || m_m.engine.accumulates16)
            m_peak16 = std::max(m_peak16, m_a.peak.fp16Accumulate16 * tera);
        const WeightKind kind = weightKind(p);
        if (p.unknown)
            m_m.warnings.add(WarningCode::NativeUnknown);
        const double bytes = w.weightBits ? *w.weightBits / 8 : p.bytes;
        const bool wide = p.compute == DataType::Fp32 || p.compute == DataType::Tf32, all = m_m.engine.quantizesAll;
        m_m.activationBytes = wide ? 4 : 2;
        const double design = m_c.attention[static_cast<std::size_t>(m_m.family)].fullFlops;
        if (m_a.matrix16FlopPerClockPerUnit != design && !wide && !m_m.engine.accumulates16)
            m_units = {unitCut(m_a, design, m_peak16), m_c.cutShare};
        const DataType sixteen = wide ? p.compute : DataType::Bf16;
        const WeightClass stored = weights(kind, bytes, p.compute);
        m_m.plain = weights(WeightKind::Bits16, p.weights == DataType::Fp32 ? 4 : 2, sixteen);
        const auto part = [&](double own) { return ofPart(stored, w.weightBits ? 0 : own); };
        m_m.projection = part(p.mixerBytes);
        m_m.dense = part(p.denseBytes);
        m_m.routed = part(p.expertBytes);
        if (!all) { // those read no checkpoint as its maker published it
            if (p.wideMixer)
                m_m.projection = m_m.plain;
            if (p.wideDense)
                m_m.dense = m_m.plain;
            if (p.wideExperts)
                m_m.routed = m_m.plain;
        }
        if (m_m.engine.tileHidden > 0 && p.weights == DataType::Mxfp4 && !p.wideExperts)
            m_m.expertFill = wholeTiles(m_p.model->architecture, m_m.engine, m_m.sizes.expertSplit());
        m_m.absorbed = m_ideal && m_m.projection.peak >= m_m.plain.peak ? m_m.projection : m_m.plain;
        m_m.absorbed.bytes = (m_ideal ? m_m.projection : m_m.plain).bytes; // Blackwell Ultra's INT8 units are slow
        m_m.head = all ? stored : p.headBytes > 0 ? part(p.headBytes) : m_m.plain;
        m_m.embeddingBytes = (all ? stored : p.embedBytes > 0 ? part(p.embedBytes) : m_m.plain).bytes;
        m_m.cacheBytes = storedBytes(w.kvCache);
        m_m.peak = std::max(stored.peak, m_m.plain.peak);
        m_peakAttention = m_m.plain.peak;
    }

    void setKernels()
    {
        const Efficiency& e = m_p.efficiency;
        const AttentionConstants& a = m_c.attention[static_cast<std::size_t>(m_m.family)];
        m_m.fusesAttention =
            m_p.inference.flashAttention != FlashAttention::Off && (m_ideal || m_m.engine.fusesAttention);
        const double cache = a.decodeMemory * (m_m.fusesAttention ? 1 : m_m.engine.cacheReadShare) * e.attention;
        const bool older =
            m_m.family == KernelFamily::A100 || m_m.family == KernelFamily::Ada || m_m.family == KernelFamily::Other;
        m_m.promptKernels = older ? AttentionKernels::SecondVersion : AttentionKernels::Later;
        m_m.prefillAttention =
            rate(a.startS, m_units.share16(a.prefill), a.decodeMemory, hardRoofline, m_peakAttention, e.attention);
        // As many query heads as meet a key, and drafted tokens, keep matrix units busy beside the traffic: slow ones
        // (H20, Apple) take longer than it.
        m_m.decodeAttention =
            rate(a.startS, m_units.share16(a.decodeCompute), cache, hardRoofline, m_peakAttention, e.attention);
        m_m.latentDecode = rate(a.startS, m_units.share16(a.decodeCompute), cache, 1, m_peakAttention, e.attention);
        // Where matmuls run in 8 bit, an indexer scores in 8 bit (DeepSeek-V3.2 report, 2.1); its cache is 8 bit too.
        const double scores = std::max(m_peakAttention, std::min(m_m.peak, m_a.peakFlops(DataType::Fp8)));
        m_m.indexScan =
            rate(m_c.smallKernels.indexerS, m_units.share16(a.decodeCompute), cache, hardRoofline, scores, e.attention);
        m_m.promptScan = rate(0, m_units.share16(a.prefill), a.decodeMemory, hardRoofline, scores, e.attention);
        const LinearMixerConstants& l = m_c.linear;
        m_m.mixerState = rate(l.startS, l.compute, l.memory, 1, m_peakAttention, e.attention);
        const ElementwiseConstants& w = m_c.elementwise;
        m_m.elementwise = rate(w.startS, 0, w.memory, 1, m_peakAttention, 1);
        m_m.smallStart = w.startS > 0 ? m_c.smallKernels.startS / w.startS : 0;
        const ExpertConstants& x = m_c.experts;
        m_m.experts = m_m.routed.rate;
        if (!m_ideal) {
            m_m.experts.startS = expertStart();
            m_m.experts.perFlop /= x.compute;
            m_m.experts.perByte /= x.memory;
            m_m.experts.exponent = x.exponent;
            if (m_m.sizes.expert > 1) // logarithms are dear, and every pass asks
                m_m.busiestExperts = x.imbalance * std::sqrt(std::log(m_m.sizes.expert) / std::log(x.imbalanceRanks));
        }
    }

    [[nodiscard]] double expertStart() const
    {
        const ExpertConstants& x = m_c.experts;
        if (m_software == InferenceSoftware::GptFast)
            return x.gptFastStartS;
        if (m_software == InferenceSoftware::TrtLlm && m_m.family == KernelFamily::Blackwell)
            return x.trtLlmBlackwellStartS;
        // From 1.0 PyTorch calls its kernels one by one (release notes of 1.0); the runtime in C++ before did not.
        const auto& release = m_p.inference.softwareVersion;
        const bool runtime = release && release->before("1.0");
        if (m_software == InferenceSoftware::TrtLlm && m_m.family == KernelFamily::Hopper && !runtime)
            return x.trtLlmHopperStartS;
        return x.startS[static_cast<std::size_t>(m_m.family)];
    }

    void setLinks()
    {
        const ParallelSizes& s = m_m.sizes;
        const InferenceLinkConstants& l = m_c.links;
        if (s.devices() <= 1)
            return;
        m_m.sumsBlocksOnce = sumsBlocksOnce(m_p.model->architecture, m_software, m_ideal);
        m_m.allReduce = allReduceRate(m_p, s.tensor, m_m.engine.ringHopS, m_ideal, m_m.warnings);
        m_m.contextMerge = allReduceRate(m_p, s.context, m_m.engine.ringHopS, m_ideal, m_m.warnings, s.tensor);
        m_m.contextGather = gatherRate(m_m.contextMerge, s.context, m_ideal);
        if (s.attentionData > 1 && m_p.model->moeLayers > 0)
            setExchange();
        if (s.pipeline <= 1)
            return;
        const DeviceDomain d = domainOf(m_p, s.devices());
        m_m.send = s.devices() > d.size ? network(l.sendShare) : inside(d, l.sendStartS, l.sendShare);
    }

    void setExchange()
    {
        const InferenceLinkConstants& l = m_c.links;
        const double ranks = m_m.sizes.expertRanks();
        const DeviceDomain d = domainOf(m_p, ranks);
        ExchangeLinks& x = m_m.exchange;
        x.group = groupShape(ranks, 1, d.size);
        x.experts = m_m.sizes.expert;
        // The bound sends what experts multiply: 8 bit, where they do.
        const double back = m_m.activationBytes, there = std::min(back, storedBytes(m_m.routed.precision));
        x.once = m_ideal;
        x.valueBytes = m_ideal ? (there + back) / 2 : back;
        x.mostCopies = mostCopies(m_p.model->architecture.moe, m_p.calibration->training.constants);
        x.inside = inside(d, l.exchangeStartS, l.exchangeShare);
        if (!x.group.crossesNodes())
            return;
        x.across = network(l.exchangeShare);
        x.inside.startS = x.across.startS; // an exchange ends with its last copy
    }

    /// Between devices of a domain, of whose link a kernel sustains `share`.
    [[nodiscard]] LinkRate inside(const DeviceDomain& d, double startS, double share) const
    {
        return link(startS, d.link, share, m_p.efficiency.scaleUp);
    }

    /// Between domains.
    [[nodiscard]] LinkRate network(double share)
    {
        return link(m_c.links.scaleOutStartS, nic(), share, m_p.efficiency.scaleOut);
    }

    /// A link of `rated` bytes/s: `share` of it, which a user's `multiplier` may lift up to all.
    [[nodiscard]] LinkRate link(double startS, double rated, double share, double multiplier) const
    {
        if (m_ideal)
            return {0, 1 / sustained(rated, multiplier), 0, 1 / sustained(rated, multiplier)};
        return {startS, 1 / sustained(rated, share * multiplier), 0, 1 / sustained(rated, multiplier)};
    }

    [[nodiscard]] double nic()
    {
        const double gbit = m_p.hardware.scaleOutGbitPerS.value_or(m_a.scaleOutGbitPerS);
        if (gbit <= 0)
            m_m.warnings.add(WarningCode::NicAssumed, m_c.links.assumedNic * 8 / giga);
        return gbit > 0 ? gbit * giga / 8 : m_c.links.assumedNic;
    }

    void setSpeculation()
    {
        const SpeculationConstants& c = m_c.speculation;
        const InferenceWorkload& w = m_p.inference;
        Speculation& s = m_m.speculation;
        s.method = w.drafting;
        s.drafts = std::min(atLeastOne(w.draftTokens), double(Acceptance::most));
        s.passes = *s.method == Drafting::Ngram ? 0 : *s.method == Drafting::Medusa ? 1 : s.drafts;
        if (!m_ideal) {
            s.host = c.host[static_cast<std::size_t>(m_software)];
            s.host.verifyS *= m_p.efficiency.host;
            s.host.draftS *= m_p.efficiency.host;
            s.host.sequenceS *= m_p.efficiency.host;
        }
        accept(w, c, s);
        if (!w.acceptance && !w.acceptanceLength && w.outputTokens > 1) // one token is written by the prompt's pass
            m_m.warnings.add(WarningCode::AcceptanceAssumed, s.accepted);
    }
};

} // namespace

// One function with all that it calls: calls cost as much as the sums.
[[gnu::flatten]] Machine makeMachine(const PreparedScenario& prepared, bool ideal) noexcept
{
    Machine machine;
    Builder(prepared, ideal, machine).build();
    return machine;
}

} // namespace headroom::inference
