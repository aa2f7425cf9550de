// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_point.hpp"

#include "core/scenario/effective.hpp"

namespace headroom::planner
{

void applyPoint(const PlanRequest& request, const PlanPoint& point, PreparedScenario& s)
{
    const PlanAccelerator& device = request.accelerators[point.accelerator];
    const Parallelism& base = request.base.parallelism;
    s.accelerator = device.accelerator;
    s.hardware.pricePerGpuHour = device.pricePerGpuHour;
    s.hardware.spotMtbfHours = device.spotMtbfHours;
    if (s.price != device.price)
        s.price = device.price;
    s.hardware.count = point.gpus;
    Parallelism& p = s.parallelism;
    p.tensor = point.tensor;
    p.pipeline = point.pipeline;
    p.virtualPipeline = point.virtualPipeline;
    p.context = point.context;
    p.expert = point.expert;
    p.attentionData = point.attentionData;
    if (s.task == Task::Training) {
        p.replicas = point.replicas > 1 || base.replicas ? std::optional(point.replicas) : std::nullopt;
        p.sharding = point.sharding;
        p.sequenceParallel =
            point.sequenceParallel == (point.tensor > 1) ? std::nullopt : std::optional(point.sequenceParallel);
        s.training.microBatch = point.microBatch;
        s.training.checkpointing = point.checkpointing;
        s.training.checkpointEvery = point.checkpointEvery;
        s.training.precision = point.precision;
        s.training.offload = point.offload;
        s.training.chunkedLoss = point.chunkedLoss;
        s.training.gradients = point.gradients;
        if (isRl(s)) {
            s.training.rl.rolloutTensor = point.rolloutTensor;
            if (s.training.rl.generatesApart())
                s.training.rl.rolloutCount = point.rollouts;
        }
    } else {
        p.replicas = point.replicas;
        s.inference.batch = point.batch;
        s.inference.weights = point.precision;
        s.inference.kvCache = point.kvCache;
        s.inference.batchMax = request.base.inference.batchMax && !request.free.has(PlanDimension::Batch);
    }
}

} // namespace headroom::planner
