// SPDX-License-Identifier: GPL-3.0-or-later
// PlanSpace: the legal configurations of a plan, in blocks that share everything a layout fixes at the start.
//
// Tensor sizes divide the attention heads, and key/value heads divide evenly or repeat evenly. Pipeline: at most one
// stage a layer; interleaved where all chunks are equal and the micro-batches fill the stages. Context divides the
// sequence into two equal pieces a rank. Experts divide evenly, over ranks that hold whole or evenly split experts.
// ZeRO and FSDP need more than one rank, ZeRO-2 no pipeline; hybrid sharding keeps at least two ranks a group.
// Micro-batches divide what one rank has of the global batch (left out: powers of two to 64). Checkpointing every n-th
// layer: n from 2 to 8. Batches of inference: without a load 1, 2, 3, 4, 6, 8 … 2048, and between them the largest that
// meets the targets and the best by the objective; under a load, which decides what is in flight, the one that serves
// it best. Replicas: as few as carry the load; best by time, as many as the GPUs allow. Ranks of context and
// attention-data parallelism are powers of two; more than eight pipeline stages divide the layers or are a power of
// two. With a pool that reads prompts a layout that decodes stands once, with the best pool for it: of all devices,
// layouts and numbers. A step of reinforcement learning: of N GPUs of both sides, G to train for N − 1, or for N − s, N
// − 2s … (at most 64 of them; s: the largest divisor of N up to N ÷ 16). A layout that trains stands once beside so
// many that generate, with the quickest tensor size of those. The update's own number of micro-batches follows from how
// answers are packed: stages hold one chunk.
#pragma once

#include "core/plan/planner_readers.hpp"

#include <compare>

namespace headroom::planner
{

/// One configuration. The order is the tie-break: whatever the threads do, equal answers come in this order.
struct PlanPoint {
    std::uint32_t accelerator = 0; ///< index
    std::int64_t gpus = 1, tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1, attentionData = 1,
                 replicas = 1;
    Sharding sharding = Sharding::None;
    bool sequenceParallel = false;
    Offload offload = Offload::None;
    Checkpointing checkpointing = Checkpointing::None;
    std::int64_t checkpointEvery = 2, microBatch = 1, batch = 1;
    std::optional<bool> chunkedLoss;
    std::optional<Gradients> gradients;
    DataType precision = DataType::Bf16, kvCache = DataType::Bf16;
    std::uint32_t reader = 0;                     ///< index into PlanSpace::readers(), where there are any
    std::int64_t readers = 0;                     ///< instances of it; 0: as many as the load needs
    std::int64_t rollouts = 0, rolloutTensor = 1; ///< reinforcement learning: GPUs beside `gpus`, GPUs of a copy
    auto operator<=>(const PlanPoint&) const = default;
};

/// How the states of training are spread, and what is moved to the host.
struct ShardingChoice {
    Sharding sharding = Sharding::None;
    std::int64_t replicas = 1;
    Offload offload = Offload::None;
    std::optional<Gradients> gradients;
};
/// What is computed again in the backward pass.
struct CheckpointingChoice {
    Checkpointing mode = Checkpointing::None;
    std::int64_t every = 2;
};
/// A micro-batch and the interleavings that are legal with it.
struct MicroBatchChoice {
    std::int64_t size = 1;
    std::vector<std::int64_t> virtualPipelines;
};

/// What is still open within a training block: every combination is one configuration.
struct TrainingChoices {
    std::vector<MicroBatchChoice> microBatches;
    std::vector<ShardingChoice> shardings;
    std::vector<bool> sequenceParallel;
    std::vector<std::optional<bool>> chunkedLoss;
    std::vector<CheckpointingChoice> checkpointing;
    [[nodiscard]] std::uint64_t count() const;
};

/// Built once per search; read by all its threads.
class PlanSpace final
{
public:
    /// `request` with its accelerators filled in; it has to outlive the space.
    explicit PlanSpace(const PlanRequest& request);

    [[nodiscard]] const PlanRequest& request() const { return m_request; }
    /// Training: accelerator, precision, GPUs and parallel sizes. Inference: one replica (`gpus` of it), precisions.
    [[nodiscard]] const std::vector<PlanPoint>& blocks() const { return m_blocks; }
    [[nodiscard]] TrainingChoices trainingChoices(const PlanPoint& block) const;
    /// Batches of every inference block, ascending.
    [[nodiscard]] const std::vector<std::int64_t>& batches() const { return m_batches; }
    /// Inference with a stated load, in requests a second or users.
    [[nodiscard]] bool isLoaded() const { return m_request.base.inference.requestsPerS || m_request.users; }
    /// Then a block is one configuration, with the batch that serves the load best.
    [[nodiscard]] bool loadDecidesBatch() const { return isLoaded() && isFree(PlanDimension::Batch); }
    /// Smallest and largest number of replicas of an inference block; empty where none goes together with the GPUs.
    struct Replicas {
        std::int64_t least = 1, most = 1;
    };
    [[nodiscard]] std::optional<Replicas> replicas(const PlanPoint& block) const;
    /// Layouts of the prefill pool. Blocks are then layouts that decode, each ranked with the best of these.
    [[nodiscard]] const std::vector<PlanReader>& readers() const { return m_readers; }
    [[nodiscard]] bool hasReaders() const { return m_hasReaders; }
    /// Instances of a reader that the scenario fixes; 0 where its GPUs make no whole number of them.
    [[nodiscard]] std::optional<std::int64_t> heldReaders(const PlanReader& reader) const;
    [[nodiscard]] std::uint64_t count(const PlanPoint& block) const;
    /// Makes a copy of the base scenario the point's.
    void apply(const PlanPoint& point, PreparedScenario& scenario) const;
    [[nodiscard]] bool isFree(PlanDimension d) const { return m_request.free.has(d); }
    [[nodiscard]] std::vector<std::string> notes() const;

private:
    void addTraining(std::uint32_t accelerator);
    void addLayouts(PlanPoint block);
    void addSplits(PlanPoint block);
    [[nodiscard]] std::int64_t bestRolloutTensor(PlanPoint block) const;
    void addInference(std::uint32_t accelerator);
    void addExperts(PlanPoint block, std::int64_t ranks);
    [[nodiscard]] bool headsDivide(std::int64_t tensor) const;
    [[nodiscard]] std::vector<std::int64_t> tensorSizes(std::int64_t most,
                                                        PlanDimension of = PlanDimension::Tensor) const;
    [[nodiscard]] std::vector<DataType> precisions(const Accelerator& accelerator) const;
    [[nodiscard]] std::vector<DataType> cachePrecisions() const;
    [[nodiscard]] std::string heldFormats() const;
    void applyReader(const PlanPoint& point, PreparedScenario& scenario) const;
    [[nodiscard]] std::vector<std::int64_t> virtualPipelines(const PlanPoint& block, std::int64_t microBatches) const;

    const PlanRequest& m_request;
    std::vector<PlanPoint> m_blocks;
    std::vector<std::int64_t> m_batches;
    bool m_hasReaders;
    std::vector<PlanReader> m_readers;
};

/// What a configuration takes of a choice.
inline void choose(PlanPoint& point, const ShardingChoice& choice)
{
    point.sharding = choice.sharding;
    point.replicas = choice.replicas;
    point.offload = choice.offload;
    point.gradients = choice.gradients;
}

/// Every configuration of a training block but for how states are kept: those are `choices.shardings` of each.
template <typename Visit>
void forEachGroup(PlanPoint point, const TrainingChoices& choices, const Visit& visit)
{
    for (const MicroBatchChoice& microBatch : choices.microBatches) {
        point.microBatch = microBatch.size;
        for (const std::int64_t virtualPipeline : microBatch.virtualPipelines) {
            point.virtualPipeline = virtualPipeline;
            for (const bool sequenceParallel : choices.sequenceParallel) {
                point.sequenceParallel = sequenceParallel;
                for (const std::optional<bool> chunkedLoss : choices.chunkedLoss) {
                    point.chunkedLoss = chunkedLoss;
                    for (const CheckpointingChoice& checkpointing : choices.checkpointing) {
                        point.checkpointing = checkpointing.mode;
                        point.checkpointEvery = checkpointing.every;
                        visit(point);
                    }
                }
            }
        }
    }
}

/// Replicas of inference have at most so many GPUs (unless the base's has more): eight nodes of eight.
inline constexpr std::int64_t mostReplicaGpus = 64;
inline constexpr std::int64_t mostPlanBatch = 2048; ///< what "max" means too in a scenario

} // namespace headroom::planner
