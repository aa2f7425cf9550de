// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/measurement.hpp"

#include "core/scenario/effective.hpp"

namespace headroom
{
namespace
{

/// A utilisation is of its count; a time or a rate is of none.
bool dependsOnAccounting(const Measured& m)
{
    const bool timed = m.stepTimeS || m.tokensPerS || m.tokensPerSPerGpu || m.tpotS;
    return !timed && (m.modelTflopsPerGpu || m.hardwareTflopsPerGpu || m.mfu || m.hfu);
}

/// What decides no run, as it is in `from`.
void takeRest(Setup& setup, const Setup& from)
{
    setup.efficiency = from.efficiency;
    setup.hardware.pricePerGpuHour = from.hardware.pricePerGpuHour;
    setup.hardware.priceKind = from.hardware.priceKind;
    setup.hardware.spotMtbfHours = from.hardware.spotMtbfHours;
    setup.hardware.power = from.hardware.power; // where the machines stand changes no run
    setup.inference.prefillPool.pricePerGpuHour = from.inference.prefillPool.pricePerGpuHour;
    setup.training.trainingTokens = from.training.trainingTokens;
    setup.training.reliability = from.training.reliability; // failures between steps change none
    takeDay(setup.inference, from.inference);               // a run has the load that it has
    setup.training.rl = from.training.rl;                   // what is done around the update changes none
    setup.inference.ttftTargetS = from.inference.ttftTargetS;
    setup.inference.tpotTargetS = from.inference.tpotTargetS;
}

Setup settingsOf(const Setup& of, const Measured& measured)
{
    Setup setup = of;
    setup.measured = {};
    takeRest(setup, {});
    if (!dependsOnAccounting(measured))
        setup.accounting = {};
    if (setup.task == Task::Training)
        setup.inference = {};
    else
        setup.training = {};
    return setup;
}

/// What is left out, put in: a value that is what it would be anyway is no other setting.
Setup spelledOut(Setup s)
{
    if (s.task == Task::Training) {
        s.training.globalBatch = effectiveGlobalBatch(s);
        s.training.gradients = effectiveGradients(s);
        s.training.packedSampleTokens = effectiveSampleTokens(s.training);
    } else {
        s.parallelism.replicas = servingReplicas(s);
        if (s.inference.batchMax)
            s.inference.batch = 1;
    }
    s.parallelism.sharding = effectiveSharding(s);
    s.parallelism.sequenceParallel = effectiveSequenceParallel(s);
    if (s.training.checkpointing != Checkpointing::SelectiveLayer)
        s.training.checkpointEvery = {};
    if (s.training.method == Method::Full) {
        s.training.loraRank = {};
        s.training.loraTargets = {};
    }
    return s;
}

bool sameJob(const Setup& a, const Setup& b)
{
    return a == b || spelledOut(a) == spelledOut(b);
}

/// Only what differs from `known`.
template <typename Value>
void keepNew(Value& value, const Value& known)
{
    if (value == known)
        value = {};
}

Measured newFigures(Measured m, const Measured& known)
{
    keepNew(m.stepTimeS, known.stepTimeS);
    keepNew(m.tokensPerS, known.tokensPerS);
    keepNew(m.tokensPerSPerGpu, known.tokensPerSPerGpu);
    keepNew(m.modelTflopsPerGpu, known.modelTflopsPerGpu);
    keepNew(m.hardwareTflopsPerGpu, known.hardwareTflopsPerGpu);
    keepNew(m.mfu, known.mfu);
    keepNew(m.hfu, known.hfu);
    keepNew(m.peakTflops, known.peakTflops);
    keepNew(m.tpotS, known.tpotS);
    keepNew(m.ttftS, known.ttftS);
    keepNew(m.achievedBandwidthGbPerS, known.achievedBandwidthGbPerS);
    keepNew(m.bandwidthCount, known.bandwidthCount);
    keepNew(m.mbu, known.mbu);
    keepNew(m.maxBatch, known.maxBatch);
    keepNew(m.kvCacheTokens, known.kvCacheTokens);
    keepNew(m.peakMemoryBytes, known.peakMemoryBytes);
    keepNew(m.peakMemoryKind, known.peakMemoryKind);
    keepNew(m.outOfMemory, known.outOfMemory);
    keepNew(m.profile, known.profile);
    return m;
}

/// The names are of the profile that they came with.
void settleKernels(const Scenario& before, Scenario& after)
{
    const bool another = after.measured.profile != before.measured.profile && after.kernels == before.kernels;
    if (another || !after.measured.profile.any())
        after.kernels.clear();
}

/// "Unknown" is for measurements; without one it would be refused.
void settleCheckpointing(Scenario& scenario)
{
    if (!scenario.measured.any() && scenario.training.checkpointing == Checkpointing::Unknown)
        scenario.training.checkpointing = Checkpointing::None;
}

bool isAnotherQuestion(const Scenario& a, const Scenario& b)
{
    return a.task != b.task || a.model != b.model || a.accelerator != b.accelerator;
}

} // namespace

RunSettings runSettings(const Scenario& scenario)
{
    return {settingsOf(scenario, scenario.measured), scenario.model, scenario.accelerator};
}

bool sameRun(const RunSettings& a, const RunSettings& b)
{
    return a.model == b.model && a.accelerator == b.accelerator && sameJob(a.setup, b.setup);
}

void leaveMeasurement(Setup& setup, const Setup& base)
{
    if (setup.measured.any() && setup.measured == base.measured &&
        !sameJob(settingsOf(base, base.measured), settingsOf(setup, base.measured)))
        setup.measured = {};
}

Scenario afterEdit(const Scenario& before, Scenario after)
{
    const bool somebodys = !before.source.empty() || before.year;
    const bool untouched = after.source == before.source && after.year == before.year;
    if (somebodys && untouched && isAnotherQuestion(before, after)) {
        if (after.name == before.name)
            after.name.clear();
        if (after.notes == before.notes)
            after.notes.clear();
        if (after.measured == before.measured)
            after.measured = {};
        after.source.clear();
        after.year.reset();
        after.measuredWith.reset();
        settleCheckpointing(after);
        settleKernels(before, after);
        return after;
    }
    if (after.measured != before.measured) {
        const Measured stated = before.measuredWith ? newFigures(after.measured, before.measured) : after.measured;
        if (stated.any()) {
            after.measured = stated;
            after.measuredWith.reset();
        }
    } else if (after.measured.any()) {
        const RunSettings run = before.measuredWith ? *before.measuredWith : runSettings(before);
        if (sameRun(run, runSettings(after)))
            after.measuredWith.reset();
        else
            after.measuredWith = run;
    }
    if (!after.measured.any())
        after.measuredWith.reset();
    settleCheckpointing(after);
    settleKernels(before, after);
    return after;
}

Scenario atMeasuredSettings(Scenario scenario)
{
    if (!scenario.measuredWith)
        return scenario;
    const Setup here = scenario.setup();
    const RunSettings run = *scenario.measuredWith;
    scenario.setup() = run.setup;
    scenario.model = run.model;
    scenario.accelerator = run.accelerator;
    takeRest(scenario, here);
    scenario.measured = here.measured;
    if (!dependsOnAccounting(here.measured))
        scenario.accounting = here.accounting;
    (run.setup.task == Task::Training ? void(scenario.inference = here.inference)
                                      : void(scenario.training = here.training));
    scenario.measuredWith.reset();
    return scenario;
}

Scenario measuredHere(Scenario scenario)
{
    scenario.measuredWith.reset();
    return scenario;
}

Scenario withoutMeasurement(Scenario scenario)
{
    if (scenario.measuredWith) {
        scenario.source.clear();
        scenario.year.reset();
    }
    scenario.measured = {};
    scenario.kernels.clear();
    scenario.measuredWith.reset();
    settleCheckpointing(scenario);
    return scenario;
}

} // namespace headroom
