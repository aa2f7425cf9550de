// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario: everything a person can say about one what-if; the input value of the whole program.
#pragma once

#include "core/catalog/data_type.hpp"
#include "core/catalog/price_kind.hpp"
#include "core/scenario/load_profile.hpp"
#include "core/scenario/measured_profile.hpp"
#include "core/scenario/plan_question.hpp"
#include "core/scenario/request_mix.hpp"
#include "core/scenario/rl_workload.hpp"
#include "core/scenario/software_version.hpp"
#include "core/scenario/speculation.hpp"
#include "core/scenario/training_phase.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace headroom
{

enum class Task : std::uint8_t { Training, Inference };
/// Whether a registry's row means anything in the task.
template <typename Row>
[[nodiscard]] constexpr bool appliesTo(const Row& row, Task task)
{
    return task == Task::Training ? row.training : row.inference;
}
enum class Method : std::uint8_t { Full, Lora, Qlora };
enum class Checkpointing : std::uint8_t { None, SelectiveOp, SelectiveLayer, Full, AttentionOnly, Unknown };
enum class Gradients : std::uint8_t { Fp32, Bf16 };
enum class MasterWeights : std::uint8_t { Fp32, None };
enum class Optimizer : std::uint8_t { AdamW, AdamW8bit, Sgd, SgdMomentum, Adafactor, Muon };
enum class Offload : std::uint8_t { None, Optimizer, Parameters };
enum class FlashAttention : std::uint8_t { Off, On, V1, V2, V3, Cudnn };
/// Whether the kernel is one of FlashAttention's that were written for Ampere.
[[nodiscard]] constexpr bool madeForAmpere(FlashAttention kernel)
{
    return kernel == FlashAttention::V1 || kernel == FlashAttention::V2;
}
/// Whether the kernel uses Hopper's asynchronous copies and matmuls; FlashAttention 2 does not.
[[nodiscard]] constexpr bool madeForHopper(FlashAttention kernel)
{
    return kernel == FlashAttention::V3 || kernel == FlashAttention::Cudnn;
}
enum class Sharding : std::uint8_t { None, Zero1, Zero2, Fsdp };
enum class Scheduling : std::uint8_t { Static, Continuous, Disaggregated };
enum class Arrival : std::uint8_t { Steady, Burst };
enum class TargetPercentile : std::uint8_t { P95, P99 };
enum class EfficiencyBase : std::uint8_t { Expected, Ideal };

/// Training stacks whose overheads were fitted (calibration.json, training.profiles).
enum class TrainingSoftware : std::uint8_t {
    Tuned,
    Megatron,
    Megatron2021,
    TorchFsdp,
    TorchDdp,
    Composer,
    DeepSpeed,
    Transformers,
    Unsloth,
    LitGpt,
    Nanotron,
    InternEvo,
    Jax,
    JaxEager
};

/// Serving engines whose overheads were fitted (calibration.json, inference.profiles).
enum class InferenceSoftware : std::uint8_t {
    Tuned,
    Vllm,     ///< from 0.14: the host works while the kernels run
    VllmSync, ///< before: the scheduler runs between steps
    Vllm2024,
    Sglang,
    TrtLlm,
    TrtLlm2024,
    TrtLlm2023,
    LlamaCpp,
    LlamaCpp2024,
    GptFast,
    Exllama,
    Mlc,
    Tgi,
    DeepSpeed,
    FasterTransformer,
    Megatron,
    Transformers
};

/// How a publication counts FLOP (docs/method/counting.md). One row each in core/predict/utilization.hpp.
enum class Convention : std::uint8_t {
    Standard,
    SixN,
    Palm,
    Causal,
    Megatron,
    MegatronCausal,
    Sc21,
    Matmul,
    Palm43,
    Exact
};
inline constexpr int conventionCount = 10;

/// What a published achieved bandwidth counted as moved.
enum class BandwidthCount : std::uint8_t { Unstated, Weights, WeightsAndCache };
enum class PeakMemoryKind : std::uint8_t { Allocated, Reserved, Device };

/// Which projections carry LoRA adapters, as a set of bits.
struct LoraTargets {
    enum Bit : std::uint8_t { Q = 1, K = 2, V = 4, O = 8, Gate = 16, Up = 32, Down = 64 };
    std::uint8_t bits = allLinear;
    static constexpr std::uint8_t attention = Q | K | V | O, qv = Q | V, allLinear = 127;
    [[nodiscard]] constexpr bool has(Bit bit) const { return (bits & bit) != 0; }
    bool operator==(const LoraTargets&) const = default;
};

/// A model: a catalogue id, or the canonical JSON text of the object form. With an object, `id` is the
/// object's "id" (the entry it changes), else "custom".
struct ModelChoice {
    std::string id = "llama-3-8b";
    std::string object; ///< empty = plain id
    bool operator==(const ModelChoice&) const = default;
};

/// An accelerator: a catalogue id, or the canonical JSON text of the object form; `id` as in ModelChoice.
struct AcceleratorChoice {
    std::string id = "h100-sxm-80gb";
    std::string object;
    bool operator==(const AcceleratorChoice&) const = default;
};

/// What the whole site draws and what that costs: counted where any of these is stated (countsSiteEnergy()).
struct SitePower {
    std::optional<double> idleW;             ///< of a board with nothing to do; default: a share of its rated power
    std::optional<double> hostShare;         ///< of hosts and network beside the boards' power; default: calibration
    std::optional<double> pue;               ///< power usage effectiveness of the site; default: usualPue
    std::optional<double> electricityPerKwh; ///< in the user's currency
    std::optional<double> carbonGPerKwh;     ///< g of CO2 equivalent
    bool operator==(const SitePower&) const = default;
};

/// How many accelerators, and how they are joined and paid.
struct Hardware {
    std::int64_t count = 1;                 ///< accelerators in the whole job
    std::optional<std::int64_t> perNode;    ///< default: domainOf()
    std::optional<double> hostMemoryGb;     ///< 10^9 bytes of one host, for all its accelerators; default: unknown
    std::optional<double> scaleOutGbitPerS; ///< per accelerator, one direction; default: the catalogue's NIC
    std::optional<double> powerLimitW;      ///< set on each accelerator's board; default: the catalogue's TDP
    std::optional<double> pricePerGpuHour;  ///< in the user's currency; prepare() looks a kind's price up
    std::optional<PriceKind> priceKind;     ///< where no price is stated: which of the list's or the catalogue's
    std::optional<double> spotMtbfHours;    ///< hours of one spot GPU between two interruptions; default: the list's
    SitePower power;
    bool operator==(const Hardware&) const = default;
};

/// What interrupts a long training: counted where any of these is stated (countsFailures()).
struct Reliability {
    std::optional<double> gpuMtbfHours;        ///< hours of one GPU between two interruptions of the job
    std::optional<double> checkpointS;         ///< time that a checkpoint stops the training for, s
    std::optional<double> checkpointGbPerS;    ///< 10^9 bytes/s that the whole job writes checkpoints with
    std::optional<double> checkpointIntervalS; ///< training between two checkpoints, s; default: the best
    double restartS = 600;                     ///< from a failure to training again, s
    std::int64_t spares = 0;                   ///< accelerators that stand by, beside Hardware::count
    double maintenance = 0;                    ///< share of the calendar 0…0.5 in which nothing runs
    double stragglerSigma = 0;                 ///< standard deviation of the ranks' step times over their mean
    bool operator==(const Reliability&) const = default;
};

/// What is trained, in which pieces and with what precision.
struct TrainingWorkload {
    std::int64_t sequenceLength = 4096;      ///< tokens
    std::int64_t microBatch = 1;             ///< sequences per data-parallel rank per forward pass
    std::optional<std::int64_t> globalBatch; ///< sequences per optimizer step; default microBatch × data
    Method method = Method::Full;
    std::int64_t loraRank = 16;
    LoraTargets loraTargets;
    Checkpointing checkpointing = Checkpointing::None;
    std::int64_t checkpointEvery = 2; ///< SelectiveLayer only: recompute every n-th layer
    DataType precision = DataType::Bf16;
    MasterWeights masterWeights = MasterWeights::Fp32;
    std::optional<Gradients> gradients; ///< default: by software profile
    Optimizer optimizer = Optimizer::AdamW;
    std::optional<bool> optimizerInBackward; ///< each parameter's update follows its gradient; default: no
    FlashAttention flashAttention = FlashAttention::On;
    std::optional<std::int64_t> packedSampleTokens; ///< default: sequenceLength
    std::optional<bool> chunkedLoss;                ///< default: by software profile
    Offload offload = Offload::None;
    double expertImbalance = 1.0;                             ///< busiest expert group's load over the mean, ≥ 1
    std::optional<double> overlapDataParallel, overlapTensor; ///< shares 0…1; default: by software profile
    std::optional<double> overlapExpert; ///< of the exchange of experts; default: `exchange_overlap` of every stack
    TrainingSoftware software = TrainingSoftware::Tuned;
    std::optional<SoftwareVersion> softwareVersion;
    std::optional<bool> fusedDispatch;        ///< of tokens to experts, in one kernel; default: by software and version
    std::optional<bool> compile;              ///< torch.compile; default: not known
    std::optional<bool> multiTokenPrediction; ///< the model's layers for it are trained; default: by software
    std::optional<double> trainingTokens;     ///< tokens of the whole run
    Reliability reliability;
    RlWorkload rl; ///< reinforcement learning, of which this training is the update
    bool operator==(const TrainingWorkload&) const = default;
};

/// Replicas that follow a load that changes: where any of these is stated (autoscales()).
struct Autoscale {
    std::optional<std::int64_t> min, max; ///< replicas; default: 1, and what the peak needs
    std::optional<double> target;         ///< utilisation 0…1; default: usualAutoscaleTarget
    std::optional<double> lagS;           ///< from the need to the first request; default: usualAutoscaleLagS
    bool operator==(const Autoscale&) const = default;
};

/// Accelerators of their own that read the prompts, beside Hardware::count: with Scheduling::Disaggregated, where any
/// of these is stated (hasPrefillPool()).
struct PrefillDeployment {
    std::optional<std::int64_t> count;     ///< accelerators of the pool; default: as many as what decodes needs
    std::optional<CatalogId> accelerator;  ///< default: the one that decodes
    std::optional<double> pricePerGpuHour; ///< default: looked up (lookUpPrice()), else Hardware::pricePerGpuHour
    std::optional<std::int64_t> batch;     ///< prompts that an instance reads together
    std::optional<std::int64_t> tensor, pipeline, context, expert,
        attentionData; ///< of an instance of the pool; default: as in decode
    bool operator==(const PrefillDeployment&) const = default;
};

/// What is served, to how many at once and with what precision.
struct InferenceWorkload {
    std::int64_t batch = 1; ///< sequences decoded together per replica
    bool batchMax = false;  ///< "max": as many as fit, at most 2048; then `batch` is ignored
    std::int64_t promptTokens = 1024, outputTokens = 256; ///< per request, means
    std::optional<std::int64_t> promptTokensP95, outputTokensP95;
    std::optional<std::int64_t> promptTokensP50, outputTokensP50, promptTokensP99, outputTokensP99;
    std::optional<double> promptTokensCv, outputTokensCv; ///< standard deviation over the mean
    std::optional<RequestMix> mix;                        ///< whose means promptTokens and outputTokens then are
    std::optional<double> requestsPerS;                   ///< offered load on all replicas
    std::optional<LoadProfile> loadProfile;               ///< of a day, whose mean requestsPerS then is
    Autoscale autoscale;
    DataType weights = DataType::Bf16;
    std::optional<double> weightBits; ///< bits per stored weight, scales included
    std::optional<DataType> compute;  ///< default: weights where the accelerator has it, else bf16
    DataType kvCache = DataType::Bf16;
    Scheduling scheduling = Scheduling::Continuous;
    std::optional<Arrival> arrival; ///< default: by software profile, then steady
    double arrivalCv = 1;           ///< of the times between requests: standard deviation over the mean; Poisson: 1
    std::int64_t prefixCachedTokens = 0;
    std::optional<double> prefixHitRate;          ///< share 0…1 of the prompts' tokens that the cache holds already
    std::optional<std::int64_t> maxTokensPerPass; ///< of prompts and answers together, per attention-data rank
    std::optional<double> admissionWait;     ///< decode passes before the engine takes a request, mean; default: 0.5
    std::optional<double> memoryUtilization; ///< 0…1; default: the engine's rule, else 0.9
    std::optional<double> ttftTargetS, tpotTargetS;
    std::optional<TargetPercentile> targetPercentile; ///< of the requests that meet the TTFT target; default: P95
    FlashAttention flashAttention = FlashAttention::On;
    double expertImbalance = 1.0;
    InferenceSoftware software = InferenceSoftware::Tuned;
    std::optional<SoftwareVersion> softwareVersion; ///< with `software`: see effectiveSoftware()
    std::optional<bool> asyncScheduling;            ///< default: by software and version
    std::optional<Drafting> drafting;               ///< speculative decoding; default: none
    std::int64_t draftTokens = 3;                   ///< proposed in a cycle
    std::optional<Acceptance> acceptance;           ///< default: the method's, unless acceptanceLength says
    std::optional<double> acceptanceLength;         ///< tokens a cycle, the verified one included
    double acceptanceDecay = 0.95;                  ///< from one position to the next
    std::optional<CatalogId> draftModel;            ///< of Drafting::Draft
    PrefillDeployment prefillPool;
    // `kv_transfer`: how the cache of a prompt gets from the pool to what decodes
    std::optional<double> transferGbitPerS; ///< sustained, all links of an instance together; default: by their rate
    double transferOverlap = 0;             ///< share 0…1 that hides behind prefill
    double transferStartS = 4e-4;           ///< before the first byte, s
    // `host_memory`: weights that lie in the hosts' memory and are read over the host link in each pass
    std::optional<double> hostWeightsGb;  ///< 10^9 bytes of each accelerator's weights; default: none
    std::optional<double> hostLinkGbPerS; ///< 10^9 bytes/s, sustained by each accelerator; default: by its link
    std::optional<double> hostOverlap; ///< share 0…1 of that reading that can hide behind a pass; default: by engine
    // `kv_tiers`: the cache of past prompts, kept below the accelerators' memory, where any is stated (usesTiers())
    std::optional<double> tierHostGb, tierNvmeGb;     ///< 10^9 bytes for each accelerator
    std::optional<double> tierHostHits, tierNvmeHits; ///< share 0…1 of the prompts' tokens that lie there alone
    std::optional<double> nvmeGbPerS;                 ///< 10^9 bytes/s of drives for each accelerator
    std::optional<bool> tierLayerwise;                ///< loading overlaps with prefill layer by layer; by engine
    bool operator==(const InferenceWorkload&) const = default;
};

/// Into how many parts the job is cut along each axis; the product divides the number of accelerators.
struct Parallelism {
    std::int64_t tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1, attentionData = 1;
    std::optional<Sharding> sharding;     ///< default: fsdp in training on more than one GPU, else none
    std::optional<std::int64_t> replicas; ///< inference: follows from count when absent
    std::optional<bool> sequenceParallel; ///< default: tensor > 1
    bool operator==(const Parallelism&) const = default;
};

/// Multipliers on the calibrated constants, 1 = unchanged (host: on time).
struct Efficiency {
    EfficiencyBase base = EfficiencyBase::Expected;
    double matmul = 1, attention = 1, memoryBandwidth = 1, scaleUp = 1, scaleOut = 1, host = 1, prefill = 1, decode = 1;
    bool operator==(const Efficiency&) const = default;
    /// Without the multipliers: what the calibration alone says.
    [[nodiscard]] Efficiency plain() const
    {
        Efficiency own;
        own.base = base;
        return own;
    }
    [[nodiscard]] bool isPlain() const { return *this == plain(); }
};

/// Whose runs the multipliers of an Efficiency were fitted to: accelerators of each task by id, those without one by
/// name. Empty: nobody says, as in files of before.
struct FittedOn {
    std::vector<std::string> training, inference;
    bool operator==(const FittedOn&) const = default;
    [[nodiscard]] bool any() const { return !training.empty() || !inference.empty(); }
    [[nodiscard]] const std::vector<std::string>& of(Task task) const
    {
        return task == Task::Training ? training : inference;
    }
};

/// What somebody measured; never mixed with predictions.
struct Measured {
    std::optional<double> stepTimeS, tokensPerS, tokensPerSPerGpu, modelTflopsPerGpu, hardwareTflopsPerGpu;
    std::optional<double> mfu, hfu;   ///< fractions, as published
    std::optional<double> peakTflops; ///< the denominator the source used
    std::optional<double> tpotS, ttftS;
    std::optional<double> achievedBandwidthGbPerS; ///< per GPU
    BandwidthCount bandwidthCount = BandwidthCount::Unstated;
    std::optional<double> mbu, maxBatch, kvCacheTokens;
    std::optional<double> peakMemoryBytes;
    std::optional<PeakMemoryKind> peakMemoryKind;
    std::optional<bool> outOfMemory;
    MeasuredProfile profile; ///< of one step; its time is no measurement of the step: a profiler slows the host
    bool operator==(const Measured&) const = default;
    [[nodiscard]] bool any() const { return *this != Measured{}; }
};

/// The plain, numeric part of a scenario: trivially copyable, what evaluation reads and sweeps change.
/// Both workloads are kept, so that switching the task and back loses nothing; a file holds only the current one.
struct Setup {
    Hardware hardware;
    Task task = Task::Training;
    TrainingWorkload training;
    InferenceWorkload inference;
    Parallelism parallelism;
    Efficiency efficiency;
    Convention accounting = Convention::Standard;
    Measured measured;

    /// This part alone of what is more (Scenario, PreparedScenario): to copy it from one to another.
    [[nodiscard]] Setup& setup() noexcept { return *this; }
    [[nodiscard]] const Setup& setup() const noexcept { return *this; }

    bool operator==(const Setup&) const = default;
};

/// The settings of a run: what decides what it would measure (core/scenario/measurement.hpp).
struct RunSettings {
    Setup setup; ///< without a measurement, and with the task's own workload alone
    ModelChoice model;
    AcceleratorChoice accelerator;
    bool operator==(const RunSettings&) const = default;
};

/// A setup with the names of its model and its accelerator: what a file holds.
struct Scenario : Setup {
    std::string name, notes, source;
    std::optional<int> year;
    ModelChoice model;
    AcceleratorChoice accelerator;
    /// What `measured` was measured with, where the scenario has moved on from it; empty: with these settings. Then
    /// nothing observed is of this scenario: prepare() leaves `measured` out.
    std::optional<RunSettings> measuredWith;
    std::optional<PlanQuestion> plan; ///< what was asked of the planner; no figure depends on it
    ProfiledKernels kernels;          ///< of `measured.profile`, where their names are to be kept
    TrainingPhases phases;            ///< of a long training, one after the other; empty: it is of one piece
    FittedOn fittedOn;                ///< of `efficiency`, where it has multipliers
    bool operator==(const Scenario&) const = default;
};

} // namespace headroom
