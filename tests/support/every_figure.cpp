// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/every_figure.hpp"

namespace headroom::test
{

Evaluation everyFigure()
{
    Evaluation e;
    e.fits = true;
    double next = 1;
    const auto value = [&next] { return next += 1.25; };
    for (double* field : {&e.totalParameters, &e.activeParameters, &e.trainableParameters, &e.capacityBytes,
                          &e.usedBytes, &e.allocatedBytes, &e.reservedBytes, &e.deviceBytes, &e.flops.model,
                          &e.flops.hardware, &e.flops.forward, &e.flops.backwardActivation, &e.flops.backwardWeight,
                          &e.flops.recompute, &e.flops.attention, &e.flops.router, &e.flops.lmHead})
        *field = value();
    for (auto* field : {&e.mfu,
                        &e.hfu,
                        &e.mbu,
                        &e.stepTimeS,
                        &e.tokensPerSPerGpu,
                        &e.modelTflopsPerGpu,
                        &e.hardwareTflopsPerGpu,
                        &e.ttftS,
                        &e.ttftAloneS,
                        &e.tpotS,
                        &e.requestLatencyS,
                        &e.requestsPerS,
                        &e.maxBatch,
                        &e.tokensPerS,
                        &e.costPerHour,
                        &e.costPerMillionTokens,
                        &e.costToTrain,
                        &e.watts,
                        &e.joulesPerToken,
                        &e.secondsToTrain})
        *field = value();
    e.prefill = PrefillResult{value(), value()};
    e.observed = Observed{value(), value(), value(), value(), value(), value(), value(), value()};
    e.queue = QueueResult{
        value(), value(), value(), value(), value(), value(), value(), value(), {value(), value(), value()}};
    e.tail = TailResult{value(), value(), value(), value()};
    e.speculation = SpeculationResult{value(), value(), value(), value(), value(), value(), value(), value()};
    DayResult& day = e.day.emplace();
    for (double* field :
         {&day.peakRequestsPerS, &day.troughRequestsPerS, &day.replicaRequestsPerS, &day.replicas, &day.peakReplicas,
          &day.fixedReplicas, &day.gpuHours, &day.fixedGpuHours, &day.peakUse, &day.lateShare})
        *field = value();
    for (auto* field : {&day.saving, &day.cost, &day.fixedCost, &day.peakShare, &day.fixedPeakShare})
        *field = value();
    e.mix = MixResult{{}, 1, value(), value()};
    e.mix->all[0] = {value(), value(), value(), value(), value(), value(), value(), value()};
    PoolsResult& pools = e.pools.emplace();
    for (double* field : {&pools.prompts, &pools.passS, &pools.requestS, &pools.transferBytes, &pools.transferS,
                          &pools.shownS, &pools.waitS, &pools.p95WaitS, &pools.p99WaitS, &pools.ratio})
        *field = value();
    for (PoolResult* pool : {&pools.prefill, &pools.decode}) {
        for (double* field : {&pool->devices, &pool->instances, &pool->requestsPerS, &pool->utilization, &pool->needed,
                              &pool->usedBytes, &pool->capacityBytes})
            *field = value();
        for (auto* field : {&pool->mfu, &pool->mbu, &pool->watts, &pool->costPerHour})
            *field = value();
    }
    TiersResult& tiers = e.tiers.emplace();
    for (CacheTier* tier : {&tiers.host, &tiers.nvme})
        for (double* field : {&tier->bytes, &tier->tokens, &tier->hitTokens, &tier->bytesPerS})
            *field = value();
    for (double* field : {&tiers.promptBytes, &tiers.loadBytes, &tiers.loadS, &tiers.shownS, &tiers.recomputeS,
                          &tiers.savedS, &tiers.breakEvenBytesPerS})
        *field = value();
    HostWeightsResult& host = e.hostWeights.emplace();
    for (double* field : {&host.bytes, &host.share, &host.readBytes, &host.bytesPerS, &host.readS, &host.shownS})
        *field = value();
    e.hostStates = HostStates{value(), value(), value(), value()};
    Goodput& g = e.goodput.emplace();
    for (double* field : {&g.mtbfS, &g.checkpointS, &g.intervalS, &g.bestIntervalS, &g.ettr, &g.ettrLow,
                          &g.checkpointBytes, &g.stragglers, &g.share, &g.checkpointLoss, &g.restartLoss, &g.lostWork,
                          &g.stragglerLoss, &g.maintenance, &g.tokensPerS})
        *field = value();
    e.phases = PhasesTotal{value(), value(), value(), value(), true, 0, value()};
    RlResult& rl = e.rl.emplace();
    for (double& field : rl.time)
        field = value();
    for (double& field : rl.around)
        field = value();
    for (double* field : {&rl.answersS,
                          &rl.statesS,
                          &rl.stateBytes,
                          &rl.hiddenS,
                          &rl.stepS,
                          &rl.tailS,
                          &rl.waitS,
                          &rl.answers,
                          &rl.tokens,
                          &rl.longestTokens,
                          &rl.trainGpus,
                          &rl.rolloutGpus,
                          &rl.gpus,
                          &rl.copies,
                          &rl.batch,
                          &rl.syncBytes,
                          &rl.imbalance,
                          &rl.tokensPerSPerGpu,
                          &rl.idle,
                          &rl.usedBytes,
                          &rl.capacityBytes,
                          &rl.learnBytes,
                          &rl.learnCapacityBytes})
        *field = value();
    rl.cost = value();
    e.prefill->prompts = value();
    e.stepTimeInterval = Interval{1, 2};
    e.tpotInterval = Interval{3, 4};
    for (double& field : e.time)
        field = value();
    for (double& field : e.memory)
        field = value();
    for (auto& field : e.conventions)
        field = value();
    return e;
}

void bringEveryChart(Scenario& scenario)
{
    scenario.measured.profile.stepS = 1;
    scenario.phases.resize(1);
    scenario.phases.front().tokens = 1e12;
    scenario.training.rl.prompts = 64;
    InferenceWorkload& w = scenario.inference;
    RequestMix& mix = w.mix.emplace();
    mix.count = 2;
    mix.all[0] = mix.all[1] = {0.5, w.promptTokens, w.outputTokens};
    w.tierHostGb = 100;
    w.requestsPerS = 1;
    w.loadProfile = LoadProfile::shaped(LoadShape::Sine, 3);
}

} // namespace headroom::test
