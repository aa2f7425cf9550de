// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/inference/inference_pools.hpp"

#include "core/hardware/bound.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/inference/inference_count.hpp"
#include "core/predict/inference/inference_host.hpp"
#include "core/predict/inference/inference_queue.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::inference
{
namespace
{

/// Accelerators of the pool: those that are stated, at least one instance's.
std::int64_t devicesOf(const PreparedScenario& p)
{
    const Parallelism& q = p.parallelism;
    const std::int64_t instance = q.tensor * q.pipeline * q.context * q.attentionData;
    return std::max(p.inference.prefillPool.count.value_or(instance), instance);
}

/// The scenario as its prefill pool sees it.
PreparedScenario readerOf(const PreparedScenario& prepared)
{
    PreparedScenario p = prepared;
    InferenceWorkload& w = p.inference;
    p.parallelism = prefillLayout(prepared);
    p.hardware.count = devicesOf(p);
    if (p.prefillAccelerator && p.prefillAccelerator != p.accelerator) {
        p.accelerator = p.prefillAccelerator;
        p.hardware.perNode.reset();
        if (p.accelerator->scaleOutGbitPerS > 0) // else it is what is stated of its network
            p.hardware.scaleOutGbitPerS.reset();
        p.hardware.powerLimitW.reset();
        p.hardware.power.idleW.reset(); // of the board that decodes
    }
    if (w.prefillPool.pricePerGpuHour)
        p.hardware.pricePerGpuHour = w.prefillPool.pricePerGpuHour;
    p.measured = {};
    w.outputTokens = 1;
    if (w.mix)
        for (RequestClass& c : w.mix->all)
            c.outputTokens = 1;
    w.requestsPerS.reset();
    return p;
}

/// Rated bytes/s of the network adapter of one device.
double adapter(const PreparedScenario& p, WarningSet& warnings)
{
    const InferenceLinkConstants& links = p.calibration->inference.links;
    const double gbit = p.hardware.scaleOutGbitPerS.value_or(p.accelerator->scaleOutGbitPerS);
    if (gbit <= 0)
        warnings.add(WarningCode::NicAssumed, links.assumedNic * 8 / giga);
    return gbit > 0 ? gbit * giga / 8 : links.assumedNic;
}

/// What the pool's fullest device holds, with its pass under way.
void addMemory(const PrefillPool& pool, PoolResult& r)
{
    const MemoryPlan plan = planMemory(pool.p, pool.m, pool.drafter());
    const StageNeed& stage = plan.fullest(pool.prompts);
    r.usedBytes = plan.need(pool.prompts);
    r.capacityBytes =
        plan.capacity - (1 - plan.freeShare) * std::max(0.0, plan.capacity - plan.fixedNeed(stage, pool.prompts));
    r.fits = plan.holds(pool.prompts);
}

} // namespace

PrefillPool::PrefillPool(const PreparedScenario& prepared, const Machine& decode) noexcept
    : p(readerOf(prepared)), m(makeMachine(p, decode.ideal))
{
    const InferenceWorkload& w = prepared.inference;
    const double ranks = m.sizes.attentionData, together = p.calibration->inference.serving.togetherTokens;
    prompts = w.prefillPool.batch ? std::max(1.0, real(*w.prefillPool.batch)) : ranks;
    if (m.speculation.on())
        m_drafts = m_drafter.emplace(p, m).prompts(p, onFullestRank(m, prompts));
    passS = promptsTime(p, m, prompts, m_drafts);
    // Short prompts that wait share a pass, where nothing is stated.
    const double waiting = w.prefillPool.batch ? prompts : std::max(ranks, std::floor(together / promptLength(w)));
    readS = pooledPromptS(p, m, waiting, drafter()) + m.profile.stepS / waiting;
    if (usesTiers(w)) {
        const TierLoad load = tierLoad(p, m);
        loadS = load.shownS(passS, std::max(1.0, prompts / ranks));
        readS = std::max(readS, load.busyS() / ranks);
    }
    transferBytes = bytesOf(w.promptTokens, decode);
    setLinks(prepared, decode);
    requestS = std::max(readS, sendS);
    transferS = transferOf(transferBytes);
    shownS = shownOf(w.promptTokens, decode, passS + loadS);
    m_decoding = decode.sizes.replicas;
}

double PrefillPool::bytesOf(std::int64_t promptTokens, const Machine& decode) const noexcept
{
    const double bytes = travellingCacheBytes(*p.model, real(promptTokens), decode.kept(), decode.sizes.tensor);
    // What drafts has a cache of its own.
    return m_drafter ? bytes + m_drafter->travellingBytes(real(promptTokens), decode) : bytes;
}

PassCost PrefillPool::drafts(const PreparedScenario& other) const noexcept
{
    PassCost scaled;
    if (m_drafter)
        scaled.add(m_drafts, promptLength(other.inference) / promptLength(p.inference));
    return scaled;
}

double PrefillPool::transferOf(double bytes) const noexcept
{
    return (m.ideal ? 0 : std::max(0.0, p.inference.transferStartS)) + bytes / m_bytesPerS;
}

double PrefillPool::shownOf(std::int64_t promptTokens, const Machine& decode, double passSeconds) const noexcept
{
    const bool mean = promptTokens == p.inference.promptTokens;
    const double whole = transferOf(mean ? transferBytes : bytesOf(promptTokens, decode));
    // No more of it hides than there is to hide behind.
    return whole - std::min(std::clamp(p.inference.transferOverlap, 0.0, 1.0) * whole, passSeconds);
}

/// The slower of the two ends paces a transfer; each end carries its own, one after the other.
void PrefillPool::setLinks(const PreparedScenario& prepared, const Machine& decode) noexcept
{
    if (const auto gbit = prepared.inference.transferGbitPerS) {
        m_bytesPerS = std::max(1.0, *gbit * giga / 8);
        sendS = receiveS = transferBytes / m_bytesPerS;
        return;
    }
    const double reading = adapter(p, m.warnings), decoding = adapter(prepared, m.warnings);
    const double share = (m.ideal ? 1 : p.calibration->inference.serving.transferShare) * p.efficiency.scaleOut;
    const auto rate = [share](double links, double each) { return std::max(1.0, links * sustained(each, share)); };
    m_bytesPerS = rate(std::min(m.sizes.devices(), decode.sizes.devices()), std::min(reading, decoding));
    sendS = transferBytes / rate(m.sizes.devices(), reading);
    receiveS = transferBytes / rate(decode.sizes.devices(), decoding);
}

void PrefillPool::setCount(std::optional<std::int64_t> count, double decoding) noexcept
{
    p.inference.prefillPool.count = count;
    p.hardware.count = devicesOf(p);
    m.sizes.replicas = real(std::max<std::int64_t>(1, servingReplicas(p)));
    m_decoding = decoding;
}

double PrefillPool::instances() const noexcept
{
    return p.inference.prefillPool.count ? m.sizes.replicas : 0;
}

double PrefillPool::carriedPerS() const noexcept
{
    const double received = m_decoding / receiveS;
    return p.inference.prefillPool.count ? std::min(received, instances() / sendS) : received;
}

double PrefillPool::requestsPerS() const noexcept
{
    return p.inference.prefillPool.count ? std::min(instances() / requestS, carriedPerS()) : carriedPerS();
}

double PrefillPool::firstTokenS() const noexcept
{
    return passS + loadS + m.profile.stepS + shownS;
}

double instancesFor(double perS, double instancePerS, double busy) noexcept
{
    return std::max(1.0, std::ceil(perS / (busy * instancePerS) * (1 - roundingError)));
}

double prefillBytes(const PreparedScenario& p, const Machine& m, double prompts) noexcept
{
    const ModelProfile& model = *p.model;
    const double tokens = prompts * promptLength(p.inference) / m.sizes.context; // each rank has its share of a prompt
    const double perRank = tokens / m.sizes.attentionData;
    // As chunkedPrefill() has them: full ones and the rest. Two of equal size would meet more experts.
    const bool cut = m.engine.chunkTokens > 0 && perRank > m.engine.chunkTokens;
    const double chunk = cut ? m.engine.chunkTokens * m.sizes.attentionData : tokens;
    const double whole = std::floor(tokens / chunk * (1 + roundingError)), rest = tokens - whole * chunk;
    double weights = model.headWeights * m.head.bytes / m.sizes.tensor + whole * layerBytes(m, model.kinds, chunk);
    if (rest > roundingError * tokens)
        weights += layerBytes(m, model.kinds, rest);
    return weights / m.sizes.pipeline;
}

PoolsResult describePools(const PrefillPool& pool, const PreparedScenario& prepared, const Machine& machine,
                          const Serving& v, double promptFlop) noexcept
{
    const InferenceWorkload& w = prepared.inference;
    const double out = answerTokens(w), replicas = machine.sizes.replicas;
    PoolsResult r;
    r.prompts = pool.prompts;
    r.passS = pool.passS;
    r.requestS = pool.requestS;
    r.transferBytes = pool.transferBytes;
    r.transferS = pool.transferS;
    r.shownS = pool.shownS;

    PoolResult& decode = r.decode;
    decode.instances = replicas;
    decode.devices = machine.sizes.devices() * replicas;
    const double decodes = std::min(v.fullTokensPerS / out, 1 / pool.receiveS); // an instance
    decode.requestsPerS = decodes * replicas;
    const double served = v.tokensPerS / out * replicas;
    const double asked = w.requestsPerS.value_or(decode.requestsPerS);
    decode.utilization = (w.requestsPerS ? asked : served) / decode.requestsPerS;
    decode.needed = w.requestsPerS ? instancesFor(asked, decodes) : replicas;
    if (prepared.hardware.pricePerGpuHour)
        decode.costPerHour = *prepared.hardware.pricePerGpuHour * decode.devices;

    PoolResult& prefill = r.prefill;
    const double each = 1 / pool.requestS, gpus = pool.m.sizes.devices();
    prefill.needed = instancesFor(asked, each);
    // Without a count of its own it is as large as it has to be: nobody rents who reads what cannot be answered.
    const bool counted = pool.instances() > 0;
    const double reads = counted ? asked : std::min(asked, decode.requestsPerS);
    prefill.instances = counted ? pool.instances() : instancesFor(reads, each);
    prefill.devices = prefill.instances * gpus;
    prefill.requestsPerS = prefill.instances * each;
    prefill.utilization = (w.requestsPerS ? reads : served) / prefill.requestsPerS;
    if (pool.p.hardware.pricePerGpuHour)
        prefill.costPerHour = *pool.p.hardware.pricePerGpuHour * prefill.devices;
    addMemory(pool, prefill);
    const double bytes = prefillBytes(pool.p, pool.m, pool.prompts);
    r.prefillPeak = pool.m.peak;
    prefill.mbu = bytes / (pool.passS * pool.m.bandwidth);
    r.ratio = decode.requestsPerS * pool.requestS * gpus / decode.devices;

    if (w.requestsPerS && prefill.utilization < 1 && reads * pool.receiveS < replicas) {
        // Where the links into the other pool are the narrowest place, prompts wait for them.
        const double turnS = std::max(pool.requestS, prefill.instances * pool.receiveS / replicas);
        const QueueResult queue = promptQueue(prepared, reads, turnS, prefill.instances);
        if (!queue.meanWaitS)
            prefill.utilization = queue.utilization; // a last digit below its capacity is its capacity
        r.waitS = queue.meanWaitS.value_or(0);
        r.p95WaitS = queue.p95WaitS.value_or(0);
        r.p99WaitS = queue.p99WaitS.value_or(0);
        r.waitingShare = queue.waitingShare;
    }
    Activity activity;
    const double passes = served / pool.prompts; // a second, of the whole pool
    activity.prompts = served * promptFlop / (prefill.devices * pool.m.peak);
    activity.memory = passes / prefill.instances * bytes / pool.m.bandwidth;
    activity.running = std::min(1.0, served / prefill.requestsPerS);
    prefill.watts = jobWatts(pool.p, prefill.devices, activity);
    return r;
}

void heedNarrowest(const PoolsResult& pools, QueueResult& queue) noexcept
{
    for (const PoolResult* side : {&pools.decode, &pools.prefill}) {
        if (side->utilization <= queue.utilization * (1 + roundingError))
            continue;
        queue.utilization = side->utilization;
        queue.capacityRequestsPerS = side->requestsPerS;
        if (queue.utilization >= 1)
            queue.meanWaitS = queue.p95WaitS = queue.p99WaitS = std::nullopt;
    }
}

} // namespace headroom::inference
