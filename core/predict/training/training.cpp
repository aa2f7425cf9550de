// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/cost_energy.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/phases.hpp"
#include "core/predict/training/training_flops.hpp"
#include "core/predict/training/training_goodput.hpp"
#include "core/predict/training/training_kind.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_observed.hpp"
#include "core/predict/training/training_step.hpp"
#include "core/predict/training/training_update.hpp"
#include "core/scenario/effective.hpp"

#include <algorithm>
#include <numeric>

namespace headroom
{
namespace
{

BoundBy boundOf(const TrainingStep& step, bool fits) noexcept
{
    if (!fits)
        return BoundBy::Capacity;
    const auto sum = [&](std::initializer_list<TimePart> parts) {
        double seconds = 0;
        for (const TimePart p : parts)
            seconds += step.part(p);
        return seconds;
    };
    const std::array<std::pair<double, BoundBy>, 4> groups{{
        {sum({TimePart::Matmul, TimePart::Attention, TimePart::Experts, TimePart::Recompute}), BoundBy::Compute},
        {sum({TimePart::MemoryBound, TimePart::OptimizerStep}), BoundBy::MemoryBandwidth},
        {sum({TimePart::TensorParallel, TimePart::ContextParallel, TimePart::ExpertParallel, TimePart::DataParallel,
              TimePart::PipelineSend}),
         BoundBy::Communication},
        {sum({TimePart::Host, TimePart::PipelineBubble}), BoundBy::Latency},
    }};
    return std::ranges::max_element(groups, {}, &std::pair<double, BoundBy>::first)->second;
}

void addMemory(const TrainingMemory& memory, Evaluation& r) noexcept
{
    r.memory = memory.parts;
    r.usedBytes = std::accumulate(r.memory.begin(), r.memory.end(), 0.0); // `device`, to the last digit
    r.allocatedBytes = memory.allocated;
    r.reservedBytes = memory.reserved;
    r.deviceBytes = memory.device;
    r.capacityBytes = memory.capacity;
    r.fits = memory.fits();
}

void addMemoryInterval(const PreparedScenario& prepared, Evaluation& r) noexcept
{
    const auto range = memoryRange(prepared);
    if (!range)
        return;
    r.usedBytesInterval = Interval{r.usedBytes * range->low, r.usedBytes * range->high};
    const bool hasRun = r.credible() && r.observed->stepTimeS; // with these settings: it fitted
    if (r.fits && !hasRun && r.usedBytesInterval->high > r.capacityBytes)
        r.warnings.add(WarningCode::MemoryMayNotFit, r.usedBytesInterval->high);
}

void addStep(const TrainingPlan& plan, const TrainingStep& step, Evaluation& r) noexcept
{
    r.time = step.time;
    r.stepTimeS = step.seconds;
    r.tokensPerS = r.tokensPerStep / step.seconds;
    r.tokensPerSPerGpu = *r.tokensPerS / plan.gpus;
    r.bytesMoved = step.bytes;
    r.mbu = step.bytes / (step.seconds * r.memoryBandwidth);
    r.ridgeFlopPerByte = plan.ratedPeak / r.memoryBandwidth;
    r.intensityFlopPerByte = step.bytes > 0 ? step.flop / step.bytes : 0;
    r.boundBy = boundOf(step, r.fits);
}

/// Speed of light of the same scenario, s: what nothing measured can beat.
double idealSeconds(const PreparedScenario& prepared, Checkpointing checkpointing) noexcept
{
    PreparedScenario ideal = prepared; // shares the model, the accelerator and the calibration
    ideal.efficiency = Efficiency{};
    ideal.efficiency.base = EfficiencyBase::Ideal;
    WarningSet ignored;
    TrainingPlan plan = planTraining(ideal, ignored);
    setCheckpointing(plan, checkpointing, double(prepared.training.checkpointEvery));
    return trainingStep(plan).seconds;
}

/// 80 %, s. No run is faster than the speed of light. The interval of software without runs alone reaches that far:
/// what runs were measured for ends above `measured`, and needs no second step.
Interval stepInterval(const PreparedScenario& prepared, const TrainingPlan& plan, double seconds) noexcept
{
    constexpr double measured = 0.6; // "low" of `intervals` in resources/calibration.json: 0.65 at the least
    const ResidualRange range = stepTimeRange(plan, prepared.calibration->training);
    const double ideal = range.low < measured ? idealSeconds(prepared, plan.checkpointing) : 0;
    return {std::max(seconds * range.low, std::min(seconds, ideal)), seconds * range.high};
}

void addObserved(const PreparedScenario& prepared, const TrainingPlan& plan, StepFigures figures, double ownPeak,
                 Evaluation& r) noexcept
{
    const Measured& measured = prepared.measured;
    if (!measured.any())
        return;
    figures.peak = measured.peakTflops ? *measured.peakTflops * 1e12 : ownPeak;
    double disagreement = 0;
    const std::optional<double> seconds = observedStepTime(measured, figures, disagreement);
    r.observed = Observed{};
    r.observed->peakMemoryBytes = measured.peakMemoryBytes;
    if (!seconds)
        return;
    r.observed->tokensPerS = r.tokensPerStep / *seconds;
    if (disagreement > 0.02)
        r.warnings.add(WarningCode::MeasurementsDisagree, disagreement);
    const double capacity = *seconds * plan.gpus * figures.peak;
    r.observed->stepTimeS = seconds;
    r.observed->mfu = figures.modelFlop / capacity;
    r.observed->hfu = figures.hardwareFlop / capacity;
    r.observed->mbu = r.bytesMoved / (*seconds * r.memoryBandwidth);
    r.observed->achievedBandwidthGbPerS = r.bytesMoved / *seconds / 1e9;
    // Unstated checkpointing is predicted as none or full; the run may have had none.
    const bool unstated = prepared.training.checkpointing == Checkpointing::Unknown;
    const double ideal = idealSeconds(prepared, unstated ? Checkpointing::None : plan.checkpointing);
    // Nor does a run do more than the peak that its source states.
    const double exactMfu = r.flops.model / (*seconds * plan.gpus * std::min(figures.peak, ownPeak));
    const double excess = std::max(ideal / *seconds, exactMfu);
    r.observed->impossible = excess > 1;
    if (r.observed->impossible)
        r.warnings.add(WarningCode::FasterThanIdeal, excess);
    else if (*r.observed->mbu > 1)
        r.observed->mbu.reset(); // the run moved fewer bytes than its operators are predicted to
}

void addUtilization(const PreparedScenario& prepared, const TrainingPlan& plan, const TrainingFlopPerToken& perToken,
                    double seconds, Evaluation& r) noexcept
{
    r.peakFlops = plan.ratedPeak;
    const ByConvention counted = perToken.models();
    r.modelFlopPerToken = counted[static_cast<std::size_t>(prepared.accounting)];
    StepFigures figures{r.tokensPerStep, plan.gpus, r.modelFlopPerToken * r.tokensPerStep,
                        perToken.hardware(prepared.accounting) * r.tokensPerStep, plan.ratedPeak};
    const double capacity = seconds * plan.gpus * plan.ratedPeak;
    r.mfu = figures.modelFlop / capacity;
    r.hfu = figures.hardwareFlop / capacity;
    r.modelTflopsPerGpu = figures.modelFlop / seconds / plan.gpus / 1e12;
    r.hardwareTflopsPerGpu = figures.hardwareFlop / seconds / plan.gpus / 1e12;
    addObserved(prepared, plan, figures, plan.ratedPeak, r);

    const bool measured = r.credible() && r.observed->stepTimeS;
    const double shownCapacity =
        measured ? *r.observed->stepTimeS * plan.gpus *
                       (prepared.measured.peakTflops ? *prepared.measured.peakTflops * 1e12 : plan.ratedPeak)
                 : capacity;
    for (std::size_t i = 0; i < counted.size(); ++i)
        r.conventions[i] = counted[i] * r.tokensPerStep / shownCapacity;
}

} // namespace

void evaluateTraining(const PreparedScenario& prepared, Evaluation& r) noexcept
{
    TrainingPlan plan = planTraining(prepared, r.warnings);
    const TrainingMemory memory = resolveUnstated(plan, r.warnings);
    const TrainingStep step = trainingStep(plan);

    r.trainableParameters =
        plan.adapters ? loraParameters(*plan.model, double(prepared.training.loraRank), prepared.training.loraTargets)
                      : prepared.model->parameters.total + plan.predictionParameters();
    r.data = plan.data;
    r.microBatches = plan.microBatches;
    r.replicas = plan.replicas;
    r.batch = plan.microBatches * plan.microBatch * plan.data;
    r.tokensPerStep = r.batch * plan.sequence;
    r.memoryBandwidth = plan.accelerator->memoryBandwidth();

    addMemory(memory, r);
    const double inputs = isRl(prepared) ? 0 : hostInputBytes(plan); // its answers have lengths of their own
    addHostStates(prepared, step.hostBytes + inputs, r);
    addStep(plan, step, r);
    if (!plan.ideal)
        r.stepTimeInterval = stepInterval(prepared, plan, step.seconds);
    TrainingCount count = trainingCount(prepared, plan.checkpointing);
    count.projectAgain = plan.projectAgain;
    const TrainingFlopPerToken perToken(*prepared.model, count);
    r.flops = trainingFlops(plan, perToken);
    addUtilization(prepared, plan, perToken, step.seconds, r);
    addMemoryInterval(prepared, r);
    r.activity = {r.flops.hardware / (step.seconds * plan.gpus * plan.ratedPeak), *r.mbu, 0};
    r.activity.running -= step.waitS / step.seconds;
    if (countsFailures(prepared.training) && !isRl(prepared)) // a job of which this is the update fails as a whole
        addGoodput(plan, tokensInOnePiece(prepared), r);
    addCostAndEnergy(prepared, *r.tokensPerS, tokensInOnePiece(prepared), r);
}

} // namespace headroom
