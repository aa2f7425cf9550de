// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation: everything Headroom computes about one scenario; a plain value without pointers or allocation.
#pragma once

#include "core/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>

namespace headroom
{

/// Shares of the step time (training) or of TPOT (inference). They add up to it exactly.
enum class TimePart : std::uint8_t {
    Matmul,
    Attention,
    MemoryBound,
    Recompute,
    Experts,
    TensorParallel,
    ContextParallel,
    ExpertParallel,
    DataParallel,
    PipelineBubble,
    PipelineSend,
    OptimizerStep,
    Host,
    PrefillInterference,
    Draft,
    HostLink
};
inline constexpr int timePartCount = 16;
/// Seconds of all parts together, added up in their order.
[[nodiscard]] inline double totalOf(const std::array<double, timePartCount>& parts) noexcept
{
    return std::apply([](auto... part) { return (0.0 + ... + part); }, parts); // no loop: millions a second
}

/// Shares of the memory of the fullest rank; they add up to usedBytes exactly.
enum class MemoryPart : std::uint8_t { Weights, Gradients, Optimizer, Activations, Logits, KvCache, Overhead };
inline constexpr int memoryPartCount = 7;

enum class BoundBy : std::uint8_t { Compute, MemoryBandwidth, Communication, Latency, Capacity };

/// Something the user should know about the result; texts in core/predict/warning.cpp.
enum class WarningCode : std::uint8_t {
    LayersNotDivisible,
    HeadsNotDivisible,
    ExpertsNotDivisible,
    BeyondMaxContext,
    ExpertGroupTooLarge,
    PrecisionUnavailable,
    MfuOverOne,
    NicAssumed,
    SoftwareWithoutFit,
    FamilyWithoutFit,
    EfficiencyOverridden,
    MeasurementsDisagree,
    ModelInexact,
    BatchLimitedByMemory,
    DoesNotFit,
    FasterThanIdeal,
    SavesMemory,
    CheckpointingRaised,
    KeyWithoutEffect,
    LoadDecidesBatch,
    LoadBeyondCapacity,
    PoolsShareGpus,
    AcceptanceAssumed,
    FailsBeforeRestart,
    CheckpointBeyondRun,
    PrefillPoolLimits,
    PrefillDoesNotFit,
    ArrivalsBursty,
    RlWithoutFramework,
    TierHitsUnknown,
    TierSlower
};
inline constexpr int warningCodeCount = 31;

/// A set of WarningCode, with one number for the message of each (for example the assumed Gbit/s).
struct WarningSet {
    std::uint32_t bits = 0;
    std::array<float, warningCodeCount> value{};
    void add(WarningCode code, double number = 0)
    {
        bits |= 1u << static_cast<unsigned>(code);
        value[static_cast<std::size_t>(code)] = static_cast<float>(number);
    }
    [[nodiscard]] bool has(WarningCode code) const { return (bits >> static_cast<unsigned>(code) & 1u) != 0; }
    bool operator==(const WarningSet&) const = default;
};

/// Where eight in ten measured runs lie about a prediction, in the prediction's own unit.
struct Interval {
    double low = 0, high = 0;
    bool operator==(const Interval&) const = default;
};

/// FLOP of the whole job: one step (training) or one decode step (inference). Exact operator sums.
struct FlopCounts {
    double model = 0;    ///< what the method needs, under `exact`
    double hardware = 0; ///< what is executed, recomputation included
    double forward = 0, backwardActivation = 0, backwardWeight = 0, recompute = 0;
    double attention = 0, router = 0, lmHead = 0; ///< parts of the forward pass
    bool operator==(const FlopCounts&) const = default;
};

/// The pass that reads one prompt.
struct PrefillResult {
    double timeS = 0;
    std::optional<double> mfu;
    bool operator==(const PrefillResult&) const = default;
};

/// What the measurement implies; same definitions as the predicted figures.
struct Observed {
    std::optional<double> mfu, hfu, mbu, stepTimeS, achievedBandwidthGbPerS;
    /// No run of this scenario can have measured it: faster than its speed of light, or more than every FLOP or byte
    /// that its GPUs have. Then it is shown as impossible and stands beside nothing (FasterThanIdeal says by how much).
    bool impossible = false;
    bool operator==(const Observed&) const = default;
};

/// What the GPUs do with their rated peak and bandwidth, shares over all of them and all the time: what power follows.
struct Activity {
    double compute = 0; ///< FLOP executed: of the step, or of decoding
    double memory = 0;  ///< bytes moved
    double prompts = 0; ///< FLOP of prompts, in passes of their own or beside decoding
    double running = 1; ///< share of the time in which anything is in flight
    bool operator==(const Activity&) const = default;
};

/// What waits under the offered load (Erlang C, Allen–Cunneen).
struct QueueResult {
    double utilization = 0; ///< offered load over capacity; ≥ 1: the queue grows without bound
    std::optional<double> meanWaitS, p95WaitS, p99WaitS; ///< undefined at utilization ≥ 1
    double replicasNeeded = 0;                           ///< smallest whole number with utilization < 1
    double capacityRequestsPerS = 0;                     ///< of all replicas with their full batch
    double mostBatch = 1;    ///< that full batch, per replica; what the load keeps in flight: batch
    double waitingShare = 1; ///< of the requests; they wait meanWaitS ÷ waitingShare, exponentially spread
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
    double tokensPerCycle = 1;                             ///< kept, of each sequence
    double cycleS = 0, verifyS = 0, draftS = 0, hostS = 0; ///< the cycle is the sum of the others
    double plainTpotS = 0;                                 ///< TPOT of the same scenario without drafts
    double speedup = 1;                                    ///< plainTpotS ÷ tpotS
    bool operator==(const SpeculationResult&) const = default;
};

/// What the site draws and emits (docs/method/energy_cost.md): where `hardware.power` is stated and the rated power is
/// known. Tokens are those that are paid for; of a run, all its calendar.
struct SiteEnergy {
    double watts = 0; ///< of the whole site: the job's with the share of cooling and conversion
    double kwhPerMillionTokens = 0;
    std::optional<double> runKwh;                                          ///< training with training_tokens
    std::optional<double> electricityPerHour, electricityPerMillionTokens; ///< with a price of electricity
    std::optional<double> carbonGPerMillionTokens, runCarbonKg;            ///< with a carbon intensity
    bool operator==(const SiteEnergy&) const = default;
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

/// What failures leave of a training's calendar (docs/method/goodput.md). The five losses and `share` add up to 1.
struct Goodput {
    double mtbfS = 0;         ///< mean time between interruptions of the job
    double checkpointS = 0;   ///< that one checkpoint stops the training for
    double intervalS = 0;     ///< training between two checkpoints: stated, or the best
    double bestIntervalS = 0; ///< Daly's, at least one step
    double ettr = 1;    ///< effective training time ratio, 0…1: useful time over the time the job runs or restarts
    double ettrLow = 1; ///< with failures four times as frequent, below 2,000 GPUs; else `ettr`
    double checkpointBytes = 0;
    double stragglers = 1; ///< step time over that of ranks that are all alike, ≥ 1
    double share = 1;      ///< of the calendar, that trains at the predicted throughput
    double checkpointLoss = 0, restartLoss = 0, lostWork = 0, stragglerLoss = 0, maintenance = 0;
    double tokensPerS = 0; ///< over the calendar
    bool operator==(const Goodput&) const = default;
};

/// A training in phases, as a whole (docs/method/phases.md); each phase: evaluatePhases().
struct PhasesTotal {
    double tokens = 0, seconds = 0; ///< calendar time where failures are counted
    double gpuHours = 0;            ///< of the GPUs that train, without spares
    std::optional<double> cost;     ///< with a price
    bool fit = true;                ///< every one of them
    bool operator==(const PhasesTotal&) const = default;
};

/// A day of a load that changes, beside a fixed deployment that is sized for its busiest hour (docs/method/load.md);
/// its hours: planDay(). Without `autoscale` the replicas are the scenario's all day.
struct DayResult {
    double peakRequestsPerS = 0, troughRequestsPerS = 0; ///< in the busiest and the quietest hour
    double replicaRequestsPerS = 0;                      ///< that a replica serves with its full batch
    double replicas = 0, peakReplicas = 0;               ///< that run: the day's mean, and the most
    double fixedReplicas = 0;                            ///< of the fixed deployment
    double gpuHours = 0, fixedGpuHours = 0;              ///< of a day, start-up and prefill pool included
    double saving = 0;                                   ///< share of fixedGpuHours that scaling saves; may be below 0
    double lateShare = 0; ///< of the day's requests, that come while more is asked than the running replicas serve
    std::optional<double> cost, fixedCost;           ///< of a day, with a price
    std::optional<double> peakShare, fixedPeakShare; ///< of the busiest hour's requests, that meet the targets
    bool operator==(const DayResult&) const = default;
};

/// What a step of reinforcement learning does, one after the other (docs/method/rl.md).
enum class RlPart : std::uint8_t { Generate, OldLogProb, Reference, Critic, Reward, Update, Sync };
inline constexpr int rlPartCount = 7;

/// A step of reinforcement learning: answers are generated, judged and learned from. Its parts, less what runs beside
/// another, are its time.
struct RlResult {
    std::array<double, rlPartCount> time{}; ///< s
    double hiddenS = 0;                     ///< of them, that run beside the longer side
    double stepS = 0;
    double promptS = 0;             ///< of generation: reading the prompts
    double fullS = 0;               ///< of generation: the answers' tokens, were every copy always full
    double tailS = 0;               ///< of generation: what waiting for the long answers adds
    double waitS = 0;               ///< of the tail: that the mean copy waits for the one with the longest answer
    double answers = 0, tokens = 0; ///< of a step; tokens with the prompts, as the update reads them
    double longestTokens = 0;       ///< expected of the longest answer of a step
    double trainGpus = 0, rolloutGpus = 0, gpus = 0; ///< gpus: each counted once
    double copies = 1, batch = 1; ///< copies of the model that generate, answers that each writes at once
    double passS = 0;             ///< of one decode pass at that batch
    double forwardTokensPerS = 0, updateTokensPerS = 0; ///< of all GPUs that train
    double imbalance = 1; ///< of an update: its longest answer over the tokens of a rank, where that is more than 1
    double syncBytes = 0, syncBytesPerS = 0; ///< that one rollout GPU takes in
    double tokensPerSPerGpu = 0;
    double idle = 0;                         ///< share of the GPUs' time in which they wait for others
    std::optional<double> cost;              ///< of a step, with a price
    double usedBytes = 0, capacityBytes = 0; ///< of a GPU while it generates
    bool fits = false;                       ///< both the update and the generation
    bool operator==(const RlResult&) const = default;
    [[nodiscard]] double part(RlPart p) const { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double& part(RlPart p) { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double sumS() const
    {
        return std::apply([](auto... s) { return (0.0 + ... + s); }, time);
    }
};

/// The result. SI units. What is not defined for the task, or has no input (price, power), is empty.
/// "Does not fit" is a result: timings are computed as if it fitted, and `fits` is false.
struct Evaluation {
    Task task = Task::Training;
    bool fits = false;
    double totalParameters = 0, activeParameters = 0, trainableParameters = 0;

    std::optional<double> mfu, hfu, mbu;  ///< predicted, under the scenario's convention
    std::optional<PrefillResult> prefill; ///< inference
    std::optional<Observed> observed;     ///< with measurements only
    /// MFU under every convention, indexed by Convention; observed when measured, else predicted.
    std::array<std::optional<double>, conventionCount> conventions{};

    // training
    std::optional<double> stepTimeS, tokensPerSPerGpu, modelTflopsPerGpu, hardwareTflopsPerGpu;
    // inference
    std::optional<double> ttftS, tpotS, requestLatencyS, requestsPerS;
    std::optional<double> ttftAloneS; ///< of a request that meets no other, in continuous batching
    std::optional<double> maxBatch;   ///< sequences per replica that fit (may be 0)
    // both
    /// Training: processed, whole job. Inference: output, all replicas; under a load what is served of it.
    std::optional<double> tokensPerS;
    std::optional<QueueResult> queue;
    std::optional<TailResult> tail;               ///< inference with targets for a percentile
    std::optional<MixResult> mix;                 ///< inference with classes of requests
    std::optional<SpeculationResult> speculation; ///< inference with a draft
    std::optional<PoolsResult> pools;             ///< inference with a prefill pool of its own
    std::optional<DayResult> day;                 ///< inference with a load that changes over the day
    std::optional<TiersResult> tiers;             ///< inference with the cache of past prompts below the memory
    std::optional<HostWeightsResult> hostWeights; ///< inference with weights in the hosts' memory
    std::optional<Interval> stepTimeInterval, tpotInterval, ttftInterval, tokensPerSInterval; ///< 80 %

    FlopCounts flops;
    std::array<double, timePartCount> time{};     ///< s
    double capacityBytes = 0, usedBytes = 0;      ///< that software sees, and takes: fits = used ≤ capacity
    std::array<double, memoryPartCount> memory{}; ///< bytes
    double allocatedBytes = 0, reservedBytes = 0, deviceBytes = 0; ///< memory_kinds
    BoundBy boundBy = BoundBy::Compute;

    std::optional<double> costPerHour, costPerMillionTokens, costToTrain;
    std::optional<double> watts, joulesPerToken;
    std::optional<SiteEnergy> site;
    std::optional<double> secondsToTrain; ///< calendar time where failures are counted (`goodput`)
    std::optional<Goodput> goodput;       ///< training with `reliability`
    std::optional<PhasesTotal> phases;    ///< training with `phases`
    std::optional<RlResult> rl;           ///< training with `rl`
    WarningSet warnings;

    // intermediate values that derivations and charts show
    double peakFlops = 0;         ///< dense FLOP/s per GPU that MFU divides by
    double memoryBandwidth = 0;   ///< nominal bytes/s per GPU that MBU divides by
    double bytesMoved = 0;        ///< per GPU and step, MBU's numerator
    double modelFlopPerToken = 0; ///< under the scenario's convention (training: full step; inference: forward)
    double tokensPerStep = 0;     ///< processed tokens of the whole job per step
    double data = 1, microBatches = 1, replicas = 1, batch = 1; ///< what followed from counts and load
    double ridgeFlopPerByte = 0, intensityFlopPerByte = 0;
    Activity activity;

    /// Not defaulted: g++ then fills all that is empty with zeros too, 3 kB for each of millions.
    Evaluation() noexcept;
    bool operator==(const Evaluation&) const = default;
    /// What was measured, where a run of this scenario can have measured it; null otherwise.
    [[nodiscard]] const Observed* credible() const { return observed && !observed->impossible ? &*observed : nullptr; }
    [[nodiscard]] double part(TimePart p) const { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double& part(TimePart p) { return time[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double part(MemoryPart p) const { return memory[static_cast<std::size_t>(p)]; }
    [[nodiscard]] double& part(MemoryPart p) { return memory[static_cast<std::size_t>(p)]; }
};

} // namespace headroom
