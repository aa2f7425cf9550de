// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation of serving may hold besides: queue, classes, drafts, pools, tiers, a day. Plain values in SI
// units.
#pragma once

#include "core/scenario/request_mix.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace headroom
{

/// A wait that only some have, spread exponentially or evenly.
struct WaitTail {
    double share = 0;    ///< of the requests, that wait at all
    double meanS = 0;    ///< of those that do
    double countedS = 0; ///< of a wait, what another figure has already
    double soonest = 0;  ///< of so many that end any time within (soonest + 1) means; 0: exponential
    /// Share of the requests whose wait, less what is counted, is longer than `seconds`.
    [[nodiscard]] double beyond(double seconds) const noexcept;
    /// What all but `late` of the requests wait less than, less what is counted; at least 0.
    [[nodiscard]] double quantile(double late) const noexcept;
    bool operator==(const WaitTail&) const = default;
};

/// What waits under the offered load (Erlang C, Allen–Cunneen).
struct QueueResult {
    /// Offered load over capacity; ≥ 1: the queue grows without bound. Of users who each have a place it is at most 1,
    /// which is full and not endless.
    double utilization = 0;
    std::optional<double> meanWaitS, p95WaitS, p99WaitS; ///< undefined beyond the capacity; the mean is for a place
    /// Smallest whole number under which requests do not queue without end: of users at most those that seat them all.
    double replicasNeeded = 0;
    double capacityRequestsPerS = 0; ///< of all replicas with their full batch
    double mostBatch = 1;            ///< that full batch, per replica; what the load keeps in flight: batch
    double waitingShare = 1;         ///< of the requests; they wait meanWaitS ÷ waitingShare, exponentially spread
    WaitTail prompts{};              ///< for prompts of others where the same devices decode; TTFT has countedS
    WaitTail places{}, batch{};      ///< for a place by itself; and, of static batches, for the next to begin
    bool operator==(const QueueResult&) const = default;
};

/// What the share of the requests that a scenario's targets are for stay under.
struct TailResult {
    double share = 0.95;                ///< of the requests
    double promptTokens = 0;            ///< length of a prompt
    std::optional<double> waitS, ttftS; ///< waiting (none without a load), and TTFT with it; empty: no end of waiting
    bool operator==(const TailResult&) const = default;
};

/// What one class of a mix of requests sees and takes.
struct ClassResult {
    double share = 0, promptTokens = 0, outputTokens = 0;
    double ttftS = 0, latencyS = 0; ///< without waiting, as Evaluation's
    double requestsPerS = 0, tokensPerS = 0;
    double inFlight = 0; ///< sequences of all replicas
    bool operator==(const ClassResult&) const = default;
};

/// The classes of a mix (docs/method/load.md).
struct MixResult {
    std::array<ClassResult, RequestMix::most> all{};
    std::uint8_t count = 0;
    double ttftS = 0, latencyS = 0; ///< of the slowest class
    [[nodiscard]] std::span<const ClassResult> classes() const noexcept { return {all.data(), count}; }
    bool operator==(const MixResult&) const = default;
};

/// What speculative decoding does to the time of a token. A cycle drafts, verifies and keeps some tokens; prompts of
/// others are no part of it.
struct SpeculationResult {
    double tokensPerCycle = 1; ///< accepted, of each sequence: at most what its answer wants
    double tokensAdded = 1;    ///< to the answer, a mean of its cycles: the last may accept more than it wants
    double cycleS = 0, verifyS = 0, draftS = 0, hostS = 0; ///< the cycle is the sum of the others
    double plainTpotS = 0;                                 ///< TPOT of the same scenario without drafts
    double speedup = 1;                                    ///< plainTpotS ÷ tpotS
    bool operator==(const SpeculationResult&) const = default;
};

/// One of two pools that serve together: that reads prompts, or that decodes.
struct PoolResult {
    double devices = 0;      ///< accelerators
    double instances = 0;    ///< copies of the model that work on their own
    double requestsPerS = 0; ///< that all of them could serve
    double utilization = 0;  ///< of that, what they do serve; under a load what is asked of them, and then also over 1
    double needed = 0;       ///< instances that serve what is asked for, at most nine tenths busy
    double usedBytes = 0, capacityBytes = 0; ///< on the fullest device
    bool fits = false;
    std::optional<double> mfu, mbu;           ///< while a pass runs
    std::optional<double> watts, costPerHour; ///< of all devices
    bool operator==(const PoolResult&) const = default;
};

/// Prompts read by one pool, answers written by another (docs/method/pools.md).
struct PoolsResult {
    PoolResult prefill, decode;
    double prompts = 1;       ///< that a prefill instance reads in a pass
    double passS = 0;         ///< of that pass, with the host's step
    double requestS = 0;      ///< of a prefill instance, that a prompt takes where others wait
    double transferBytes = 0; ///< the cache of a prompt as it travels
    double transferS = 0;     ///< its time
    double shownS = 0;        ///< of that, what does not hide behind prefill
    double waitS = 0;         ///< mean wait for a prefill instance; 0 without a load or beyond what it can serve
    double p95WaitS = 0, p99WaitS = 0; ///< the same that 95 and 99 % stay under
    double waitingShare = 0;           ///< of the prompts, that wait at all
    double prefillPeak = 0;            ///< dense FLOP/s of a prefill device that its MFU divides by
    double ratio = 0; ///< prefill devices for a decode device with which neither pool waits for the other
    bool operator==(const PoolsResult&) const = default;
};

/// A place below the accelerators' memory that keeps the cache of past prompts.
struct CacheTier {
    double bytes = 0;     ///< of all accelerators of a replica
    double tokens = 0;    ///< that these hold, of requests at their full length
    double hitTokens = 0; ///< of a mean prompt, that are found there
    double bytesPerS = 0; ///< that an accelerator gets from there
    bool operator==(const CacheTier&) const = default;
};

/// The cache of past prompts in the hosts' memory and on drives (docs/method/tiers.md). Times are of a mean prompt.
struct TiersResult {
    CacheTier host, nvme;
    double promptBytes = 0, loadBytes = 0; ///< of the whole prompt's cache on the fullest accelerator; from the tiers
    double loadS = 0, shownS = 0;          ///< from the first byte to the last; what of it prefill does not hide
    double recomputeS = 0, savedS = 0;     ///< prefill that the tiers save, and less shownS: below 0 they cost time
    double breakEvenBytesPerS = 0;         ///< rate at which loading takes as long as computing again
    bool operator==(const TiersResult&) const = default;
};

/// Weights in the hosts' memory (docs/method/tiers.md), of one accelerator.
struct HostWeightsResult {
    double bytes = 0, share = 0; ///< that lie there; of all its weights
    double readBytes = 0;        ///< in a decode step
    double bytesPerS = 0;        ///< of the host link, sustained
    double readS = 0;            ///< of a decode step
    double shownS = 0;           ///< of that, what the step does not hide; a speculative cycle's is of all its tokens
    bool operator==(const HostWeightsResult&) const = default;
};

/// A day of a load that changes, beside a fixed deployment that is sized for its busiest hour (docs/method/load.md);
/// its hours: planDay(). Without `autoscale` the replicas are the scenario's all day.
struct DayResult {
    double peakRequestsPerS = 0, troughRequestsPerS = 0; ///< in the busiest and the quietest hour
    double servedRequestsPerS = 0;          ///< over the day: what is asked, or all that the replicas that run serve
    double replicaRequestsPerS = 0;         ///< that a replica serves with its full batch
    double replicas = 0, peakReplicas = 0;  ///< that run: the day's mean, and the most
    double fixedReplicas = 0;               ///< of the fixed deployment
    double peakUse = 0;                     ///< most that an hour asks of what its replicas serve once all have started
    double gpuHours = 0, fixedGpuHours = 0; ///< of a day, start-up and prefill pool included
    std::optional<double>
        saving;           ///< share of fixedGpuHours that scaling saves, where it serves the day; may be below 0
    double lateShare = 0; ///< of the day's requests, that come while more is asked than the running replicas serve
    std::optional<double> cost, fixedCost;           ///< of a day, with a price
    std::optional<double> peakShare, fixedPeakShare; ///< of the busiest hour's requests, that meet the targets
    bool operator==(const DayResult&) const = default;
};

} // namespace headroom
