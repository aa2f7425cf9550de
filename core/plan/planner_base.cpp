// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_base.hpp"

#include "core/scenario/effective.hpp"

namespace headroom
{

bool readerUnpriced(const PreparedScenario& base, const Accelerator& device, PriceKind kind)
{
    const auto& reader = base.prefillAccelerator;
    return hasPrefillPool(base) && reader && reader->id != device.id && !base.inference.prefillPool.pricePerGpuHour &&
           !knownPrice(*reader, kind);
}

PlanAccelerator planAccelerator(const PreparedScenario& base, std::shared_ptr<const Accelerator> accelerator,
                                std::optional<double> stated)
{
    const Hardware& h = base.hardware;
    const bool own = accelerator->id == base.accelerator->id;
    if (own && h.pricePerGpuHour)
        return {std::move(accelerator), h.pricePerGpuHour, base.price, h.spotMtbfHours};
    PlanAccelerator device{std::move(accelerator), stated, {}, {}};
    const auto &listed = device.accelerator->listed, &listedOwn = base.accelerator->listed;
    const bool ofOwnList = listedOwn && h.spotMtbfHours == listedOwn->spotMtbfHours; // which says nothing of others
    if (own || !ofOwnList)
        device.spotMtbfHours = h.spotMtbfHours;
    const PriceKind kind = h.priceKind.value_or(PriceKind::OnDemand);
    if (!own && kind == PriceKind::Spot && listed && listed->spotMtbfHours)
        device.spotMtbfHours = listed->spotMtbfHours;
    if (!stated && !readerUnpriced(base, *device.accelerator, kind))
        if (auto price = knownPrice(*device.accelerator, kind)) {
            device.pricePerGpuHour = price->perHour;
            device.price = std::make_shared<const KnownPrice>(std::move(*price));
        }
    return device;
}

void holdReplicas(Setup& setup)
{
    if (setup.task == Task::Inference)
        setup.parallelism.replicas = servingReplicas(setup);
}

Scenario planBase(Scenario scenario, const PlanDimensions& free, bool countIsHeld)
{
    const bool training = scenario.task == Task::Training;
    if (!free.has(PlanDimension::Replicas))
        holdReplicas(scenario); // while the sizes are those of the scenario
    Parallelism& p = scenario.parallelism;
    const auto smallest = [&free](PlanDimension dimension, std::int64_t& size) {
        if (free.has(dimension))
            size = 1;
    };
    smallest(PlanDimension::Tensor, p.tensor);
    smallest(PlanDimension::Pipeline, p.pipeline);
    smallest(PlanDimension::VirtualPipeline, p.virtualPipeline);
    smallest(PlanDimension::Context, p.context);
    smallest(PlanDimension::Expert, p.expert);
    smallest(PlanDimension::AttentionData, p.attentionData);
    smallest(PlanDimension::MicroBatch, scenario.training.microBatch);
    if (free.has(PlanDimension::Replicas))
        p.replicas.reset();
    RlWorkload& rl = scenario.training.rl;
    if (free.has(PlanDimension::RolloutTensor) && rl.rolloutTensor)
        rl.rolloutTensor = 1;
    if (free.has(PlanDimension::RolloutGpus) && rl.rolloutCount)
        rl.rolloutCount = rl.rolloutTensor.value_or(p.tensor);
    if (!countIsHeld)
        scenario.hardware.count =
            p.tensor * p.pipeline * p.context * (training ? 1 : p.attentionData) * p.replicas.value_or(1);
    return scenario;
}

} // namespace headroom
