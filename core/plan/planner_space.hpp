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

#include "core/plan/planner_choices.hpp"
#include "core/plan/planner_load.hpp"
#include "core/plan/planner_readers.hpp"

namespace headroom::planner
{

/// Built once per search; read by all its threads.
class PlanSpace final
{
public:
    /// `request` with its accelerators filled in; it has to outlive the space.
    explicit PlanSpace(const PlanRequest& request);

    [[nodiscard]] const PlanRequest& request() const { return m_request; }
    /// Layouts (planner_layouts.hpp). With a pool that reads prompts: those that decode, each ranked with the best of
    /// `readers()`.
    [[nodiscard]] const std::vector<PlanPoint>& blocks() const { return m_blocks; }
    /// Configurations of a block.
    [[nodiscard]] std::uint64_t count(const PlanPoint& block) const;
    /// Batches of every inference block, ascending.
    [[nodiscard]] const std::vector<std::int64_t>& batches() const { return m_batches; }
    /// Under a load with a free batch a block is one configuration, with the batch that serves the load best.
    [[nodiscard]] bool loadDecidesBatch() const { return isLoaded(m_request) && isFree(PlanDimension::Batch); }
    /// Layouts of the prefill pool.
    [[nodiscard]] const std::vector<PlanReader>& readers() const { return m_readers; }
    [[nodiscard]] bool hasReaders() const { return m_hasReaders; }
    /// Instances of a reader that the scenario fixes; 0 where its GPUs make no whole number of them.
    [[nodiscard]] std::optional<std::int64_t> heldReaders(const PlanReader& reader) const;
    /// Makes a copy of the base scenario the point's.
    void apply(const PlanPoint& point, PreparedScenario& scenario) const;
    [[nodiscard]] bool isFree(PlanDimension d) const { return m_request.free.has(d); }

private:
    const PlanRequest& m_request;
    bool m_hasReaders;
    std::vector<PlanReader> m_readers;
    std::vector<std::int64_t> m_batches; ///< inference
    std::vector<PlanPoint> m_blocks;
};

} // namespace headroom::planner
