// SPDX-License-Identifier: GPL-3.0-or-later
// inference: what late requests see, those with long prompts after a long wait (docs/method/load.md).
#pragma once

#include "core/predict/inference/inference_replica.hpp"

#include <optional>

namespace headroom::inference
{

/// The scenario that reads prompts, to be given other lengths. A copy is dear: it is made once, where it is asked for.
class OtherPrompts final
{
public:
    OtherPrompts(const PreparedScenario& prepared, const Replica& replica) noexcept
        : m_own(replica.pool ? replica.pool->p : prepared)
    {
    }
    /// With the lengths of the scenario, without their mix and spread.
    [[nodiscard]] PreparedScenario& fresh() noexcept
    {
        if (m_copy)
            m_copy->inference = m_own.inference;
        else
            m_copy.emplace(m_own);
        takeOneLength(m_copy->inference);
        return *m_copy;
    }

private:
    const PreparedScenario& m_own;
    std::optional<PreparedScenario> m_copy;
};

/// TTFT that a share of the requests stay under: of a prompt as long as theirs, after a wait as long as theirs. The sum
/// of two percentiles, an upper estimate. `result` has TTFT, the queue and the mix. Precondition: the scenario states a
/// percentile.
[[nodiscard]] TailResult tailOf(const PreparedScenario& prepared, const Replica& replica, const Serving& v,
                                const Evaluation& result, OtherPrompts& others) noexcept;

/// s until a prompt of the scenario `of` is read where its passes alone take `readS`: step by step where it is read in
/// chunks beside answers, and with what the way of its cache to another pool shows.
[[nodiscard]] double promptShownS(const PreparedScenario& of, const Replica& replica, const Serving& v,
                                  double readS) noexcept;

/// A prompt's length that a share of the requests stay under, at most what the model takes.
[[nodiscard]] double promptQuantile(const PreparedScenario& prepared, TargetPercentile percentile) noexcept;

} // namespace headroom::inference
