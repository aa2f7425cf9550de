// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingCalibration: constants of the training predictor (docs/method/training_step.md), from calibration.json.
#pragma once

#include "core/catalog/accelerator.hpp"
#include "core/model/model_architecture.hpp"
#include "core/scenario/scenario.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace headroom
{

/// Rows of the kernel tables. Devices without a row of their own take Pcie's.
enum class TrainingFamily : std::uint8_t { V100, A100, H100, B200, Mi300, Mi355, Tpu, Pcie };
inline constexpr int trainingFamilyCount = 8;
[[nodiscard]] TrainingFamily trainingFamily(AcceleratorFamily family) noexcept;

/// Width of a matmul's inputs: FP8 and MXFP8 share a row, so do FP4 formats; TF32 and FP32 use the 16-bit row.
enum class MatmulClass : std::uint8_t { Bits16, Bits8, Bits4 };
inline constexpr int matmulClassCount = 3;

/// t = start + ((FLOP/(compute·γ·P))^p + (bytes/(memory·W))^p)^(1/p).
struct MatmulLaw {
    double start = 0;   ///< s
    double compute = 0; ///< e_c·σ, share of the dense peak
    double memory = 0;  ///< e_m, share of the nominal bandwidth
    double p = 2;
    /// Board power over dense 16-bit peak of the device that the row was fitted on; 0 = power is no limit.
    double wattsPerTflops = 0;
};

/// FlashAttention, share of the dense 16-bit peak, φ included.
struct AttentionLaw {
    double forward = 0, backward = 0;
};

/// What one training stack adds or hides.
struct TrainingProfile {
    double matmul = 1;              ///< γ
    double elementwise = 1;         ///< ε
    double castFactor = 1;          ///< on the bytes of 8-bit casts
    double hostPerLayer = 0;        ///< s for each layer and micro-batch
    double hostPerExpert = 0;       ///< s for each expert that a rank runs in a layer, one after the other
    double overlapDataParallel = 0; ///< share that can hide
    double overlapTensor = 0;
    double attentionHopper = 1;       ///< factor on φ of the H100 row
    double gradientLinkBytes = 2;     ///< per gradient in a reduce-scatter
    double optimizerFactor = 1;       ///< 1.5 when the optimizer is not fused
    double lossFactor = 1;            ///< on the loss traffic
    double gradientBytes = 4;         ///< kept per parameter, Megatron statics
    double zero1ExtraBytes = 0;       ///< fp32 copy of the gradient part, divided by the shards
    double activationFactor = 1;      ///< what an eager stack keeps beyond the list
    double logitBytes = 6;            ///< per logit
    double gatedMlpBytes = 6;         ///< kept per feed-forward value of a gated layer
    double dropoutBytes = 0;          ///< masks, per hidden value
    double bucketBytes = 0;           ///< buffers of a job on several accelerators: buckets, communicators
    bool accumulatesFp32 = false;     ///< weight gradients are added in fp32 even without accumulation
    bool gradientBuffers = true;      ///< gradients have memory of their own; else each is made in the backward pass
    double updateCopies = 0;          ///< moments of all parameters that an update of AdamW makes a copy of
    bool keepsInputGradients = false; ///< FSDP of frozen layers keeps each layer's input gradient to the end of a pass
    bool keepsShards = false;         ///< XLA: no unreduced gradients beside the shards
    bool padsVocabulary = false;      ///< rounds the head up to what the tensor cores ask for
    bool offloadsCheckpoints = false; ///< the inputs of layers that run again lie in the host's memory
    bool chunkedLoss = false;
    bool chunksLossToFit = false; ///< computes the loss in pieces where whole logits do not fit
    bool savesToFit = false; ///< keeps less of the activations where they do not fit: 8-bit stores, MLA projected again
    bool fitted = false;     ///< false: the row is a prior
};

/// Constants that no table carries; named as in calibration.json ("scale_up_share" → scaleUpShare).
struct TrainingConstants {
    // matmul and experts
    double expertCompute = 0, expertMemory = 0, expertStart = 0, expertHalfRows = 0;
    double weightGradientBytes = 0, weightGradientShare = 0, unalignedShare = 0;
    // attention
    double attentionStartForward = 0, attentionStartBackward = 0, attentionShortTokens = 0, attentionBackwardFlop = 0;
    double ampereAttentionForward = 0, ampereAttentionBackward = 0; ///< FlashAttention 2 on Blackwell, share of P16
    double ampereAttentionHopper = 1;                               ///< of it on Hopper: factor on φ of the H100 row
    double fastExponentialAttention = 1; ///< factor on φ of the B200 row where exponentials come twice as fast
    double attentionTrafficShare = 0, unfusedMatmulShare = 0, scoreBytesForward = 0, scoreBytesBackward = 0,
           scoreShare = 0;
    // memory-bound work
    double elementwiseShare = 0, compiledElementwise = 1, eagerElementwise = 1, castBytes = 0, fusedExpertTraffic = 1,
           dispatchPasses = 0, dispatchBackward = 0, lossBytes = 0, scanPasses = 0;
    double adapterTraffic = 0, dequantizeBytes = 0, dequantizeShare = 0;
    // communication
    double scaleUpShare = 0, scaleOutShare = 0, exchangeShare = 0, start = 0, startPerNode = 0, startPerRank = 0;
    double exchangeOverlap = 0, exchangeCopiesCap = 0, slowdown = 0, pipelineExposed = 0, ringExposed = 0;
    double assumedNicGbit = 0, hostLinkShare = 0, hostMemoryRate = 0, hostProcessRate = 0;
    // optimizer and host
    double optimizerBytes = 0, optimizerShare = 0, optimizerStart = 0, hostRecompute = 0, hostAdapters = 0;
    // memory
    double reservedFactor = 0, contextBytes = 0, driverBytes = 0, communicationBytes = 0, workspaceFactor = 0,
           chunkedLogitBytes = 0, chunkedHiddenBytes = 0;
};

/// Copies of a token's values that cross to other nodes, at most: where the router limits the groups of experts that a
/// token goes to, as many as the constant has for DeepSeek-V3's four, in proportion; else no less than there are nodes.
[[nodiscard]] double mostCopies(const MoeShape& moe, const TrainingConstants& constants) noexcept;

/// State an optimizer keeps per parameter beside the master weight, bytes: AdamW's two fp32 moments are 8. Beside a
/// 16-bit weight without a master copy moments have its 16 bit; those of 8 bit stay as they are.
[[nodiscard]] double optimizerStateBytes(Optimizer optimizer, MasterWeights master) noexcept;

/// Kinds of workload with intervals of their own (docs/method/fit.md).
enum class TrainingKind : std::uint8_t {
    LoraNvidia,
    LoraOther,
    Amd,
    MoeBlackwell,
    MoeHopper,
    Qlora,
    Tpu,
    DenseA100,
    DenseBlackwell,
    DenseBlackwellLow,
    DenseHopper,
    DenseHopperLow,
    UnknownRecipe,
    SoftwareWithoutRuns,
    Other
};
inline constexpr int trainingKindCount = 15;
[[nodiscard]] std::string_view toId(TrainingKind kind);

/// Kinds of job with intervals of their own for memory: Megatron's allocator is told apart from what frees and takes
/// again at each layer, and adapters from training of all weights (docs/method/fit.md).
enum class MemoryKind : std::uint8_t { Megatron, Full, Adapters };
inline constexpr int memoryKindCount = 3;
[[nodiscard]] std::string_view toId(MemoryKind kind);

/// 80 % interval of measured ÷ predicted.
struct ResidualRange {
    double low = 1, high = 1;
};

/// Everything the training predictor takes from calibration.json.
struct TrainingCalibration {
    std::array<std::array<MatmulLaw, matmulClassCount>, trainingFamilyCount> matmul{};
    std::array<AttentionLaw, trainingFamilyCount> attention{};
    std::array<TrainingProfile, 14> profiles{}; ///< by TrainingSoftware
    TrainingConstants constants;
    std::array<ResidualRange, trainingKindCount> intervals{}; ///< of the step time
    ResidualRange newSource; ///< of the step time, of a source that nobody has seen, whatever it measures
    ResidualRange newFamily; ///< of the step time, of a family of devices whose constants are an estimate
    std::array<ResidualRange, memoryKindCount> memoryIntervals{}; ///< of the peak memory

    [[nodiscard]] const MatmulLaw& law(TrainingFamily family, MatmulClass width) const
    {
        return matmul[static_cast<std::size_t>(family)][static_cast<std::size_t>(width)];
    }
    [[nodiscard]] const TrainingProfile& profile(TrainingSoftware software) const
    {
        return profiles[static_cast<std::size_t>(software)];
    }
};

} // namespace headroom
