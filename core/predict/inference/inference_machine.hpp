// SPDX-License-Identifier: GPL-3.0-or-later
// inference::Machine: the hardware, the precisions and the engine of one scenario as plain rates, ready for a pass.
#pragma once

#include "core/hardware/collective.hpp"
#include "core/model/pipeline_layout.hpp"
#include "core/predict/attention_keys.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/rank_heads.hpp"

namespace headroom::inference
{

/// time = startS + softMaximum(FLOP·perFlop, bytes·perByte, exponent).
struct KernelRate {
    double startS = 0, perFlop = 0, perByte = 0, exponent = 1;
    double lightPerFlop = 0, lightPerByte = 0; ///< at the rated peak and bandwidth
};

/// time = startS + bytes·perByte + bumpS·(1 − e^(−bytes/bumpBytes)).
struct LinkRate {
    double startS = 0, perByte = 0, bumpS = 0;
    double lightPerByte = 0; ///< at the rated link
};

/// The all-to-all of experts. Inside a scale-up domain every copy of a token travels; between domains a token crosses
/// once for each that it needs, as in training (core/hardware/collective.hpp).
struct ExchangeLinks {
    GroupShape group; ///< ranks that hold the experts, and how they lie in domains
    LinkRate inside, across;
    double experts = 1;    ///< groups of ranks, of which each holds other experts
    bool once = false;     ///< a rank that holds several experts of a token gets it once: the bound
    double valueBytes = 2; ///< mean of both ways
    double mostCopies = 1; ///< other domains that a token needs at most

    /// Copies of a token that a rank sends, and the link that takes longer for them.
    struct Way {
        double copies = 0;
        LinkRate link;
    };
    /// To `topK` experts, or back from them.
    [[nodiscard]] Way oneWay(double topK) const noexcept;
};

/// A group of weights that are stored and multiplied alike.
struct WeightClass {
    KernelRate rate;
    double bytes = 2; ///< a stored weight
    double peak = 0;  ///< FLOP/s its matmuls are bound by
    DataType precision = DataType::Bf16;
};

/// Sizes of one replica, at least 1 each.
struct ParallelSizes {
    double tensor = 1, pipeline = 1, context = 1, expert = 1, attentionData = 1, replicas = 1;
    double fullestShare = 1; ///< of the layers, on the pipeline stage that has most
    double lastShare = 1;    ///< of the layers, on the last stage, which has the head
    [[nodiscard]] double expertRanks() const { return tensor * attentionData; } ///< that hold the feed-forward
    /// Devices that share each expert.
    [[nodiscard]] double expertSplit() const { return expertRanks() / expert; }
    /// Routed experts of a layer on the fullest device, a whole number; of each it holds 1/expertSplit().
    [[nodiscard]] double expertsHeld(const LayerKind& kind) const
    {
        return wholeShare(static_cast<double>(kind.moe.experts), expert);
    }
    [[nodiscard]] double devices() const { return tensor * pipeline * context * attentionData; }
};

/// Speculative decoding as it is done: a cycle proposes `drafts` tokens, verifies all of them and the one after in one
/// pass, and keeps `tokens` on average. Without it each pass is a cycle of one token.
struct Speculation {
    std::optional<Drafting> method;
    double drafts = 0;
    double accepted = 1; ///< tokens of a cycle and sequence, as many as the answer wants at most
    double tokens = 1;   ///< that it adds to the answer, whose last cycle may accept more than it wants
    double passes = 0;   ///< of the draft, one after the other
    SpeculationHost host;
    [[nodiscard]] bool on() const { return method.has_value(); }
    [[nodiscard]] double verified() const { return 1 + drafts; } ///< tokens of a sequence that a pass works on
};

/// Types of what is kept of a sequence between tokens.
struct CacheTypes {
    double value = 2;                      ///< bytes of a value of the key/value cache
    double index = 1;                      ///< bytes of a value of an indexer's cache
    StateRule states = StateRule::Float32; ///< of the engine
    double model = 2;                      ///< bytes of a value in the type of the model
    bool wholeWindows = false;             ///< layers with a window keep all tokens
};

/// Rates of one device as sustained, FLOP/s and bytes/s.
struct Machine {
    bool ideal = false;
    bool dealsEvenly = false; ///< every rank of attention data has as much: under the bound, and in a load's mean
    double peak = 0;          ///< dense FLOP/s that MFU divides by: of the fastest precision that any matmul runs in
    double bandwidth = 0;     ///< nominal bytes/s that MBU divides by
    WeightClass projection;   ///< of attention, linear and state-space mixers
    WeightClass dense;        ///< feed-forward, shared experts
    WeightClass routed;       ///< experts (rate without the grouping's shares)
    WeightClass head;         ///< without one of its own the embedding's
    WeightClass plain;        ///< router: 16 bit always
    /// Up projections that latent attention absorbs: 16 bit in engines. Kernels that read them as they are stored exist
    /// (bmm_fp8 of sgl-kernel), so the bound does, as MBU counts them.
    WeightClass absorbed;
    double expertFill = 1; ///< stored over counted weights of routed experts: whole tiles of the kernels
    double embeddingBytes = 2;
    double activationBytes = 2; ///< a value between two kernels, on links too: 4 where matmuls compute in 32 bit
    double cacheBytes = 2;      ///< a value of the key/value cache
    double indexBytes = 1;      ///< a value of an indexer's cache
    [[nodiscard]] CacheTypes kept() const
    {
        return {cacheBytes, indexBytes, engine.states, activationBytes, engine.wholeWindows};
    }
    AttentionKernels promptKernels = AttentionKernels::Later;
    double smallStart = 0; ///< start of a small kernel over that of a layer's elementwise ones
    KernelRate prefillAttention, decodeAttention, latentDecode, indexScan, promptScan, mixerState, elementwise, experts;
    LinkRate allReduce, contextMerge, send;
    bool sumsBlocksOnce = true; ///< sumsBlocksOnce() of its engine
    bool fusesAttention = true; ///< FlashAttention's kernels: no scores are written
    LinkRate contextGather;     ///< of the bytes that a rank gets from the others
    ExchangeLinks exchange;
    ServingProfile profile;
    EngineTraits engine;
    double hostLink = 0;                     ///< bytes/s that a device gets from its host's memory
    double hostShare = 0;                    ///< of its stored weights, that lie there
    double hostOverlap = 1;                  ///< of the time to read them, that can hide behind a pass
    VendorGroup vendor = VendorGroup::Other; ///< whose profile of an engine counts
    double burstS = 0; ///< of the fitted first token, what benchmarks that begin with a burst have and a load has not
    double fewestInFlight = 2;        ///< requests with which all of the profile's firstTokenS is there
    double admissionWait = 0.5;       ///< decode passes before the engine takes a request, mean
    std::array<double, 4> contexts{}; ///< decodeContexts()
    double passTokens = 0;            ///< most that a pass takes of each attention-data rank; 0: not stated
    KernelFamily family = KernelFamily::Other;
    ResidualClass residualClass = ResidualClass::Unfitted;
    double newerReleases = 1;   ///< so many times as fast as predicted may today's release of the engine decode
    double expertImbalance = 1; ///< load of the busiest group of experts over the mean: at most their number
    double busiestExperts = 0;  ///< deviations from the mean that the busiest group's load lies above it by chance
    ParallelSizes sizes;
    Speculation speculation;
    PipelineLayout layout;
    WarningSet warnings;
};

/// `ideal`: every efficiency 1, no start times, links at their rate.
[[nodiscard]] Machine makeMachine(const PreparedScenario& prepared, bool ideal) noexcept;

/// Whether one all-reduce adds up attention and feed-forward of a layer in which both read the same hidden state. At
/// the speed of light it does; of the engines those do whose source says so.
[[nodiscard]] bool sumsBlocksOnce(const ModelArchitecture& model, InferenceSoftware software, bool ideal) noexcept;

/// Whose profile of an engine counts.
[[nodiscard]] VendorGroup vendorGroup(const Accelerator& accelerator) noexcept;
/// GPUs of the largest replica in the fitted runs of today's engines.
inline constexpr double mostFittedDevices = 8;
/// Experts of the models whose runs with a full batch went into the calibration (Mixtral), none with attention data.
inline constexpr double mostFittedExperts = 8;
/// Release of SGLang of the oldest fitted run that states one (0.5.1.post1).
inline constexpr std::string_view oldestFittedSglang = "0.5";
/// Sets which published runs say how far the prediction is off, where `software` is the profile that serves, and warns
/// where none is like it.
void judgeByRuns(const PreparedScenario& prepared, InferenceSoftware software, Machine& machine);

/// Whether a value takes half a byte, whatever scales come with it.
[[nodiscard]] constexpr bool isFourBit(DataType type) noexcept
{
    return type == DataType::Int4 || type == DataType::Fp4 || type == DataType::Mxfp4;
}

/// Format the weights have on the device (`native` resolved) and the precision their matmuls run in.
struct Precisions {
    DataType weights = DataType::Bf16, compute = DataType::Bf16;
    double bytes = 2; ///< a stored weight with its share of scales
    /// What a checkpoint keeps in 16 bit although the rest is stored in fewer.
    bool wideMixer = false, wideDense = false, wideExperts = false;
    bool smallExperts = false; ///< routed experts in MXFP4 beside the rest (DeepSeek V4)
    /// Of a checkpoint that mixes formats, bytes of a weight of these parts; 0: as the rest, of head and embedding 16
    /// bit. A tied head is the embedding.
    double mixerBytes = 0, denseBytes = 0, expertBytes = 0, headBytes = 0, embedBytes = 0;
    bool blockScales = false;
    bool unknown = false;     ///< `native`, and how many bits that is nobody says: 16
    bool unavailable = false; ///< the precision asked for is missing on this device; the next wider one stands in
};
[[nodiscard]] Precisions resolvePrecisions(const InferenceWorkload& workload, const ModelArchitecture& model,
                                           const Accelerator& accelerator,
                                           const EngineTraits& engine) noexcept; /// How a matmul of such weights runs.
[[nodiscard]] WeightKind weightKind(const Precisions& precisions) noexcept;

/// How many times as fast the matrix units of the accelerator's family are by design, in 16 bit, of which each does
/// `fullFlops` FLOP a clock: 2 on GeForce cards that add up in 32 bit. Where no rate of a unit is known, that of
/// `peak16`, FLOP/s, at the boost clock.
[[nodiscard]] double unitCut(const Accelerator& accelerator, double fullFlops, double peak16) noexcept;

/// Share of the 16-bit peak that kernels sustain on matrix units slower than their design. In 8 bit no run shows it
/// (docs/method/matmul.md): there the family's share stays.
struct CutUnits {
    double cut = 1;  ///< unitCut(); whole at 1 and below
    double most = 1; ///< share
    /// Where whole units sustain `share`.
    [[nodiscard]] double share16(double share) const noexcept
    {
        return cut > 1 ? std::max(share, std::min(share * cut, most)) : share;
    }
};

/// Whether its compute units are a GPU's cores, each of which keeps so many loads in flight: those of TPU, Gaudi,
/// Trainium and Ascend are few and large.
[[nodiscard]] bool hasGpuCores(const Accelerator& accelerator) noexcept;

/// Stored over counted weights of MXFP4 experts, of which a device holds 1/`split` of each: an engine's kernels
/// multiply whole tiles, so that it fills the matrices up with zeros.
[[nodiscard]] double wholeTiles(const ModelArchitecture& model, const EngineTraits& engine, double split) noexcept;

/// Whether the link to the host is read over at its rated speed, or joins the `devices` of a replica.
[[nodiscard]] bool countsHostLink(const PreparedScenario& prepared, double devices) noexcept;

/// All-reduce over `ranks` devices, `stride` apart: the table, log-interpolated, and what lies beyond the scale-up
/// domain. `hopS`: of each hop of an engine that sends in a ring (EngineTraits). Sets NicAssumed where a network
/// adapter had to be assumed.
[[nodiscard]] LinkRate allReduceRate(const PreparedScenario& prepared, double ranks, double hopS, bool ideal,
                                     WarningSet& warnings, double stride = 1) noexcept;

/// What each of `ranks` devices gets from the others, where `allReduce` is their rate of sums: those move everything
/// twice, of which (n − 1)/n are others'.
[[nodiscard]] LinkRate gatherRate(LinkRate allReduce, double ranks, bool ideal) noexcept;

} // namespace headroom::inference
