// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/training/training_update.hpp"

#include "core/predict/training/training_memory_parts.hpp"
#include "core/units/numbers.hpp"

#include <algorithm>

namespace headroom
{
namespace
{

/// What a rank keeps of the states of so many parameters where each group of shards divides its own.
double shardOf(const TrainingPlan& plan, double dense, double experts) noexcept
{
    return dense / plan.shards + experts / plan.expertShards;
}

/// Trained parameters whose optimizer states a rank updates.
double updatedOnRank(const TrainingPlan& plan, const StageParameters& parameters) noexcept
{
    return plan.sharding == Sharding::None ? parameters.trainableDense + parameters.trainableExperts
                                           : shardOf(plan, parameters.trainableDense, parameters.trainableExperts);
}

/// Bytes that an update reads and writes for each trained parameter. The constant is AdamW's: 18, and 8 of moments read
/// and written. Without a master copy a 16-bit gradient and weight, the weight again, and moments half as wide.
double updateBytes(const TrainingPlan& plan) noexcept
{
    const TrainingWorkload& t = plan.setup->training;
    const bool bare = !plan.adapters && plan.valueBytes <= 2 && t.masterWeights == MasterWeights::None;
    const double moments = 2 * optimizerStateBytes(t.optimizer, bare ? MasterWeights::None : MasterWeights::Fp32);
    return moments + (bare ? 6 : plan.constants.optimizerBytes - 16);
}

/// Accelerators that share a host.
double gpusOnHost(const Hardware& hardware) noexcept
{
    constexpr double mostOnHost = 8;
    const auto stated = hardware.perNode;
    return std::max(1.0, std::min({double(hardware.count), mostOnHost, stated ? double(*stated) : mostOnHost}));
}

/// Bytes/s at which the host updates the states of one accelerator: its share of the host's memory, no more than one
/// process can ask for.
double hostMemoryRate(const TrainingPlan& plan) noexcept
{
    return std::min(plan.constants.hostMemoryRate / gpusOnHost(plan.setup->hardware), plan.constants.hostProcessRate);
}

} // namespace

double visitSeconds(const TrainingPlan& plan, const StageParameters& parameters) noexcept
{
    if (plan.offload != Offload::Parameters)
        return 0;
    // Where layers are gathered one by one, each rank brings its shard; others need all.
    const bool gathers = plan.sharding == Sharding::Fsdp && plan.pipeline <= 1;
    const double visiting =
        gathers ? shardOf(plan, parameters.dense, parameters.experts) : parameters.dense + parameters.experts;
    return waitingWeightBytes(plan) * visiting / plan.hostLink;
}

double offloadSeconds(const TrainingPlan& plan, const StageParameters& parameters) noexcept
{
    if (plan.offload == Offload::None)
        return 0;
    const double trained = updatedOnRank(plan, parameters);
    // Gradients go out in 32 bit, weights come back as they are computed with; the update itself runs at the pace of
    // host memory.
    const double times = gradientsLeave(plan) ? plan.microBatches : 1; // the host adds them up
    double seconds = (4 * times + plan.valueBytes) * trained / plan.hostLink + plan.constants.optimizerStart;
    if (!plan.ideal)
        seconds += updateBytes(plan) * trained / hostMemoryRate(plan);
    seconds += 2 * plan.microBatches * visitSeconds(plan, parameters); // forward and backward
    return seconds;
}

OffloadedParameter offloadedParameter(const TrainingPlan& plan) noexcept
{
    constexpr double fp32 = 4; // gradients come in 32 bit, as offloadSeconds() counts them
    const bool zero = plan.sharding == Sharding::Zero1 || plan.sharding == Sharding::Zero2;
    const double extra = zero && plan.shards > 1 && !plan.adapters ? plan.profile.zero1ExtraBytes : 0;
    return {savedBytes(plan).optimizer + fp32 + extra,
            plan.offload == Offload::Parameters ? waitingWeightBytes(plan) : 0};
}

double offloadedBytes(const TrainingPlan& plan, const OffloadedParameter& each, const StageParameters& n) noexcept
{
    const double weights = plan.sharding == Sharding::Fsdp ? shardOf(plan, n.dense, n.experts) : n.dense + n.experts;
    return each.updated * updatedOnRank(plan, n) + each.weights * weights;
}

void addHostStates(const PreparedScenario& prepared, double bytes, Evaluation& result) noexcept
{
    if (!(bytes > 0))
        return;
    const double gpus = gpusOnHost(prepared.hardware);
    const auto& stated = prepared.hardware.hostMemoryGb;
    const HostStates host{bytes, gpus, bytes * gpus,
                          stated ? *stated * giga : usualHostMemory * gpus * prepared.accelerator->usableMemoryBytes()};
    result.hostStates = host;
    if (host.hostBytes > host.mostBytes)
        result.warnings.add(WarningCode::HostMemoryTooSmall, host.hostBytes);
}

Work optimizerWork(const TrainingPlan& plan, const StageParameters& parameters) noexcept
{
    if (plan.offload != Offload::None)
        return {};
    const double local = updatedOnRank(plan, parameters);
    const double bytes = updateBytes(plan) * local;
    return {0, bytes,
            bytes / (plan.constants.optimizerShare * plan.bandwidth) * plan.profile.optimizerFactor +
                plan.constants.optimizerStart};
}

CheckpointCopy checkpointCopy(const TrainingPlan& plan) noexcept
{
    CheckpointCopy copy;
    copy.hostRate = hostMemoryRate(plan);
    const SavedBytes each = savedBytes(plan);
    double most = 0;
    for (std::size_t stage = 0; stage < plan.layout.stages(); stage += plan.layout.alike(stage))
        most = std::max(most, updatedOnRank(plan, stageParameters(plan, stage)));
    const bool weightsWait = plan.offload == Offload::Parameters, statesWait = plan.offload != Offload::None;
    (weightsWait ? copy.hostBytes : copy.linkBytes) += each.weights * most;
    (statesWait ? copy.hostBytes : copy.linkBytes) += each.optimizer * most;
    return copy;
}

} // namespace headroom
