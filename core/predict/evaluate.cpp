// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/evaluate.hpp"

#include "core/predict/cost_energy.hpp"
#include "core/predict/day.hpp"
#include "core/predict/impossible.hpp"
#include "core/predict/inference/inference_evaluate.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/key_effects.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/rl.hpp"
#include "core/predict/training/training_goodput.hpp"
#include "core/predict/utilization.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

namespace headroom
{
namespace
{

/// Takes out what is not a finite number. None may be there: a debug build stops, a release build shows a gap.
class FiniteGuard final
{
public:
    void operator()(double& value)
    {
        if (!std::isfinite(value)) {
            assert(!"evaluation yields a number that is not finite");
            value = 0;
        }
    }
    void operator()(std::optional<double>& value)
    {
        if (value && !std::isfinite(*value)) {
            assert(!"evaluation yields a number that is not finite");
            value.reset();
        }
    }
    void operator()(std::optional<Interval>& interval)
    {
        if (interval && !(std::isfinite(interval->low) && std::isfinite(interval->high))) {
            assert(!"evaluation yields an interval that is not finite");
            interval.reset();
        }
    }
    template <typename... Values>
    void all(Values&... values)
    {
        ((*this)(values), ...);
    }
};

/// Adds up what it is shown: where a number is not finite, the sum is not.
class FiniteSum final
{
public:
    void operator()(double value) { m_sum += value; }
    void operator()(const std::optional<double>& value) { m_sum += value.value_or(0); }
    void operator()(const std::optional<Interval>& interval)
    {
        if (interval)
            m_sum += interval->low + interval->high;
    }
    /// A sum of their own: no addition waits for those of others.
    template <typename... Values>
    void all(const Values&... values)
    {
        FiniteSum own;
        (own(values), ...);
        m_sum += own.m_sum;
    }
    [[nodiscard]] bool isFinite() const { return std::isfinite(m_sum); }

private:
    double m_sum = 0;
};

/// Shows every number of a result to the guard.
template <typename Guard>
void showAll(Evaluation& r, Guard& guard)
{
    guard.all(r.totalParameters, r.activeParameters, r.trainableParameters, r.mfu, r.hfu, r.mbu, r.stepTimeS,
              r.tokensPerSPerGpu, r.modelTflopsPerGpu, r.hardwareTflopsPerGpu, r.ttftS, r.ttftAloneS, r.tpotS,
              r.requestLatencyS, r.requestsPerS, r.maxBatch, r.tokensPerS, r.stepTimeInterval, r.tpotInterval,
              r.ttftInterval, r.tokensPerSInterval, r.usedBytesInterval);
    guard.all(r.flops.model, r.flops.hardware, r.flops.forward, r.flops.backwardActivation, r.flops.backwardWeight,
              r.flops.recompute, r.flops.attention, r.flops.router, r.flops.lmHead);
    guard.all(r.capacityBytes, r.usedBytes, r.allocatedBytes, r.reservedBytes, r.deviceBytes, r.costPerHour,
              r.costPerMillionTokens, r.costToTrain, r.watts, r.joulesPerToken, r.secondsToTrain);
    guard.all(r.peakFlops, r.memoryBandwidth, r.bytesMoved, r.modelFlopPerToken, r.tokensPerStep, r.data,
              r.microBatches, r.replicas, r.batch, r.ridgeFlopPerByte, r.intensityFlopPerByte);
    guard.all(r.activity.compute, r.activity.memory, r.activity.prompts, r.activity.running);
    std::apply([&guard](auto&... part) { guard.all(part...); }, r.time);
    std::apply([&guard](auto&... part) { guard.all(part...); }, r.memory);
    std::apply([&guard](auto&... counted) { guard.all(counted...); }, r.conventions);
    if (r.prefill)
        guard.all(r.prefill->timeS, r.prefill->mfu, r.prefill->prompts);
    if (r.observed)
        guard.all(r.observed->mfu, r.observed->hfu, r.observed->mbu, r.observed->stepTimeS,
                  r.observed->achievedBandwidthGbPerS, r.observed->ttftS, r.observed->tokensPerS,
                  r.observed->peakMemoryBytes);
    if (r.tail)
        guard.all(r.tail->share, r.tail->promptTokens, r.tail->waitS, r.tail->ttftS);
    if (r.speculation)
        guard.all(r.speculation->tokensPerCycle, r.speculation->tokensAdded, r.speculation->cycleS,
                  r.speculation->verifyS, r.speculation->draftS, r.speculation->hostS, r.speculation->plainTpotS,
                  r.speculation->speedup);
    if (PoolsResult* s = r.pools ? &*r.pools : nullptr) {
        guard.all(s->prompts, s->passS, s->requestS, s->transferBytes, s->transferS, s->shownS, s->waitS, s->p95WaitS,
                  s->p99WaitS, s->waitingShare, s->prefillPeak, s->ratio);
        for (PoolResult* pool : {&s->prefill, &s->decode})
            guard.all(pool->devices, pool->instances, pool->requestsPerS, pool->utilization, pool->needed,
                      pool->usedBytes, pool->capacityBytes, pool->mfu, pool->mbu, pool->watts, pool->costPerHour);
    }
    if (r.queue)
        guard.all(r.queue->utilization, r.queue->meanWaitS, r.queue->p95WaitS, r.queue->p99WaitS,
                  r.queue->replicasNeeded, r.queue->capacityRequestsPerS, r.queue->mostBatch, r.queue->waitingShare,
                  r.queue->prompts.share, r.queue->prompts.meanS, r.queue->prompts.countedS, r.queue->places.share,
                  r.queue->places.meanS, r.queue->batch.share, r.queue->batch.meanS, r.queue->batch.soonest);
    if (DayResult* d = r.day ? &*r.day : nullptr)
        guard.all(d->peakRequestsPerS, d->troughRequestsPerS, d->servedRequestsPerS, d->replicaRequestsPerS,
                  d->replicas, d->peakReplicas, d->fixedReplicas, d->peakUse, d->gpuHours, d->fixedGpuHours, d->saving,
                  d->lateShare, d->cost, d->fixedCost, d->peakShare, d->fixedPeakShare);
    if (MixResult* mix = r.mix ? &*r.mix : nullptr) {
        guard.all(mix->ttftS, mix->latencyS);
        for (ClassResult& one : std::span(mix->all).first(mix->count))
            guard.all(one.share, one.promptTokens, one.outputTokens, one.ttftS, one.latencyS, one.requestsPerS,
                      one.tokensPerS, one.inFlight);
    }
    if (TiersResult* t = r.tiers ? &*r.tiers : nullptr) {
        guard.all(t->promptBytes, t->loadBytes, t->loadS, t->shownS, t->recomputeS, t->savedS, t->breakEvenBytesPerS);
        for (CacheTier* tier : {&t->host, &t->nvme})
            guard.all(tier->bytes, tier->tokens, tier->hitTokens, tier->bytesPerS);
    }
    if (HostWeightsResult* h = r.hostWeights ? &*r.hostWeights : nullptr)
        guard.all(h->bytes, h->share, h->readBytes, h->bytesPerS, h->readS, h->shownS);
    if (HostStates* h = r.hostStates ? &*r.hostStates : nullptr)
        guard.all(h->bytes, h->gpus, h->hostBytes, h->mostBytes);
    if (SiteEnergy* s = r.site ? &*r.site : nullptr)
        guard.all(s->watts, s->kwhPerMillionTokens, s->runKwh, s->electricityPerHour, s->electricityPerMillionTokens,
                  s->carbonGPerMillionTokens, s->runCarbonKg);
    if (PhasesTotal* t = r.phases ? &*r.phases : nullptr)
        guard.all(t->tokens, t->seconds, t->gpuHours, t->cost, t->lostS);
    if (RlResult* s = r.rl ? &*r.rl : nullptr) {
        for (double& value : s->time)
            guard(value);
        for (double& value : s->around)
            guard(value);
        guard.all(s->answersS, s->statesS, s->stateBytes, s->hostBytes, s->hiddenS, s->stepS, s->promptS, s->fullS,
                  s->tailS, s->waitS, s->answers, s->tokens, s->longestTokens, s->copies, s->batch, s->passS,
                  s->forwardTokensPerS, s->updateTokensPerS, s->imbalance, s->trainGpus, s->rolloutGpus, s->gpus,
                  s->syncBytes, s->syncBytesPerS, s->tokensPerSPerGpu, s->idle, s->cost, s->usedBytes, s->capacityBytes,
                  s->learnBytes, s->learnCapacityBytes);
    }
    if (Goodput* g = r.goodput ? &*r.goodput : nullptr)
        guard.all(g->mtbfS, g->checkpointS, g->intervalS, g->bestIntervalS, g->ettr, g->ettrLow, g->checkpointBytes,
                  g->stragglers, g->share, g->checkpointLoss, g->restartLoss, g->lostWork, g->stragglerLoss,
                  g->maintenance, g->tokensPerS);
}

[[gnu::noinline]] void removeNotFinite(Evaluation& r)
{
    FiniteGuard guard;
    showAll(r, guard);
}

/// A result holds a hundred numbers and more: they are looked at one by one where their sum says that it has to be.
void keepFinite(Evaluation& r)
{
    FiniteSum sum;
    showAll(r, sum);
    if (!sum.isFinite())
        removeNotFinite(r);
}

/// Warnings that follow from the scenario or from the finished result, whatever the task.
void addCommonWarnings(const PreparedScenario& prepared, Evaluation& r)
{
    if (hasKeyWithoutEffect(prepared))
        r.warnings.add(WarningCode::KeyWithoutEffect);
    if (!prepared.efficiency.isPlain())
        r.warnings.add(WarningCode::EfficiencyOverridden);
    if (!prepared.model->architecture.exact)
        r.warnings.add(WarningCode::ModelInexact);
    if (!prepared.model->architecture.warnings.empty())
        r.warnings.add(WarningCode::ModelAssumed);
    if (!r.fits && (!r.pools || !r.pools->decode.fits))
        r.warnings.add(WarningCode::DoesNotFit, r.usedBytes - r.capacityBytes);
    const auto mfu = r.credible() && r.observed->mfu ? r.observed->mfu : r.mfu;
    const double prompts = r.prefill ? r.prefill->mfu.value_or(0) : 0;
    const double most = std::max({mfu.value_or(0), r.hfu.value_or(0), prompts});
    if (most > 1 + roundingError) // a bound that is reached is not passed
        r.warnings.add(WarningCode::MfuOverOne, most);
}

void addTask(const PreparedScenario& prepared, Evaluation& result)
{
    result.task = prepared.task;
    result.totalParameters = result.trainableParameters = prepared.model->parameters.total;
    result.activeParameters = prepared.model->parameters.active;
}

void addStep(const PreparedScenario& prepared, Evaluation& result)
{
    addTask(prepared, result);
    prepared.task == Task::Training ? evaluateTraining(prepared, result) : evaluateInference(prepared, result);
}

/// A step of reinforcement learning around the training, and what the whole job then takes and costs.
void addRl(const PreparedScenario& prepared, Evaluation& result)
{
    const RlResult& rl = result.rl.emplace(rlStep(prepared));
    result.warnings.add(WarningCode::RlWithoutFramework);
    if (const auto far = inference::beyondLogNormal(prepared))
        result.warnings.add(WarningCode::PercentileTooFar, far->times);
    if (const auto context = prepared.model->architecture.maxContext;
        context > 0 && longestRlSequence(prepared.training.rl) > context)
        result.warnings.add(WarningCode::BeyondMaxContext, double(context));
    if (rl.usedBytes > rl.capacityBytes)
        result.warnings.add(WarningCode::RolloutDoesNotFit, rl.usedBytes - rl.capacityBytes);
    if (rl.learnBytes > rl.learnCapacityBytes && result.fits) // else the lengths of the scenario say so already
        result.warnings.add(WarningCode::RlUpdateDoesNotFit, rl.learnBytes - rl.learnCapacityBytes);
    addHostStates(prepared, (result.hostStates ? result.hostStates->bytes : 0) + rl.hostBytes, result);
    if (countsFailures(prepared.training)) {
        WarningSet ignored; // the update has them already
        addGoodput(planTraining(prepared, ignored), prepared.training.trainingTokens, result);
    }
    addRlCost(prepared, result);
}

/// Replicas that follow the load of a day: each has its share of it, not that of the scenario's own number. False where
/// they serve nothing.
bool addRunning(const PreparedScenario& prepared, inference::Replica& replica, Evaluation& result)
{
    Evaluation units;
    units.replicas = replica.m.sizes.replicas;
    units.queue.emplace().capacityRequestsPerS = replica.fullRequestsPerS(prepared) * units.replicas;
    const auto day = dayOf(prepared, units, replica);
    if (!day || !(day->replicas > 0))
        return false;
    replica.setCount(prepared);
    inference::evaluateServing(loadOfRunning(prepared, *day, units.replicas), replica, result);
    result.day = day;
    addCostAndEnergyOfDay(prepared, nullptr, result);
    takeRunning(prepared, result);
    return true;
}

/// A day evaluates the same replicas again under other loads.
void addDay(const PreparedScenario& prepared, Evaluation& result)
{
    addTask(prepared, result);
    inference::ReplicaRecord record;
    inference::withReplica(prepared, &record, [&](inference::Replica& replica) {
        if (autoscales(prepared.inference) && !replica.pool && addRunning(prepared, replica, result))
            return;
        inference::evaluateServing(prepared, replica, result);
        result.day = dayOf(prepared, result, replica);
        if (result.day &&
            autoscales(prepared.inference)) // what follows the load is paid for, and draws power, as it runs
            addCostAndEnergyOfDay(prepared, replica.pool ? &replica.pool->p : nullptr, result);
    });
    if (!result.day)
        return;
    const DayResult& day = *result.day;
    if (day.peakUse > 1 + roundingError && servesItsLoad(result))
        result.warnings.add(WarningCode::PeakBeyondCapacity, day.peakUse);
}

void warn(const PreparedScenario& prepared, Evaluation& result)
{
    constexpr double otherUnit = 1000; // what was measured holds the weights, in whatever it is stored

    addCommonWarnings(prepared, result);
    if (const double slow = result.observed ? slowForACause(prepared, result) : 0; slow > 0)
        result.warnings.add(WarningCode::OtherUnitLikely, slow);
    const double weights = result.part(MemoryPart::Weights);
    if (prepared.measured.peakMemoryBytes && *prepared.measured.peakMemoryBytes < weights / otherUnit)
        result.warnings.add(WarningCode::PeakMemoryUnit, weights);
}

} // namespace

void evaluateInference(const PreparedScenario& prepared, Evaluation& result) noexcept
{
    inference::withReplica(prepared, nullptr, [&](const inference::Replica& replica) {
        inference::evaluateServing(prepared, replica, result);
    });
}

Evaluation::Evaluation() noexcept {}

MemoryNeed decisiveMemory(const Evaluation& e) noexcept
{
    if (usedBytesFit(e) && e.pools && !e.pools->prefill.fits)
        return {e.pools->prefill.usedBytes, e.pools->prefill.capacityBytes};
    if (e.fits && e.rl && !e.rl->fits)
        return e.rl->usedBytes > e.rl->capacityBytes ? MemoryNeed{e.rl->usedBytes, e.rl->capacityBytes}
                                                     : MemoryNeed{e.rl->learnBytes, e.rl->learnCapacityBytes};
    return {e.usedBytes, e.capacityBytes};
}

double peakMemoryBytes(const Evaluation& e, std::optional<PeakMemoryKind> kind) noexcept
{
    switch (kind.value_or(PeakMemoryKind::Reserved)) {
    case PeakMemoryKind::Allocated:
        return e.allocatedBytes;
    case PeakMemoryKind::Device:
        return e.deviceBytes;
    case PeakMemoryKind::Reserved:
        break;
    }
    return e.reservedBytes;
}

Evaluation evaluateStep(const PreparedScenario& prepared) noexcept
{
    Evaluation result;
    const bool follows = hasDay(prepared) && autoscales(prepared.inference); // the day decides what each replica has
    follows ? addDay(prepared, result) : addStep(prepared, result);
    warn(prepared, result);
    keepFinite(result);
    return result;
}

Evaluation evaluate(const PreparedScenario& prepared) noexcept
{
    Evaluation result;
    hasDay(prepared) ? addDay(prepared, result) : addStep(prepared, result);
    if (isRl(prepared))
        addRl(prepared, result);
    warn(prepared, result);
    addPhases(prepared, result); // beside what the scenario's own step warns of
    keepFinite(result);
    return result;
}

std::vector<OperatorCost> operatorCosts(const PreparedScenario& prepared)
{
    return prepared.task == Task::Training ? trainingOperatorCosts(prepared) : inferenceOperatorCosts(prepared);
}

} // namespace headroom
