// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_report.hpp"

#include "core/plan/planner_day.hpp"
#include "core/plan/planner_limits.hpp"
#include "core/plan/planner_worker.hpp"
#include "core/predict/inference/inference_memory.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::planner
{
namespace
{

/// The smallest of what was seen; equal ones by the order of configurations.
struct Nearest {
    double share = 0;
    std::optional<PlanPoint> point;
    void offer(double candidate, const PlanPoint& at)
    {
        if (!point || candidate < share || (candidate == share && at < *point)) {
            share = candidate;
            point = at;
        }
    }
};

/// Least share of the memory over every training configuration.
std::optional<PlanPoint> leastMemoryTraining(const PlanSpace& space, const std::stop_token& stop)
{
    Nearest nearest;
    PreparedScenario scenario = space.request().base;
    TrainingStates states(space);
    for (const PlanPoint& block : space.blocks()) {
        const TrainingChoices choices = trainingChoices(space.request(), block);
        states.enter(choices);
        forEachGroup(block, choices, [&](PlanPoint point) {
            const TrainingStates::Entry& entry = states.of(point);
            if (stop.stop_requested() || (nearest.point && entry.leastShare > nearest.share))
                return;
            space.apply(point, scenario);
            WarningSet ignored;
            const TrainingPlan plan = planTraining(scenario, ignored);
            const auto activations = trainingActivationBytes(plan);
            for (std::size_t i = 0; i < choices.shardings.size(); ++i) {
                choose(point, choices.shardings[i]);
                nearest.offer(TrainingStates::shareOf(TrainingDevice(plan), entry.bytes[i], activations), point);
            }
        });
    }
    return nearest.point;
}

std::optional<PlanPoint> leastMemoryInference(const PlanSpace& space, const std::stop_token& stop)
{
    Nearest nearest;
    PreparedScenario scenario = space.request().base;
    for (PlanPoint point : space.blocks()) {
        if (stop.stop_requested())
            return std::nullopt;
        point.replicas = replicasOf(space.request(), point)->least;
        point.gpus *= point.replicas;
        point.batch = space.isFree(PlanDimension::Batch) ? 1 : space.batches().front();
        space.apply(point, scenario);
        const bool ideal = scenario.efficiency.base == EfficiencyBase::Ideal;
        const auto memory = inference::planMemory(scenario, inference::makeMachine(scenario, ideal));
        const double batch = scenario.inference.batchMax ? 1 : double(point.batch);
        nearest.offer(memory.need(batch) / std::max(1.0, memory.capacity), point);
    }
    return nearest.point;
}

/// The fastest training configuration that fits: whatever limit it misses, every other one misses by more.
std::optional<PlanPoint> fastestTraining(const PlanSpace& space, const std::stop_token& stop)
{
    PlanCollector collector(space.request());
    PlanWorker worker(space, collector);
    for (const PlanPoint& block : space.blocks()) {
        if (stop.stop_requested())
            return std::nullopt;
        worker.decide(block, stop);
    }
    const std::vector<PlanFind> ranked = collector.ranked();
    return ranked.empty() ? std::nullopt : std::optional(ranked.front().point);
}

/// Of the inference configurations that fit, the one whose worst limit is missed least.
std::optional<PlanPoint> nearestInference(const PlanSpace& space, const PlanRequest& limits,
                                          const std::stop_token& stop)
{
    Nearest nearest;
    PreparedScenario scenario = space.request().base;
    for (const PlanPoint& block : space.blocks()) {
        PlanPoint point = block;
        point.replicas = replicasOf(space.request(), block)->most;
        point.gpus *= point.replicas;
        std::vector<std::int64_t> batches = space.batches();
        space.apply(point, scenario);
        const std::int64_t inPass = largestInPass(scenario, space.isFree(PlanDimension::Batch));
        if (space.loadDecidesBatch()) { // a limit: the larger, the more is served, and the later tokens come
            const std::int64_t most = std::min(largestBatch(scenario), inPass);
            batches = listedBatches(most);
            batches.push_back(most);
        }
        for (const std::int64_t batch : batches) {
            if (stop.stop_requested())
                return std::nullopt;
            point.batch = std::max<std::int64_t>(1, std::min(batch, inPass));
            space.apply(point, scenario);
            const Evaluation evaluation = evaluateLoaded(limits, scenario);
            const Shortfall missed = shortfall(limits, scenario, evaluation);
            if (missed.kind == LimitKind::Memory)
                break; // larger batches need more
            if (space.loadDecidesBatch() && !evaluation.queue->meanWaitS && batch < batches.back())
                continue; // a larger limit may carry the load, and nothing else does
            nearest.offer(missed.any() ? missed.share() : 0, point);
        }
    }
    return nearest.point;
}

} // namespace

PlanOption optionOf(const PlanSpace& space, const PlanPoint& point)
{
    PlanOption option{space.request().base, {}, {}, {}};
    space.apply(point, option.scenario);
    option.evaluation = evaluateLoaded(space.request(), option.scenario);
    if (option.scenario.task == Task::Inference)
        option.ttftP95S = waitedTtft(option.scenario, option.evaluation);
    const PlanValues values = valuesOf(space.request(), option.scenario, option.evaluation);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i]))
            option.values[i] = values[i];
    return option;
}

bool anyFeasible(const PlanSpace& space, const std::stop_token& stop)
{
    PlanCollector collector(space.request());
    PlanWorker worker(space, collector);
    for (const PlanPoint& block : space.blocks()) {
        worker.decide(block, stop);
        if (collector.version() > 1)
            return true;
        if (stop.stop_requested())
            break;
    }
    return false;
}

std::optional<PlanOption> nearestMiss(const PlanSpace& space, const std::stop_token& stop)
{
    PlanRequest open = space.request(); // limits put aside
    open.limits = {};
    open.objective = PlanObjective::Time;
    open.front = {PlanObjective::Time, PlanObjective::Time};
    open.top = 1;
    const PlanSpace all(open);
    std::optional<PlanPoint> point;
    if (open.base.task == Task::Training) {
        point = fastestTraining(all, stop);
        if (!point)
            point = leastMemoryTraining(all, stop);
    } else {
        point = nearestInference(all, space.request(), stop);
        if (!point)
            point = leastMemoryInference(all, stop);
    }
    return point ? std::optional(optionOf(all, *point)) : std::nullopt;
}

} // namespace headroom::planner
