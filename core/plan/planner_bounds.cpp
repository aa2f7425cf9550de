// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_bounds.hpp"

#include "core/hardware/power.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/predict/rl.hpp"
#include "core/predict/training/training_flops.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>
#include <limits>

namespace headroom::planner
{
namespace
{

constexpr double unknown = std::numeric_limits<double>::infinity();

double positive(const std::optional<double>& value) noexcept
{
    return value && *value > 0 ? *value : unknown;
}

double timeOf(const Evaluation& e) noexcept
{
    if (e.task == Task::Training) {
        const double rate = e.rl || e.goodput || e.tokensPerS ? paidTokensPerS(e) : 0;
        return 1 / std::max(rate, std::numeric_limits<double>::min());
    }
    if (e.queue && !e.queue->meanWaitS)
        return unknown; // the queue grows without bound
    return positive(e.requestLatencyS) + (e.queue ? *e.queue->meanWaitS : 0);
}

} // namespace

PlanValues valuesOf(const PreparedScenario& s, const Evaluation& e) noexcept
{
    const bool loaded = s.task == Task::Inference && s.inference.requestsPerS.has_value();
    PlanValues v{};
    at(v, PlanObjective::Cost) = positive(loaded ? e.costPerHour : e.costPerMillionTokens);
    at(v, PlanObjective::Time) = timeOf(e);
    at(v, PlanObjective::Energy) = positive(paidJoulesPerToken(e));
    at(v, PlanObjective::Gpus) = double(s.hardware.count) + (e.pools ? e.pools->prefill.devices : 0);
    at(v, PlanObjective::Mfu) = e.mfu ? -*e.mfu : unknown;
    if (e.rl) { // the MFU is the update's alone
        at(v, PlanObjective::Gpus) = e.rl->gpus;
        at(v, PlanObjective::Mfu) = unknown;
    }
    return v;
}

TokenFlop tokenFlop(const PreparedScenario& s, const TrainingPlan& plan) noexcept
{
    const TrainingFlopPerToken perToken(*s.model, trainingCount(s, plan.checkpointing));
    return {perToken.model(s.accounting), perToken.model(Convention::Exact)};
}

PlanValues bestValues(const PreparedScenario& s, const TrainingPlan& plan, double seconds,
                      const TokenFlop& flop) noexcept
{
    const double tokens = plan.microBatches * plan.microBatch * plan.data * plan.sequence;
    const double least = std::max(seconds, std::numeric_limits<double>::min());
    const double modelFlop = flop.counted * tokens;
    const double utilizedSeconds =
        modelFlop / (plan.gpus * plan.ratedPeak); // MFU × seconds: the same whatever the layout
    PlanValues v{};
    at(v, PlanObjective::Time) = least / tokens;
    at(v, PlanObjective::Gpus) = plan.gpus;
    at(v, PlanObjective::Mfu) = -utilizedSeconds / least * (1 + roundingSlack);
    at(v, PlanObjective::Cost) = s.hardware.pricePerGpuHour
                                     ? *s.hardware.pricePerGpuHour * plan.gpus / secondsPerHour * 1e6 * least / tokens
                                     : unknown;
    at(v, PlanObjective::Energy) = unknown;
    if (const double tdp = s.accelerator->tdpWatts; tdp > 0) {
        // Passes run all the time, and what the method needs is no more than the FLOP executed: energy grows with the
        // time, up to the rated power. What moving bytes draws is left out.
        const double exact = flop.exact * tokens;
        const double needed = exact / (plan.gpus * plan.ratedPeak);
        const EnergyCalibration& e = s.calibration->energy;
        const double drawn = (e.runningShare * least + e.computeShare * needed) * tdp;
        at(v, PlanObjective::Energy) = std::min(boardWatts(s.hardware, *s.accelerator) * least, drawn) * hostFactor(s) *
                                       plan.gpus / tokens * (1 - roundingSlack);
    }
    return v;
}

PlanValues rlValues(const PreparedScenario& s, const RlResult& step) noexcept
{
    Evaluation least;
    least.task = Task::Training;
    least.rl = step;
    addRlCost(s, least);
    return valuesOf(s, least);
}

} // namespace headroom::planner
