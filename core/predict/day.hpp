// SPDX-License-Identifier: GPL-3.0-or-later
// A day of a load that changes: the replicas that follow it, what they cost, and what its busiest hour sees
// (docs/method/load.md).
#pragma once

#include "core/predict/evaluate.hpp"

#include <array>

namespace headroom::inference
{
class Replica;
}

namespace headroom
{

/// Replicas, and instances of a prefill pool beside them (0 where prompts are read by the replicas).
struct Staff {
    double replicas = 0, readers = 0;
    bool operator==(const Staff&) const = default;
};

/// One hour. Who is paid for is who is wanted; who serves has been wanted for as long as a start takes.
struct DayHour {
    double requestsPerS = 0;
    Staff paid;
    Staff first, then;    ///< who serves in the first `firstS` of the hour, and who afterwards
    double firstS = 0;    ///< s
    double lateShare = 0; ///< of the hour's requests, that come while more is asked than who serves can do
};

/// What the hours need, and what serves it.
struct DayPlan {
    std::array<DayHour, LoadProfile::hours> hours{};
    double replicaRequestsPerS = 0, readerRequestsPerS = 0; ///< of a replica with its full batch, of a reader
    double replicaGpus = 1, readerGpus = 0;
    double needed = 1; ///< replicas of the busiest hour by the rule, however many there may be
    Staff fixed;       ///< of a deployment for the busiest hour, no more than there may be
    double target = 1; ///< utilisation
    /// Requests a second that they serve.
    [[nodiscard]] double capacity(const Staff& staff) const noexcept;
    [[nodiscard]] double gpus(const Staff& staff) const noexcept;
};

/// Precondition: hasDay(prepared); `evaluation` is its result. Allocates nothing.
[[nodiscard]] DayPlan planDay(const PreparedScenario& prepared, const Evaluation& evaluation) noexcept;

/// Of a day whose replicas follow the load: what `replicas` of them have in the mean, each as much as one that runs.
[[nodiscard]] PreparedScenario loadOfRunning(const PreparedScenario& prepared, const DayResult& day,
                                             double replicas) noexcept;
/// Into `evaluation`, of the scenario's own replicas under that load: totals of all that run in the mean of the day.
void takeRunning(const PreparedScenario& prepared, Evaluation& evaluation) noexcept;

/// Of a million output tokens that are asked for, over the day; empty without a price.
[[nodiscard]] std::optional<double> costPerMillionOfDay(const DayResult& day,
                                                        const InferenceWorkload& workload) noexcept;

/// The whole day. Evaluates the busiest hour once, and once more where replicas start in it, if a target is stated;
/// else nothing. Empty where the load has no capacity to be held against. `replica` is the one that was evaluated; its
/// number changes.
[[nodiscard]] std::optional<DayResult> dayOf(const PreparedScenario& prepared, const Evaluation& evaluation,
                                             inference::Replica& replica) noexcept;

} // namespace headroom
