// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_host.hpp"

#include "core/hardware/bound.hpp"
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_replica.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <limits>

namespace headroom::inference
{
namespace
{

/// Bytes/s of a device's link to its host: stated or sustained, never more than rated. Where the catalogue knows no
/// rate, the bound takes what is usual, or what is stated if that is more.
double hostLink(const PreparedScenario& p, bool ideal)
{
    const double known = p.accelerator->hostLinkGbPerS * giga;
    const auto& stated = p.inference.hostLinkGbPerS;
    if (stated && !ideal)
        return std::max(1.0, known > 0 ? sustained(known, *stated * giga / known) : *stated * giga);
    const double usual = std::max(p.calibration->inference.links.defaultHostLink, stated.value_or(0) * giga);
    const double rated = known > 0 ? known : usual;
    return std::max(1.0, sustained(rated, ideal ? 1 : p.calibration->inference.serving.hostLinkShare));
}

double nvmeRate(const PreparedScenario& p)
{
    const auto& stated = p.inference.nvmeGbPerS;
    return std::max(1.0, stated ? *stated * giga : p.calibration->inference.serving.nvmeRate);
}

/// Cache bytes of a sequence of `tokens` on the device that has most of it.
double cacheOnDevice(const PreparedScenario& p, const Machine& m, double tokens)
{
    return mostCacheBytes(m, *p.model, tokens);
}

double headBytes(const Machine& m, const ModelProfile& model)
{
    return model.headWeights * m.head.bytes / m.sizes.tensor;
}

/// Of the whole replica, those that a pass takes through the layers.
double passTokens(const Machine& m, const PassShape& shape)
{
    const double answers = shape.sequences * shape.evenSequences * shape.tokensEach;
    const double prompts = shape.promptTokens() * shape.evenPrompts / m.sizes.context;
    return std::max((answers + prompts) * shape.ranks, 1e-9);
}

/// The scenario without what lies in the tiers: the prompt's cache is computed again.
PreparedScenario withoutTiers(const PreparedScenario& p)
{
    PreparedScenario plain = p;
    plain.inference.tierHostHits.reset();
    plain.inference.tierNvmeHits.reset();
    return plain;
}

/// The tiers of the devices that read the prompts, one on each rank of attention data in `compute` seconds.
TiersResult describeTiers(const PreparedScenario& p, const Machine& m, double compute)
{
    const InferenceWorkload& w = p.inference;
    const double prompt = real(w.promptTokens), whole = prompt + answerTokens(w);
    const double perToken = cacheOnDevice(p, m, whole) / whole, ranks = m.sizes.attentionData;
    TiersResult r;
    const auto describe = [&](CacheTier& tier, const std::optional<double>& gb, const std::optional<double>& hits,
                              double rate) {
        tier.bytes = gb.value_or(0) * giga * m.sizes.devices();
        // Ranks that share a sequence's cache hold it together; ranks of attention data have sequences of their own.
        tier.tokens = perToken > 0 ? gb.value_or(0) * giga / perToken * ranks : 0;
        tier.hitTokens = std::min(1.0, hits.value_or(0)) * prompt;
        tier.bytesPerS = rate;
    };
    describe(r.host, w.tierHostGb, w.tierHostHits, m.hostLink);
    describe(r.nvme, w.tierNvmeGb, w.tierNvmeHits, nvmeRate(p));
    const TierLoad load = tierLoad(p, m);
    r.promptBytes = cacheOnDevice(p, m, prompt);
    r.loadBytes = load.bytes;
    r.loadS = load.ideal ? load.busyS() : load.nvmeS + load.linkS;
    r.shownS = load.shownS(compute);
    // Behind weights that the host sends slowly a prompt takes no longer without its cache.
    const double longer = promptsTime(withoutTiers(p), m, ranks) - compute;
    r.recomputeS = longer > roundingError * compute ? longer : 0;
    r.savedS = r.recomputeS - r.shownS;
    // Without a hit rate: of the whole prompt.
    if (load.bytes > 0)
        r.breakEvenBytesPerS = r.recomputeS > 0 ? load.bytes / r.recomputeS : 0;
    else
        r.breakEvenBytesPerS = compute > 0 ? r.promptBytes * (promptLength(w) / prompt) / compute : 0;
    return r;
}

/// A hit is of one prompt at least, whatever the traffic: a tier below that cannot have held what is found there.
void warnOfSmallTier(const InferenceWorkload& w, double promptBytes, WarningSet& warnings)
{
    constexpr double rounding = 1e-9;
    const bool drives = drivesAreScanter(w);
    const auto& gb = drives ? w.tierNvmeGb : w.tierHostGb;
    const double found = std::min(1.0, (drives ? w.tierNvmeHits : w.tierHostHits).value_or(0)) * promptBytes;
    if (gb && *gb * giga < found * (1 - rounding))
        warnings.add(WarningCode::TierTooSmall, found);
}

/// llama.cpp runs the layers that lie in the host's memory on its processor (--n-gpu-layers).
bool computesOnHost(const InferenceWorkload& w)
{
    const InferenceSoftware engine = effectiveSoftware(w);
    return engine == InferenceSoftware::LlamaCpp || engine == InferenceSoftware::LlamaCpp2024;
}

/// The weights in the hosts' memory, of a decode step as served.
HostWeightsResult describeHostWeights(const PreparedScenario& p, const Machine& m, const Serving& v)
{
    HostWeightsResult r;
    r.share = m.hostShare;
    r.bytes = m.hostShare * storedWeightBytes(*p.model, m) / m.sizes.pipeline;
    r.bytesPerS = m.hostLink;
    const PassShape shape = decodeShape(m, v.batch);
    r.readBytes = hostReadS(m, *p.model, shape) * m.hostLink / m.sizes.pipeline;
    r.readS = v.decode.hostS * m.speculation.tokens;
    r.shownS = v.time[static_cast<std::size_t>(TimePart::HostLink)] * m.speculation.tokens;
    return r;
}

} // namespace

void addHost(const PreparedScenario& p, Machine& m) noexcept
{
    m.hostLink = hostLink(p, m.ideal);
    m.hostOverlap = m.ideal ? 1 : std::clamp(effectiveHostOverlap(p.inference), 0.0, 1.0);
    if (!keepsWeightsOnHost(p))
        return;
    const double all = storedWeightBytes(*p.model, m) / m.sizes.pipeline;
    m.hostShare = all > 0 ? std::clamp(*p.inference.hostWeightsGb * giga / all, 0.0, 1.0) : 0;
}

double hostReadS(const Machine& m, const ModelProfile& model, const PassShape& shape) noexcept
{
    const double touched = headBytes(m, model) + layerBytes(m, model.kinds, passTokens(m, shape));
    return m.hostShare * touched / m.hostLink;
}

double slowestHostReadS(const Machine& m, const ModelProfile& model, const PassShape& shape) noexcept
{
    std::vector<double> perLayer;
    perLayer.reserve(model.kinds.size());
    for (const LayerKind& k : model.kinds)
        perLayer.push_back(layerBytes(m, std::span(&k, 1), passTokens(m, shape)) / std::max(k.count, 1.0));
    return m.hostShare * m.layout.most(perLayer, headBytes(m, model)) / m.hostLink;
}

double besideHost(const Machine& m, double passS, double readS) noexcept
{
    const double hidden = m.hostOverlap * readS;
    return passS + (readS - hidden) + std::max(0.0, hidden - passS);
}

double TierLoad::shownS(double computeS) const noexcept
{
    return shownS(computeS, 1);
}

double TierLoad::shownS(double computeS, double prompts) const noexcept
{
    const double link = linkS * prompts, drives = nvmeS * prompts;
    if (ideal)
        return std::max(0.0, std::max(link, drives) - computeS);
    if (!layerwise)
        return drives + link;
    // Two stages, layer behind layer: the longer one shows whole, of the shorter one its first or last layer.
    return drives + std::max(link, computeS) + std::min(link, computeS) / layers - computeS;
}

double TierLoad::busyS() const noexcept
{
    return std::max(linkS, nvmeS);
}

TierLoad tierLoad(const PreparedScenario& p, const Machine& m) noexcept
{
    const InferenceWorkload& w = p.inference;
    TierLoad load;
    load.ideal = m.ideal;
    load.layers = std::max(1.0, p.model->layers);
    load.layerwise = effectiveLayerwise(w);
    const double hits = tierHits(w);
    if (!(hits > 0))
        return load;
    const double prompt = cacheOnDevice(p, m, real(w.promptTokens));
    load.bytes = hits * prompt;
    load.linkS = load.bytes / m.hostLink;
    load.nvmeS = std::min(1.0, w.tierNvmeHits.value_or(0)) * prompt / nvmeRate(p);
    return load;
}

double loadedPromptsTime(const PreparedScenario& p, const Machine& m, double prompts, const PassCost& drafts) noexcept
{
    const double compute = promptsTime(p, m, prompts, drafts);
    if (!usesTiers(p.inference))
        return compute;
    return compute + tierLoad(p, m).shownS(compute, onFullestRank(m, prompts));
}

bool drivesAreScanter(const InferenceWorkload& w) noexcept
{
    const auto gbPerHit = [](const std::optional<double>& gb, const std::optional<double>& hits) {
        return gb && hits.value_or(0) > 0 ? *gb / *hits : std::numeric_limits<double>::infinity();
    };
    return gbPerHit(w.tierNvmeGb, w.tierNvmeHits) < gbPerHit(w.tierHostGb, w.tierHostHits);
}

void addBelowMemory(const PreparedScenario& p, const Replica& replica, const Serving& v, Evaluation& r) noexcept
{
    const Machine& m = replica.m;
    if (m.hostShare > 0) {
        r.hostWeights = describeHostWeights(p, m, v);
        constexpr double rounding = 1 + 1e-9;
        if (*p.inference.hostWeightsGb * giga > rounding * r.hostWeights->bytes)
            r.warnings.add(WarningCode::HostWeightsWhole, r.hostWeights->bytes);
        if (computesOnHost(p.inference))
            r.warnings.add(WarningCode::HostComputes, r.hostWeights->bytes);
    }
    const InferenceWorkload& w = p.inference;
    if (!usesTiers(w))
        return;
    const PrefillPool* pool = replica.pool;
    const double ranks = replica.reader().sizes.attentionData;
    r.tiers =
        describeTiers(pool ? pool->p : p, replica.reader(),
                      pool ? promptsTime(pool->p, pool->m, ranks) : replica.engine.prompts().undraftedS(p, m, ranks));
    const double held = (w.tierHostHits ? 0 : r.tiers->host.tokens) + (w.tierNvmeHits ? 0 : r.tiers->nvme.tokens);
    if (held > 0)
        r.warnings.add(WarningCode::TierHitsUnknown, held);
    if (r.tiers->savedS < 0)
        r.warnings.add(WarningCode::TierSlower, r.tiers->breakEvenBytesPerS);
    warnOfSmallTier(w, r.tiers->promptBytes, r.warnings);
}

} // namespace headroom::inference
