// SPDX-License-Identifier: GPL-3.0-or-later
// PlanCollector: the best so far and the Pareto front so far, shared by the searching threads.
#pragma once

#include "core/plan/planner_bounds.hpp"
#include "core/plan/planner_space.hpp"

#include <atomic>
#include <mutex>

namespace headroom::planner
{

/// A configuration that keeps all limits.
struct PlanFind {
    PlanValues values{};
    PlanPoint point;
    /// Decides between equal values; less is better. Where generation limits a step of reinforcement learning, every
    /// faster layout has the same step: there it is the time of the update (tieOf()).
    double tie = 0;
    /// The upper end of the 80 % interval of its memory is more than there is (WarningCode::MemoryMayNotFit).
    bool mayNotFit = false;
    /// Whether this one is listed for both, where their values are equal.
    [[nodiscard]] bool standsFor(const PlanFind& other) const
    {
        return tie != other.tie ? tie < other.tie : point < other.point;
    }
};

/// Thread-safe.
class PlanCollector final
{
public:
    explicit PlanCollector(const PlanRequest& request);

    /// What bounds are compared with. A thread keeps a copy, and renews it when `version` has changed.
    struct Standard {
        std::uint64_t version = 0;
        std::array<double, 5> worstRanked{}; ///< as rankKey() has it; infinity while there is room
        std::vector<std::array<double, 3>> front, smaller, surely; ///< both axes, tie
    };
    void renew(Standard& standard) const;
    /// True where nothing with values and a tie at or above these can enter the ranking or a front. `mayNotFit`:
    /// nothing of it surely fits.
    [[nodiscard]] bool hopeless(const PlanValues& least, double tie, bool mayNotFit, const Standard& standard) const;

    void offer(const PlanFind& find);

    [[nodiscard]] std::vector<PlanFind> ranked() const;
    [[nodiscard]] std::vector<PlanFind> front() const;
    /// By rising number of GPUs, each better by the objective than all with fewer; empty unless the request gives ties
    /// to the smaller deployment.
    [[nodiscard]] std::vector<PlanFind> smaller() const;
    /// The same of those alone that surely fit; of training, whose memory has an interval, by what is certain, too.
    [[nodiscard]] std::vector<PlanFind> surely() const;
    [[nodiscard]] std::uint64_t version() const { return m_version.load(std::memory_order_acquire); }

private:
    using Axes = std::array<PlanObjective, 2>;
    [[nodiscard]] std::array<double, 5> rankKey(const PlanValues& values, double tie, bool mayNotFit) const;
    [[nodiscard]] bool before(const PlanFind& a, const PlanFind& b) const;
    [[nodiscard]] bool rank(const PlanFind& find);

    PlanObjective m_objective;
    Axes m_axes, m_smallerAxes;
    bool m_keepsSmaller, m_keepsSurely;
    std::size_t m_top;
    mutable std::mutex m_mutex;
    std::vector<PlanFind> m_ranked, m_front, m_smaller, m_surely; ///< sorted
    std::atomic<std::uint64_t> m_version{1};
};

} // namespace headroom::planner
