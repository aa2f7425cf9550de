// SPDX-License-Identifier: GPL-3.0-or-later
// Queueing: how long requests wait for one of many servers (docs/method/load.md).
#pragma once

#include "core/predict/evaluation.hpp"
#include "core/predict/inference/inference_lengths.hpp"
#include "core/predict/inference/inference_serving.hpp"

#include <optional>

namespace headroom::inference
{

class Replica;

/// Beyond, Allen and Cunneen's formula is an order of magnitude (judgement; a trace of code completion has 13).
inline constexpr double burstyCv = 3;

struct QueueInput {
    double requestsPerS = 0; ///< offered to all replicas
    double serviceS = 0;     ///< of one request while every place is taken: places ÷ it is the capacity
    double servers = 1;      ///< sequences that all replicas serve at once: places
    double serversPerReplica = 1;
    double squaredVariation = 1; ///< of the service time
    /// Of one that has a replica to itself, between them a straight line; left out: as long.
    double loneServiceS = 0;
    double arrivalVariation = 1; ///< squared, of the times between arrivals; 1: Poisson
    double users = 0;            ///< who wait for their answers before they ask again; 0: there is no end of them
    double othersShare = 1;      ///< of the load, what whoever asks may meet
    /// Of users, from the end of a place to the next request: their pause and what a request takes beside its place;
    /// below 0 where they ask before the place is free. Left out: more of them than places wait as in an open load.
    std::optional<double> thinkS{};
};

/// The places of a replica's scenario that serves as `v` does, all replicas together, under its load or its users'.
[[nodiscard]] QueueInput placesOf(const PreparedScenario& prepared, const Replica& replica, const Serving& v) noexcept;

/// Probability that an arrival finds every place taken, below capacity: Erlang C's chain with services that take the
/// longer the more are in flight. Equal service times give Erlang C itself. Stable up to millions of servers: the sum
/// runs from its largest index down and stops where terms no longer count, about the square root of `servers` steps.
[[nodiscard]] double waitProbability(const QueueInput& input) noexcept;

/// What variation makes of a wait, `arrivals` and `services` being squared: Allen–Cunneen's factor and, where arrivals
/// are not Poisson, Kraemer and Langenbach-Belz's correction.
[[nodiscard]] double variationFactor(double utilization, double arrivals, double services) noexcept;

/// That with Allen–Cunneen's factor (c_a² + c_s²)/2 and, where arrivals are not Poisson, Kraemer and Langenbach-Belz's
/// correction; percentiles from the exponential tail of the waiting time. Users who each have a place wait for none,
/// and more of them as waitOfUsers() says, however full it is.
[[nodiscard]] QueueResult queueing(const QueueInput& input) noexcept;

/// Prompts that queue to be read by `servers`, each of which takes `turnS` for one.
[[nodiscard]] QueueResult promptQueue(const PreparedScenario& prepared, double requestsPerS, double turnS,
                                      double servers) noexcept;

/// Adds a wait that comes before those of `queue`, which has them, s: the sum of percentiles is an upper estimate.
/// `share` of the requests have it at all.
void waitFirst(double meanS, double p95S, double p99S, double share, QueueResult& queue) noexcept;

/// What a request waits for beside a place, and its prompt is read: adds to `queue` what others' prompts cost late
/// requests beyond the mean that TTFT has; where some of the devices only read, the whole wait for them; of a static
/// batch, the wait for the one before it. Nothing where prompts are read by a pool of their own, in the bound, or at
/// and beyond the capacity.
void addReadingWait(const PreparedScenario& prepared, const Machine& machine, const Serving& v,
                    QueueResult& queue) noexcept;

} // namespace headroom::inference
