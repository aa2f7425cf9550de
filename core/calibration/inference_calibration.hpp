// SPDX-License-Identifier: GPL-3.0-or-later
// InferenceCalibration: constants of the inference predictor (docs/method/serving.md), in plain arrays.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/scenario/scenario.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace headroom
{

/// Families of devices with kernel constants of their own.
enum class KernelFamily : std::uint8_t { A100, Hopper, Blackwell, Ada, Cdna3, Other };
inline constexpr std::size_t kernelFamilyCount = 6;

/// How the weights of a matmul are stored and multiplied.
enum class WeightKind : std::uint8_t {
    Bits16,     ///< 16-bit (or wider) weights and arithmetic
    Bits8,      ///< 8-bit weights and arithmetic, one scale a tensor or row
    Bits8Block, ///< fp8 with block scales
    Only8,      ///< 8-bit weights, 16-bit arithmetic
    Only4,      ///< 4-bit weights, 16-bit arithmetic
    Bits4       ///< 4-bit weights and arithmetic
};
inline constexpr std::size_t weightKindCount = 6;

enum class VendorGroup : std::uint8_t { Nvidia, Amd, Other };
inline constexpr std::size_t vendorGroupCount = 3;
inline constexpr std::size_t inferenceSoftwareCount = 18;

/// time = startS + softMaximum(FLOP/(compute·peak), bytes/(memory·bandwidth), exponent).
struct MatmulConstants {
    double startS = 0, compute = 0, memory = 0, exponent = 1;
};

/// The attention kernel of one family.
struct AttentionConstants {
    double startS = 0;
    double prefill = 0;       ///< share of the 16-bit peak, prompts
    double decodeMemory = 0;  ///< share of the bandwidth, reading the cache
    double decodeCompute = 0; ///< share of the 16-bit peak, absorbed latent attention
    double fullFlops = 0;     ///< 16-bit FLOP of a compute unit and clock, of the whole family's design; 0 = not known
};

/// time = latencyS + bytes/bandwidth + bumpS·(1 − e^(−bytes/bumpBytes)).
struct AllReduceConstants {
    double latencyS = 0;  ///< of a loop of them, and what the ranks of an engine wait for each other
    double bandwidth = 0; ///< bytes/s; PCIe row: share of the host link
    double bumpS = 0;
};

/// Routed experts (docs/method/matmul.md).
struct ExpertConstants {
    std::array<double, kernelFamilyCount> startS{};
    double gptFastStartS = 0, trtLlmBlackwellStartS = 0, trtLlmHopperStartS = 0;
    double compute = 0, memory = 0; ///< on top of the matmul's own shares
    double exponent = 1;
    double tileRows = 0, mostPadding = 1;
    double smallBatchSkew = 1; ///< distinct experts over even routing, small batch
    double evenRows = 1;       ///< rows per expert from which routing counts as even
    double imbalance = 0;      ///< z of the busiest of `imbalanceRanks` expert-parallel ranks
    double imbalanceRanks = 1;
    double activationCopies = 0; ///< bytes a row = copies·(2h + 3f)
    double sharedStartShare = 1; ///< shared experts run beside the routed ones
};

/// Linear attention and state-space mixers: a start, shares of peak and bandwidth, work per element of state.
struct LinearMixerConstants {
    double startS = 0, compute = 0, memory = 0, flopPerState = 0, bytesPerState = 0;
};
/// Norms, residuals, activations: a start, a share of the bandwidth, values moved per hidden and feed-forward element.
struct ElementwiseConstants {
    double startS = 0, memory = 0, hiddenValues = 0, ffnValues = 0;
};

/// Kernels too small for anything but their start to show.
struct SmallKernelConstants {
    double startS = 0;   ///< one of them: a norm of queries or keys, a step of latent attention or of biased routing
    double indexerS = 0; ///< all that an indexer starts for a decode pass of one layer
};

/// Links between devices, besides the all-reduce table.
struct InferenceLinkConstants {
    std::array<double, 3> pcieLatencyS{}, pcieShare{}; ///< 2, 4, 8 devices
    double pcieDomain = 8;                             ///< devices on one host where there is no scale-up link
    double defaultHostLink = 0;                        ///< bytes/s
    double assumedNic = 0;                             ///< bytes/s where none is known
    double bumpBytes = 1;
    double scaleOutStartS = 0, scaleOutShare = 1;
    double exchangeStartS = 0, exchangeShare = 1;
    double sendStartS = 0, sendShare = 1;
    /// Families without a table: start, and the share of a ring's ideal rate over the link.
    std::array<double, 3> otherLatencyS{};
    double otherShare = 0;
};

/// How large a pass an engine prepares for, on devices of less than `belowBytes`.
struct PassSize {
    double belowBytes = 0;
    double tokens = 0, sequences = 0;
    double sequencesSplit = 0; ///< where tensor parallelism is wide
};

/// What engines set aside when they start (docs/method/memory.md).
struct StartConstants {
    double communicationBytes = 0; ///< of several devices, beside the runtime's context
    double splitTensor = 1;        ///< tensor ranks from which PassSize::sequencesSplit holds
    double fractionBaseBytes = 0, fractionTokenBytes = 0, fractionFewestTokens = 0, fractionSequenceBytes = 0,
           fractionRankBytes = 0;
    double fractionDataBytes = 0;  ///< for each sequence of a graph and attention-data rank, half as much again
    double fractionManyGraphs = 0; ///< above so many sequences
    double fractionLeastBytes = 0, fractionLargeBytes = 0; ///< at least so much on devices of more than this
    double fractionCacheShare = 0;                         ///< of the memory, that the cache has at least
    std::vector<PassSize> profiled, fractioned;            ///< small devices first
};

/// What an engine keeps besides weights and cache, and how much of the memory it takes.
struct InferenceMemoryConstants {
    double overheadBytes = 0, chunkTokens = 0, logitSequences = 0, utilization = 1, freeShare = 1;
    StartConstants start;
};

/// How an engine batches requests.
struct ServingConstants {
    double waveRequests = 1;      ///< requests that stay together in closed loops of steady arrival
    double burstPhi = 0;          ///< share of the newcomers' delay before the first token, requests in waves
    double lonelyFirstTokenS = 0; ///< most of t0 at batch 1
    double mostSequences = 0;     ///< "max" means at most so many
    double transferShare = 1;     ///< of the rated links, that a cache's transfer between pools sustains
    double togetherTokens = 0;    ///< most tokens of prompts that a pass takes where nobody limits it
    double hostLinkShare = 1;     ///< of the rated host link, that copies from the host's memory sustain
    double nvmeRate = 0;          ///< bytes/s of one accelerator's drive, where nobody states it
    double hostSlowest = 1;       ///< times that a run with weights in the host's memory may take of the prediction
};

/// What an engine adds to its kernels.
struct ServingProfile {
    double decode = 1, prefill = 1; ///< time factors
    double launchS = 0;             ///< host time a layer: a floor of the pass
    double promptLaunchS = 0;       ///< the same of a pass with prompts in it, which no recorded graph replays
    double stepS = 0;               ///< host time a step
    double sequenceS = 0;           ///< host time a sequence and step
    double firstTokenS = 0;         ///< t0
    double phi = 0;
    double rows = 0; ///< runs behind the fit; 0 = chosen, not fitted
};

/// Time of the host in a speculative cycle, beside the engine's own of a step.
struct SpeculationHost {
    double verifyS = 0;   ///< accepting, rejecting and planning the next cycle
    double draftS = 0;    ///< of one draft pass: a floor
    double sequenceS = 0; ///< for each sequence of the cycle
};

/// Speculative decoding (docs/method/speculation.md).
struct SpeculationConstants {
    std::array<double, draftingCount> acceptance{}; ///< of the first position, where nobody states it
    double acceptanceSpread = 0;                    ///< that it may be off by, up and down
    double eagle3Vocabulary = 0;                    ///< tokens an EAGLE-3 head chooses from
    std::array<SpeculationHost, inferenceSoftwareCount> host{};
};

/// The type in which an engine keeps recurrent states between tokens (docs/method/memory.md).
enum class StateRule : std::uint8_t {
    Float32,     ///< 32 bit, unless config.json asks for another
    Model,       ///< that of the model, unless config.json asks for another
    LinearModel, ///< the same, and of linear attention that of the model in any case
    AllFloat32   ///< 32 bit in any case, and so are the last inputs of short convolutions
};

/// What an engine sets aside of the memory before the first request comes.
enum class ReserveRule : std::uint8_t {
    Batch,   ///< nothing: the batch decides
    Context, ///< what a prompt as long as the model allows needs
    Profile, ///< what a full pass needs, or the logits of all sequences that it admits
    Fraction ///< all but a share, in which weights and cache lie
};

/// What an engine does, whatever the device.
struct EngineTraits {
    bool mixesPrompts = true;       ///< prompts join decode passes
    bool splitsLayers = false;      ///< pipeline stages work one after the other
    bool freeMemoryRule = false;    ///< the cache takes a share of what weights and activations leave
    bool cachePerQueryHead = false; ///< reads the cache once per query head
    bool quantizesAll = false;      ///< head, embedding and attention are stored in the weights' precision too
    bool blockScales = false;       ///< fp8 means block-scaled fp8
    bool accumulates16 = false;     ///< 16-bit accumulation, twice the rate on GeForce cards
    double chunkTokens = 0;         ///< prompts are cut into chunks of so many tokens; 0 = not
    double memoryUtilization = 0;   ///< share of the device it fills; 0 = InferenceMemoryConstants::utilization
    double cacheReadShare = 1;      ///< of the family's rate, in decoding without FlashAttention
    double quantizeS = 0;           ///< a kernel of its own before each matmul of 8 or 4 bit: quantises its input
    ReserveRule reserve = ReserveRule::Batch;
    double logitBytes = 4;       ///< a logit of a sequence, with what sampling makes of it
    bool copiesAbsorbed = false; ///< keeps what latent attention absorbs in 16 bit beside what is stored in fewer
    bool wholePrompts = false;   ///< the prompts of a static batch in one pass, their scores in memory
    /// Requests in flight, at the fewest, of its runs with a first token, dense models and experts: first_token_ms is
    /// of these.
    double fewestDense = 2, fewestExperts = 2;
    double newerReleases = 1;  ///< so many times as fast as its runs may what was released since then decode
    bool wholeWindows = false; ///< keeps all tokens of layers with a window, unless it is told to keep fewer
    double overheadBytes = 0;  ///< context and work space of its libraries; 0 = InferenceMemoryConstants' own
    double bytesPerClock = 0;  ///< its matrix-vector kernels load so much a clock and compute unit; 0 = no such limit
    double only4BytesPerClock = 0; ///< the same of weights alone in 4 bit on Hopper; 0 = as all others
    double ringHopS = 0; ///< its all-reduce is a ring: so much for each of 2(n − 1) hops, beside the table's start
    bool fusesAttention = true;         ///< takes FlashAttention unless the scenario switches it off
    double tileHidden = 0, tileFfn = 0; ///< stores MXFP4 experts in whole tiles, hidden x feed-forward; 0: as they are
    StateRule states = StateRule::Float32;
};

/// Kinds of workload with residuals of their own (docs/method/fit.md).
enum class ResidualClass : std::uint8_t {
    Consumer,
    ModernMoe,
    ModernDense,
    SaturatedMoe,
    SaturatedDense,
    OldStack,
    TunedRocm,
    Unfitted
};
inline constexpr std::size_t residualClassCount = 8;

/// The class's name in calibration.json.
[[nodiscard]] std::string_view toId(ResidualClass residualClass) noexcept;

/// predicted ÷ measured, 10 % … 90 %.
struct ResidualBand {
    double low = 1, high = 1;
};
/// Predicted over measured, by figure.
struct Residuals {
    ResidualBand tpot, ttft;
    std::optional<ResidualBand> throughput; ///< none: too few runs, and it is as uncertain as its times
};

/// Everything the inference predictor takes from calibration.json.
struct InferenceCalibration {
    template <typename T>
    using ByFamily = std::array<T, kernelFamilyCount>;

    ByFamily<std::array<MatmulConstants, weightKindCount>> matmul{}; ///< missing kinds filled in when read
    ByFamily<AttentionConstants> attention{};
    double cutShare = 0; ///< most of a 16-bit peak that kernels sustain where the units are slower than their design
    ByFamily<std::array<AllReduceConstants, 3>> allReduce{}; ///< 2, 4, 8 devices; bandwidth 0 = no table
    ExpertConstants experts;
    LinearMixerConstants linear;
    ElementwiseConstants elementwise;
    SmallKernelConstants smallKernels;
    InferenceLinkConstants links;
    InferenceMemoryConstants memory;
    ServingConstants serving;
    SpeculationConstants speculation;
    std::array<std::array<ServingProfile, vendorGroupCount>, inferenceSoftwareCount> profiles{};
    std::array<EngineTraits, inferenceSoftwareCount> engines{};
    std::array<Residuals, residualClassCount> residuals{};
};

/// Row of constants for a family of the catalogue; families without a row of their own take the nearest.
[[nodiscard]] KernelFamily kernelFamily(AcceleratorFamily family) noexcept;
/// Whether that row was fitted to (or estimated for) this family.
[[nodiscard]] bool hasKernelConstants(AcceleratorFamily family) noexcept;

} // namespace headroom
