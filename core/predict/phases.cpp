// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/phases.hpp"

#include "core/predict/cost_energy.hpp"
#include "core/predict/goodput.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <array>

namespace headroom
{

void takePhase(Setup& own, const TrainingPhase& phase)
{
    constexpr auto put = [](std::int64_t& value, const std::optional<std::int64_t>& stated) {
        value = stated.value_or(value);
    };
    own.measured = {}; // of the scenario's own settings
    own.training.rl = {};
    TrainingWorkload& w = own.training;
    w.trainingTokens = phase.tokens;
    put(w.sequenceLength, phase.sequenceLength);
    put(w.microBatch, phase.microBatch);
    if (phase.globalBatch)
        w.globalBatch = phase.globalBatch;
    put(own.hardware.count, phase.count);
    put(own.parallelism.tensor, phase.tensor);
    put(own.parallelism.pipeline, phase.pipeline);
    put(own.parallelism.context, phase.context);
    put(own.parallelism.expert, phase.expert);
}

PreparedScenario phaseScenario(const PreparedScenario& prepared, const TrainingPhase& phase)
{
    PreparedScenario own = prepared;
    own.phases.reset();
    takePhase(own, phase);
    return own;
}

bool inPhases(const PreparedScenario& prepared) noexcept
{
    return prepared.phases && prepared.task == Task::Training && !isRl(prepared);
}

std::optional<double> tokensInOnePiece(const PreparedScenario& prepared) noexcept
{
    return inPhases(prepared) ? std::nullopt : prepared.training.trainingTokens;
}

namespace
{

/// Adds what some runs know and others do not: of all phases or of none.
void addKnown(std::optional<double>& sum, const std::optional<double>& one) noexcept
{
    if (one)
        sum = sum.value_or(0) + *one;
}

/// What no setting of the scenario itself says of a run in phases.
void addRunOf(const PreparedScenario& prepared, const PhasesTotal& total, std::optional<double> kwh,
              Evaluation& result) noexcept
{
    result.secondsToTrain = total.seconds;
    result.costToTrain = total.cost;
    if (result.site) {
        result.site->runKwh = kwh;
        result.site->runCarbonKg = carbonKg(prepared.hardware, kwh);
    }
    const auto& interval = prepared.training.reliability.checkpointIntervalS;
    if (const double trains = total.seconds - total.lostS.value_or(0); total.lostS && interval && *interval > trains)
        result.warnings.add(WarningCode::CheckpointBeyondRun, trains);
}

/// Of a phase, what neither the scenario's own step warns of nor the run says anyway: which phases do not fit, the
/// longest sequences, keys that act in no phase, the interval beside the run.
WarningSet ofPhaseAlone(const WarningSet& phase, const WarningSet& own) noexcept
{
    constexpr std::array saidOfTheRun{WarningCode::DoesNotFit, WarningCode::BeyondMaxContext,
                                      WarningCode::KeyWithoutEffect, WarningCode::CheckpointBeyondRun};
    WarningSet alone = phase;
    alone.remove(own);
    for (const WarningCode code : saidOfTheRun)
        alone.remove(code);
    return alone;
}

} // namespace

PhaseResult evaluatePhase(const PreparedScenario& prepared, const TrainingPhase& phase) noexcept
{
    const PreparedScenario own = phaseScenario(prepared, phase);
    const Evaluation e = evaluateStep(own);
    PhaseResult r;
    r.tokens = phase.tokens;
    r.seconds = e.secondsToTrain.value_or(0);
    r.gpus = double(own.hardware.count);
    r.gpuHours = r.gpus * r.seconds / secondsPerHour;
    r.cost = e.costToTrain;
    if (e.site) {
        r.siteWatts = e.site->watts;
        r.kwh = e.site->runKwh;
    }
    r.lostS = lostSeconds(e);
    r.sequenceLength = double(own.training.sequenceLength);
    r.tokensPerStep = e.tokensPerStep;
    r.tokensPerS = paidTokensPerS(e);
    r.mfu = e.mfu;
    r.fits = e.fits && !(own.hardware.hostMemoryGb && e.warnings.has(WarningCode::HostMemoryTooSmall));
    r.warnings = e.warnings;
    return r;
}

std::vector<PhaseResult> evaluatePhases(const PreparedScenario& prepared)
{
    std::vector<PhaseResult> all;
    if (inPhases(prepared))
        for (const TrainingPhase& phase : *prepared.phases)
            all.push_back(evaluatePhase(prepared, phase));
    return all;
}

void addPhases(const PreparedScenario& prepared, Evaluation& result) noexcept
{
    if (!inPhases(prepared))
        return;
    PhasesTotal total;
    std::optional<double> kwh;
    double longest = 0;
    std::size_t number = 0;
    bool warn = false;
    for (const TrainingPhase& phase : *prepared.phases) {
        ++number;
        const PhaseResult one = evaluatePhase(prepared, phase);
        total.tokens += one.tokens;
        total.seconds += one.seconds;
        total.gpuHours += one.gpuHours;
        addKnown(total.cost, one.cost);
        addKnown(total.lostS, one.lostS);
        addKnown(kwh, one.kwh);
        longest = std::max(longest, double(phaseSampleTokens(prepared, phase)));
        if (!one.fits && total.fit)
            total.unfit = number;
        total.fit = total.fit && one.fits;
        warn = warn || ofPhaseAlone(one.warnings, result.warnings).any();
    }
    addRunOf(prepared, total, kwh, result);
    if (!total.fit)
        result.warnings.add(WarningCode::PhaseDoesNotFit, static_cast<double>(total.unfit));
    if (warn)
        result.warnings.add(WarningCode::PhaseHasNotes);
    const auto context = double(prepared.model->architecture.maxContext);
    if (context > 0 && longest > context)
        result.warnings.add(WarningCode::BeyondMaxContext, context);
    result.phases = total;
}

std::string unfitPhasesText(const PreparedScenario& p)
{
    std::string names;
    std::size_t unfit = 0, index = 0;
    for (const PhaseResult& phase : evaluatePhases(p)) {
        if (!phase.fits) {
            names += (unfit > 0 ? ", " : "") + phaseName((*p.phases)[index], index);
            ++unfit;
        }
        ++index;
    }
    return unfit > 1 ? say("{} phases do not fit: {}. Their times are computed as if they did.", unfit, names)
                     : say("A phase does not fit: {}. Its time is computed as if it did.", names);
}

std::string phaseWarningsText(const PreparedScenario& p)
{
    const WarningSet own = evaluateStep(p).warnings;
    std::string text;
    std::size_t index = 0;
    for (const PhaseResult& result : evaluatePhases(p)) {
        const TrainingPhase& phase = (*p.phases)[index];
        const PreparedScenario scenario = phaseScenario(p, phase);
        ofPhaseAlone(result.warnings, own).forEach([&](WarningCode code, double value) {
            text += (text.empty() ? "" : " ") + phaseName(phase, index) + ": " + warningText(code, value, scenario);
        });
        ++index;
    }
    return text.empty() ? said("A phase has notes of its own.") : text;
}

std::optional<std::size_t> longestPhase(const PreparedScenario& prepared) noexcept
{
    std::optional<std::size_t> longest;
    if (!inPhases(prepared))
        return longest;
    std::int64_t most = effectiveSampleTokens(prepared.training);
    for (std::size_t i = 0; i < prepared.phases->size(); ++i)
        if (const std::int64_t sample = phaseSampleTokens(prepared, (*prepared.phases)[i]); sample > most) {
            most = sample;
            longest = i;
        }
    return longest;
}

std::int64_t phaseSampleTokens(const PreparedScenario& prepared, const TrainingPhase& phase) noexcept
{
    TrainingWorkload own = prepared.training;
    own.sequenceLength = phase.sequenceLength.value_or(own.sequenceLength);
    return effectiveSampleTokens(own);
}

std::string phaseName(const TrainingPhase& phase, std::size_t index)
{
    return phase.name.empty() ? say("phase {}", index + 1) : phase.name;
}

} // namespace headroom
