// SPDX-License-Identifier: GPL-3.0-or-later
// PoolSearch: the best pool to read prompts beside a layout that decodes, and how many of each.
#pragma once

#include "core/plan/planner_trial.hpp"

namespace headroom::planner
{

class PoolSearch final
{
public:
    /// `trial` has to outlive it.
    explicit PoolSearch(PlanTrial& trial) : m_trial(trial) {}

    /// A layout that decodes, with each pool that may read for it: the best of all is offered. `most`: the largest
    /// batch that fits, 0 where the block's does not.
    void decide(const PlanPoint& block, Replicas range, std::int64_t most);

private:
    struct Pair;
    [[nodiscard]] std::optional<PlanFind> bestOf(Pair& pair, std::optional<PlanFind> best);
    [[nodiscard]] std::int64_t leastDecoding(const Pair& pair);
    [[nodiscard]] double leastOf(const Pair& pair, const PlanReader& reader, double mfu) const;
    [[nodiscard]] std::optional<PlanFind> fewestPair(const Pair& pair, std::optional<PlanFind> best);
    [[nodiscard]] std::optional<PlanFind> quickestPair(const Pair& pair, std::optional<PlanFind> best);
    [[nodiscard]] bool fallsShort(const Pair& pair, std::int64_t decoding, std::int64_t reading);
    [[nodiscard]] std::optional<PlanFind> findOf(const Pair& pair, std::int64_t decoding, std::int64_t reading);

    PlanTrial& m_trial;
};

} // namespace headroom::planner
