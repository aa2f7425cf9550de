// SPDX-License-Identifier: GPL-3.0-or-later
// BusyHour: the requests of the busiest hour that meet the latency targets.
#pragma once

#include "core/predict/day.hpp"

#include <cstdint>

namespace headroom
{

/// Evaluates the hour for who serves in it, and keeps what it found: who serves changes little.
class BusyHour final
{
public:
    /// `replica` is the scenario's; its number changes with who serves.
    BusyHour(const PreparedScenario& prepared, double requestsPerS, inference::Replica& replica) noexcept;

    /// Share 0…1 of the requests that come in `seconds` served by `staff`, with `backlog` requests waiting at their
    /// beginning, whose TTFT with its wait meets its target and whose tokens meet theirs. Where more is asked than
    /// `capacity`, in requests/s, the queue grows as a fluid; where none waits the wait is the stationary one.
    [[nodiscard]] double shareInTime(const DayPlan& plan, const Staff& staff, double capacity, double seconds,
                                     double backlog) noexcept;

private:
    /// Requests whose prompts take equally long.
    struct Kind {
        double share = 1, ttftS = 0;  ///< without waiting
        double roomS = 0, inTime = 1; ///< to wait; of those that come while no queue grows, those that meet the target
    };
    struct Service {
        Staff staff{-1, -1};
        bool tokensInTime = true;
        std::array<Kind, 16> kinds{};
        std::size_t count = 0;
    };

    [[nodiscard]] const Service& serviceOf(const DayPlan& plan, const Staff& staff) noexcept;
    void addKinds(const Evaluation& evaluation, Service& service) const noexcept;
    /// How the requests of `service` wait, as `evaluation` has it.
    void addWaits(const Evaluation& evaluation, Service& service) const noexcept;

    PreparedScenario m_hour; ///< the scenario in that hour
    inference::Replica& m_replica;
    std::array<Service, 3> m_known{};
    std::size_t m_next = 0;
};

} // namespace headroom
