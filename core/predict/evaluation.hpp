// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation: everything Headroom computes about one scenario; a plain value without pointers or allocation.
#pragma once

#include "core/predict/long_run_results.hpp"
#include "core/predict/serving_results.hpp"
#include "core/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <optional>
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
    RolloutDoesNotFit,
    TierHitsUnknown,
    TierSlower,
    BatchLimitedByPass,
    BatchAtMost,
    ProjectsAgain,
    CheckpointWithinStep,
    RlUpdateDoesNotFit,
    PhaseDoesNotFit,
    ModelAssumed,
    NativeUnknown,
    TransferLimits,
    TierTooSmall,
    MemoryMayNotFit,
    PercentileTooFar,
    HostLinkAssumed,
    ReplicaBeyondRuns,
    FullBatchBeyondRuns,
    RunsOfOlderReleases,
    FirstTokenOfBursts,
    PeakBeyondCapacity,
    RunsOfLaterReleases,
    MixerWithoutRuns,
    HostWeightsWhole,
    HostMemoryTooSmall,
    TrainsPrediction,
    OtherUnitLikely,
    PhaseHasNotes,
    SoftwareLacks,
    HostComputes,
    PeakMemoryUnit
};
inline constexpr int warningCodeCount = 60;

/// A set of WarningCode, with one number for the message of each (for example the assumed Gbit/s).
struct WarningSet {
    static_assert(warningCodeCount <= 64);
    std::uint64_t bits = 0;
    std::array<float, warningCodeCount> value{};
    void add(WarningCode code, double number = 0)
    {
        bits |= std::uint64_t{1} << static_cast<unsigned>(code);
        value[static_cast<std::size_t>(code)] = static_cast<float>(number);
    }
    void remove(WarningCode code) { bits &= ~(std::uint64_t{1} << static_cast<unsigned>(code)); }
    void remove(const WarningSet& others) { bits &= ~others.bits; }
    [[nodiscard]] bool any() const { return bits != 0; }
    [[nodiscard]] bool has(WarningCode code) const { return (bits >> static_cast<unsigned>(code) & 1) != 0; }
    /// The number of a warning that was added.
    [[nodiscard]] double number(WarningCode code) const
    {
        return static_cast<double>(value[static_cast<std::size_t>(code)]);
    }
    /// Calls `use(code, number)` for each warning of the set.
    template <typename Use>
    void forEach(Use use) const
    {
        for (int i = 0; i < warningCodeCount; ++i)
            if (const auto code = static_cast<WarningCode>(i); has(code))
                use(code, number(code));
    }
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
    double prompts = 1; ///< that timeS reads together on a replica; a mean where a load decides
    bool operator==(const PrefillResult&) const = default;
};

/// What the measurement implies; same definitions as the predicted figures.
struct Observed {
    std::optional<double> mfu, hfu, mbu, stepTimeS, achievedBandwidthGbPerS;
    std::optional<double> ttftS, tokensPerS; ///< as measured, or of training what its step time implies
    std::optional<double> peakMemoryBytes;   ///< as measured, of one device, of whatever kind
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

/// What a training has in the hosts' memory, bytes (docs/method/memory.md): offloaded states, those that wait while
/// answers are generated, inputs of layers that run again.
struct HostStates {
    double bytes = 0;     ///< of one GPU, on the stage that has most
    double gpus = 1;      ///< that share a host
    double hostBytes = 0; ///< of one host whose GPUs all have as many
    double mostBytes = 0; ///< that a host has: stated, or what is usual
    bool operator==(const HostStates&) const = default;
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
    std::optional<Interval> usedBytesInterval; ///< 80 %, bytes; training whose recipe is stated

    FlopCounts flops;
    std::array<double, timePartCount> time{};     ///< s
    double capacityBytes = 0, usedBytes = 0;      ///< that software sees, and takes: fits = used ≤ capacity
    std::array<double, memoryPartCount> memory{}; ///< bytes
    double allocatedBytes = 0, reservedBytes = 0, deviceBytes = 0; ///< memory_kinds
    std::optional<HostStates> hostStates;                          ///< training with states in the hosts' memory
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
