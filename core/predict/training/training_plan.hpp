// SPDX-License-Identifier: GPL-3.0-or-later
// TrainingPlan: a training scenario as the predictor reads it: sizes per rank, rates as sustained, links (SI units).
#pragma once

#include "core/hardware/collective.hpp"
#include "core/model/pipeline_layout.hpp"
#include "core/predict/evaluate.hpp"
#include "core/predict/utilization.hpp"

namespace headroom
{

/// NF4 with doubly quantised scales, bytes a weight (QLoRA paper: 4.127 bits).
inline constexpr double nf4Bytes = 4.127 / 8;

/// Borrows from the prepared scenario, which must outlive it.
struct TrainingPlan {
    const Setup* setup = nullptr;
    const ModelProfile* model = nullptr; ///< with the layers that predict further tokens where they are trained
    const Accelerator* accelerator = nullptr;

    // sizes
    double gpus = 1, tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, data = 1;
    double expert = 1;          ///< ranks that the experts are spread over
    double expertTensor = 1;    ///< ranks that share the width of one expert
    double expertImbalance = 1; ///< load of the busiest group of experts over the mean: at most their number
    double sequenceSplit = 1;   ///< tensor under sequence parallelism, else 1
    bool repeatsHeads = false;  ///< in some layer a rank holds more heads than 1/tensor of them
    double replicas = 1;        ///< hybrid sharding groups
    double shards = 1;          ///< ranks that share the states of one parameter outside the experts
    double expertShards = 1;    ///< the same for an expert's
    double expertReplicas = 1;  ///< groups that hold the same expert's states: no more than there are copies of it
    double microBatch = 1, microBatches = 1, sequence = 1, sample = 1;
    double tokens = 1; ///< per rank and micro-batch
    PipelineLayout layout;
    Sharding sharding = Sharding::None;
    Offload offload = Offload::None; ///< effectiveOffload()
    bool fusesExperts = false;       ///< fusesExperts() of the workload
    bool fusesDispatch = false;      ///< TrainingWorkload::fusedDispatch
    bool chunkedLoss = false;        ///< logits in pieces
    bool narrowStore = false;        ///< the activation function's input is kept in 8 bit
    bool narrowGradients = false;    ///< gradients are added and reduced in 16 bit
    bool updatesInBackward = false;  ///< updatesInBackward() of the scenario
    /// What the stack does where the device would overflow, and the scenario does not state.
    bool mayChunkLoss = false, mayNarrowStore = false, mayNarrowGradients = false, mayProjectAgain = false;
    /// Share of the layers of multi-head latent attention that keep the latents and project them up once more.
    double projectAgain = 0;
    bool adapters = false, quantized = false, flash = true, ideal = false;
    Checkpointing checkpointing = Checkpointing::None; ///< never Unknown
    RecomputeShares again;

    // rates
    DataType precision = DataType::Bf16;
    MatmulClass width = MatmulClass::Bits16;
    TrainingFamily family = TrainingFamily::Pcie;
    double inputBytes = 2; ///< of a matmul input
    double valueBytes = 2; ///< of an activation anywhere else: 4 in FP32 and TF32
    double peak = 0;       ///< dense FLOP/s of `precision`
    double peak16 = 0;     ///< of the attention core and the LM head
    double ratedPeak = 0;  ///< the faster of the two: what MFU divides by
    double bandwidth = 0;  ///< nominal bytes/s
    MatmulLaw law, law16;  ///< of `precision` and of 16 bit, γ and multipliers in
    AttentionLaw attention;
    TrainingConstants constants; ///< `ideal`: all shares 1, all starts 0
    TrainingProfile profile;
    Links links;
    double domain = 1; ///< accelerators that the scale-up link joins
    double hostLink = 0;

    /// Seconds for one byte of memory-bound work, ε in.
    double elementwiseSecondsPerByte = 0;

    /// Times that a micro-batch runs the output head: once more for each layer that predicts a further token.
    [[nodiscard]] double heads() const noexcept { return 1 + model->predictionLayers; }
    /// Parameters of those layers; the model's own count leaves them out.
    [[nodiscard]] double predictionParameters() const noexcept
    {
        return model->predictionLayers > 0 ? model->parameters.mtp : 0;
    }
    [[nodiscard]] GroupShape group(double ranks, double stride) const noexcept
    {
        return groupShape(ranks, stride, domain, gpus);
    }
    [[nodiscard]] GroupShape shardGroup() const noexcept { return group(shards, tensor); }
    /// Factor on φ of the H100 row: 1 with kernels that were written for Hopper, and on other GPUs.
    [[nodiscard]] double hopperAttention() const noexcept
    {
        const FlashAttention kernel = setup->training.flashAttention;
        if (family != TrainingFamily::H100 || madeForHopper(kernel))
            return 1;
        return madeForAmpere(kernel) ? constants.ampereAttentionHopper : profile.attentionHopper;
    }
    /// Share of the experts' traffic between their matmuls that is left where a grouped kernel fuses it.
    [[nodiscard]] double expertTraffic(const LayerKind& kind) const noexcept
    {
        return fusesExperts && kind.moe.gated ? constants.fusedExpertTraffic : 1;
    }
    /// The same of what takes tokens to their experts and back: one kernel that does so leaves as much.
    [[nodiscard]] double dispatchTraffic(const LayerKind& kind) const noexcept
    {
        return fusesDispatch ? constants.fusedExpertTraffic : expertTraffic(kind);
    }
    /// Gathers that an all-reduce takes; one where switches may add up, as NVLink SHARP's do, and each rank gets sums.
    [[nodiscard]] double gathersOfSum() const noexcept { return ideal ? 1 : 2; }
    /// What of a communication shows that may hide behind `compute` to the share `overlap`.
    [[nodiscard]] static double exposed(double time, double overlap, double compute) noexcept
    {
        return std::max((1 - overlap) * time, time - overlap * compute);
    }
};

/// Reads the scenario. Sizes that do not go together are rounded down; what deserves a warning is added.
/// `checkpointing` Unknown is taken as None.
[[nodiscard]] TrainingPlan planTraining(const PreparedScenario& prepared, WarningSet& warnings) noexcept;

/// Whether the model's multi-token-prediction layers are trained with it: where stated, and where nothing is stated as
/// the stack does. Megatron trains them (mtp_num_layers in Megatron Bridge's recipe for DeepSeek-V3); the others leave
/// them out. Adapters and reinforcement learning leave them as they are.
[[nodiscard]] bool trainsPrediction(const PreparedScenario& prepared) noexcept;

/// Whether each parameter is updated as soon as its gradient is there (`optimizer_in_backward`): not where gradients
/// have buffers of their own (a stack's, or ZeRO's), adapters are trained, or answers are learnt in several
/// micro-batches.
[[nodiscard]] bool updatesInBackward(const PreparedScenario& prepared) noexcept;
/// Whether a stack with this sharding has buffers for all gradients, which stay from step to step.
[[nodiscard]] bool buffersGradients(const TrainingProfile& profile, Sharding sharding) noexcept;

/// Whether the constants of the device's family are an estimate: PCIe cards, of which few runs went into them, and
/// V100, of which none did.
[[nodiscard]] bool isOfUnfittedFamily(const TrainingPlan& plan) noexcept;
/// Whether no published run decides what the software costs: its profile is an estimate. A well tuned stack is what the
/// calibration's kernel tables describe, and no software's name.
[[nodiscard]] bool isWithoutRuns(const TrainingPlan& plan) noexcept;

/// The same plan with another way of checkpointing.
void setCheckpointing(TrainingPlan& plan, Checkpointing checkpointing, double every) noexcept;

} // namespace headroom
