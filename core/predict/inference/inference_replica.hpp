// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Replica: a replica and the pool that reads its prompts; what holds under every load (private to
// core/predict).
#pragma once

#include "core/predict/inference/inference_engine.hpp"
#include "core/scenario/effective.hpp"

#include <array>
#include <cstdint>

namespace headroom::inference
{

/// What loads have shown of a replica, for those that follow.
struct ReplicaRecord {
    ServeCurve curve;

    /// Of prompts of one length, read together.
    struct Reading {
        std::int64_t promptTokens = 0, cachedTokens = 0;
        double prompts = 0, seconds = 0;
    };
    std::array<Reading, RequestMix::most + 1> readings{}; ///< of each class of a mix, and of the long prompts
    std::size_t readingCount = 0;
};

/// One replica of a scenario, whatever the load and however many there are. What it is made of has to stay.
class Replica final
{
public:
    /// Null `pool`: the same devices read the prompts. Null `record`: nothing is kept.
    Replica(const PreparedScenario& prepared, Machine& machine, PrefillPool* pool, ReplicaRecord* record) noexcept;

    Machine& m;
    PrefillPool* const pool;
    const Engine engine;
    const MemoryPlan memory;

    /// As many replicas, and readers beside them, as `prepared` has; all else of it is this replica's scenario.
    void setCount(const PreparedScenario& prepared) noexcept;
    /// As it serves the load of `prepared`.
    [[nodiscard]] Serving serve(const PreparedScenario& prepared) const noexcept;
    /// Requests a second of one with its full batch, where the same devices read the prompts.
    [[nodiscard]] double fullRequestsPerS(const PreparedScenario& prepared) const noexcept;
    /// loadedPromptsTime() where `other` reads `prompts` prompts: the scenario that reads them, with other lengths.
    [[nodiscard]] double promptsTime(const PreparedScenario& other, double prompts) const noexcept;
    /// The machine that reads the prompts.
    [[nodiscard]] const Machine& reader() const noexcept { return pool ? pool->m : m; }

private:
    /// What drafts reads of them too.
    [[nodiscard]] PassCost drafts(const PreparedScenario& other, double prompts) const noexcept;

    ReplicaRecord* m_record;
};

/// Calls `use` with the replica of a scenario, whose pool, of several kB, is made only where there is one.
template <typename Use>
void withReplica(const PreparedScenario& prepared, ReplicaRecord* record, const Use& use) noexcept
{
    Machine machine = makeMachine(prepared, prepared.efficiency.base == EfficiencyBase::Ideal);
    if (!hasPrefillPool(prepared)) {
        Replica replica(prepared, machine, nullptr, record);
        use(replica);
        return;
    }
    PrefillPool pool(prepared, machine);
    Replica replica(prepared, machine, &pool, record);
    use(replica);
}

} // namespace headroom::inference
