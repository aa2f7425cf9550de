// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_goodput.hpp"

#include "core/predict/rl.hpp"
#include "core/predict/training/training_memory_parts.hpp"
#include "core/scenario/effective.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom
{

namespace
{

/// Any of which stops the job: those that generate answers, too.
double gpusOf(const TrainingPlan& plan) noexcept
{
    return isRl(*plan.setup) ? static_cast<double>(rlGpus(*plan.setup)) : plan.gpus;
}

} // namespace

TrainingFailures trainingFailures(const TrainingPlan& plan, double trainableParameters) noexcept
{
    const TrainingWorkload& w = plan.setup->training;
    TrainingFailures f;
    f.learners = isRl(*plan.setup) && w.rl.critic ? 2 : 1;
    f.checkpointBytes = savedBytes(plan).all() * trainableParameters * f.learners;
    f.copy = checkpointCopy(plan);
    f.copy.linkBytes *= f.learners;
    f.copy.hostBytes *= f.learners;
    const double gpus = gpusOf(plan);
    f.model.mtbf = w.reliability.gpuMtbfHours.value_or(usualGpuMtbfHours) * secondsPerHour / gpus;
    if (const auto& hours = plan.setup->hardware.spotMtbfHours; hours && countsSpotInterruptions(*plan.setup))
        f.model.mtbf = 1 / (1 / f.model.mtbf + gpus / (*hours * secondsPerHour));
    f.model.checkpoint = w.reliability.checkpointS        ? *w.reliability.checkpointS
                         : w.reliability.checkpointGbPerS ? f.checkpointBytes / (*w.reliability.checkpointGbPerS * giga)
                                                          : f.copy.linkBytes / plan.hostLink + f.copy.hostSeconds();
    f.model.restart = w.reliability.restartS;
    return f;
}

void addGoodput(const TrainingPlan& plan, std::optional<double> trainingTokens, Evaluation& r) noexcept
{
    const TrainingWorkload& w = plan.setup->training;
    const TrainingFailures f = trainingFailures(plan, r.trainableParameters);
    const double gpus = gpusOf(plan), stepS = r.rl ? r.rl->stepS : *r.stepTimeS,
                 tokensPerS = r.rl ? r.rl->tokens / r.rl->stepS : *r.tokensPerS;
    Goodput g;
    g.mtbfS = f.model.mtbf;
    g.checkpointBytes = f.checkpointBytes;
    g.checkpointS = f.model.checkpoint;
    const double run = trainingTokens.value_or(0) / tokensPerS;
    // Written between two steps, and once at the end: what is trained is kept.
    const auto within = [&](double interval) { return std::max(run > 0 ? std::min(interval, run) : interval, stepS); };
    g.bestIntervalS = within(bestCheckpointInterval(f.model));
    const auto& interval = w.reliability.checkpointIntervalS;
    g.intervalS = interval ? within(*interval) : g.bestIntervalS;
    g.ettr = g.ettrLow = effectiveTrainingTimeRatio(f.model, g.intervalS);
    if (gpus < smallJobGpus) {
        FailureModel often = f.model;
        // Spot GPUs are taken back at a rate of their own, which is that of small jobs too.
        const double own = w.reliability.gpuMtbfHours.value_or(usualGpuMtbfHours) * secondsPerHour / gpus;
        often.mtbf = 1 / (1 / often.mtbf + (smallJobFailures - 1) / own);
        g.ettrLow = effectiveTrainingTimeRatio(often, g.intervalS);
    }
    g.stragglers = stragglerFactor(w.reliability.stragglerSigma, plan.data);
    g.maintenance = w.reliability.maintenance;
    divideCalendar(g, f.model);
    g.tokensPerS = tokensPerS * g.share;
    if (std::max(f.model.restart, f.model.checkpoint) > f.model.mtbf)
        r.warnings.add(WarningCode::FailsBeforeRestart, g.ettr);
    if (const auto& stated = w.reliability.checkpointIntervalS; stated && *stated < stepS)
        r.warnings.add(WarningCode::CheckpointWithinStep, stepS);
    if (run > 0 && w.reliability.checkpointIntervalS > run)
        r.warnings.add(WarningCode::CheckpointBeyondRun, run);
    r.goodput = g;
}

} // namespace headroom
