// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/planner_choices.hpp"

#include "core/plan/planner_sizes.hpp"
#include "core/scenario/effective.hpp"

namespace headroom::planner
{
namespace
{

/// Micro-batches where no global batch limits them.
constexpr std::int64_t mostMicroBatch = 64;

/// Fewest recomputed layers first.
std::vector<CheckpointingChoice> everyCheckpointing()
{
    constexpr std::int64_t sparsest = 8; // sparser still: hardly another figure
    std::vector<CheckpointingChoice> all{
        {Checkpointing::None, 2}, {Checkpointing::SelectiveOp, 2}, {Checkpointing::AttentionOnly, 2}};
    for (std::int64_t every = sparsest; every >= 2; --every)
        all.push_back({Checkpointing::SelectiveLayer, every});
    all.push_back({Checkpointing::Full, 2});
    return all;
}

/// What is open of one block, question by question.
class Choices final
{
public:
    Choices(const PlanRequest& request, const PlanPoint& block)
        : m_base(request.base), w(request.base.training), m_sizes(request), m_block(block),
          m_data(block.gpus / (block.tensor * block.pipeline * block.context)),
          m_hasHost(!request.accelerators[block.accelerator].accelerator->unifiedMemory)
    {
    }

    [[nodiscard]] std::vector<MicroBatchChoice> microBatches() const
    {
        std::vector<MicroBatchChoice> all;
        const auto add = [&](std::int64_t size, std::int64_t microBatches) {
            const std::int64_t known = isRl(m_base) ? 1 : microBatches; // of packed answers nobody knows how many
            all.push_back({size, virtualPipelines(known)});
        };
        if (w.globalBatch) {
            const std::int64_t local = *w.globalBatch / m_data;
            // Where gradients are freed as they come there is one micro-batch (checkSetup()).
            const bool once = w.optimizerInBackward.value_or(false) && !isRl(m_base);
            for (const std::int64_t m : freeDivisors(m_sizes.isFree(PlanDimension::MicroBatch), w.microBatch, local))
                if (!once || m == local)
                    add(m, local / m);
        } else if (m_sizes.isFree(PlanDimension::MicroBatch)) {
            for (std::int64_t m = 1; m <= mostMicroBatch; m *= 2)
                add(m, 1);
        } else {
            add(w.microBatch, 1);
        }
        return all;
    }

    [[nodiscard]] std::vector<ShardingChoice> shardings() const
    {
        std::vector<Offload> offloads{w.offload};
        if (m_sizes.isFree(PlanDimension::Offload) && m_hasHost)
            offloads = {Offload::None, Offload::Optimizer, Offload::Parameters};
        std::vector<std::optional<Gradients>> gradients{w.gradients};
        // Adapters and weights without a master copy have gradients of one kind only.
        if (m_sizes.isFree(PlanDimension::Gradients) && w.method == Method::Full &&
            w.masterWeights == MasterWeights::Fp32)
            gradients = {Gradients::Fp32, Gradients::Bf16};
        std::vector<ShardingChoice> all;
        for (ShardingChoice choice : groups()) {
            for (const Offload offload : offloads) {
                if (isAnothersTwin(choice.sharding, offload))
                    continue;
                choice.offload = offload;
                for (const std::optional<Gradients> kind : gradients) {
                    choice.gradients = kind;
                    all.push_back(choice);
                }
            }
        }
        return all;
    }

    [[nodiscard]] std::vector<bool> sequenceParallel() const
    {
        if (!m_sizes.isFree(PlanDimension::SequenceParallel))
            return {m_base.parallelism.sequenceParallel.value_or(m_block.tensor > 1)};
        return m_block.tensor > 1 ? std::vector{false, true} : std::vector{false};
    }

    [[nodiscard]] std::vector<std::optional<bool>> chunkedLoss() const
    {
        if (m_sizes.isFree(PlanDimension::ChunkedLoss))
            return {false, true};
        return {w.chunkedLoss};
    }

    [[nodiscard]] std::vector<CheckpointingChoice> checkpointing() const
    {
        if (m_sizes.isFree(PlanDimension::Checkpointing))
            return everyCheckpointing();
        if (w.checkpointing == Checkpointing::Unknown) // a measured run's; a plan has to know
            return {{Checkpointing::None, 2}, {Checkpointing::Full, 2}};
        return {{w.checkpointing, w.checkpointEvery}};
    }

private:
    [[nodiscard]] std::vector<std::int64_t> virtualPipelines(std::int64_t microBatches) const
    {
        if (!m_sizes.isFree(PlanDimension::VirtualPipeline))
            return {m_base.parallelism.virtualPipeline};
        std::vector<std::int64_t> all{1};
        const auto layers = static_cast<std::int64_t>(m_base.model->layers);
        if (m_block.pipeline < 2 || microBatches % m_block.pipeline != 0 || !m_sizes.has(LayoutPart::Interleaving))
            return all;
        for (std::int64_t v = 2; v <= (layers + 2) / m_block.pipeline; ++v) {
            const std::int64_t chunks = m_block.pipeline * v;
            if (layers % chunks == 0 || (layers + 2) % chunks == 0) // embedding and head may take a layer's place each
                all.push_back(v);
        }
        return all;
    }

    /// Kinds of sharding, and their groups.
    [[nodiscard]] std::vector<ShardingChoice> groups() const
    {
        std::vector<ShardingChoice> all;
        const std::int64_t ranks = m_data * m_block.context;
        const auto add = [&](Sharding sharding) {
            const bool isFree = m_sizes.isFree(PlanDimension::Replicas), hybrid = isFree && sharding == Sharding::Fsdp;
            const std::int64_t stated = m_base.parallelism.replicas.value_or(1);
            const std::int64_t held = sharding == Sharding::None ? 1 : stated;
            std::vector<std::int64_t> sizes = freeDivisors(hybrid, held, m_data);
            // Groups of ZeRO are the scenario's own: to try them all takes a third more of the whole search.
            if (isFree && !hybrid && held > 1)
                sizes.insert(sizes.begin(), 1);
            for (const std::int64_t r : sizes)
                if (!isFree || r == 1 || ranks / r > 1)
                    all.push_back({sharding, r, Offload::None, w.gradients});
        };
        if (!m_sizes.isFree(PlanDimension::Sharding)) {
            Setup setup = m_base.setup();
            setup.hardware.count = m_block.gpus;
            add(effectiveSharding(setup));
            return all;
        }
        const auto has = [&](LayoutPart part) { return m_sizes.has(part, m_block.pipeline); };
        add(Sharding::None);
        if (ranks > 1 && has(LayoutPart::Zero1))
            add(Sharding::Zero1);
        if (m_block.pipeline == 1 && has(LayoutPart::Zero2))
            add(Sharding::Zero2);
        if (ranks > 1 && has(LayoutPart::Fsdp))
            add(Sharding::Fsdp);
        return all;
    }

    /// One rank divides nothing, and is as without sharding. But ZeRO-2's gradients leave for the host layer by layer
    /// (ZeRO-Offload, arXiv:2101.06840).
    [[nodiscard]] bool isAnothersTwin(Sharding sharding, Offload offload) const
    {
        const bool one = m_data * m_block.context == 1, leaves = offload != Offload::None && m_hasHost;
        return one && sharding != Sharding::None && !leaves && m_sizes.isFree(PlanDimension::Sharding);
    }

    const PreparedScenario& m_base;
    const TrainingWorkload& w;
    PlanSizes m_sizes;
    const PlanPoint& m_block;
    std::int64_t m_data; ///< data-parallel ranks
    bool m_hasHost;      ///< memory of its own, apart from the accelerator's
};

} // namespace

std::uint64_t TrainingChoices::count() const
{
    std::uint64_t pipelines = 0;
    for (const MicroBatchChoice& choice : microBatches)
        pipelines += choice.virtualPipelines.size();
    return pipelines * shardings.size() * sequenceParallel.size() * chunkedLoss.size() * checkpointing.size();
}

TrainingChoices trainingChoices(const PlanRequest& request, const PlanPoint& block)
{
    const Choices of(request, block);
    return {of.microBatches(), of.shardings(), of.sequenceParallel(), of.chunkedLoss(), of.checkpointing()};
}

} // namespace headroom::planner
