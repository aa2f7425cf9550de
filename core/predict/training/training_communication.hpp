// SPDX-License-Identifier: GPL-3.0-or-later
// Training communication: what a layer and a step exchange between accelerators, and how much of it shows
// (docs/method/communication.md).
#pragma once

#include "core/predict/training/training_layer.hpp"

namespace headroom
{

/// Compute of one layer and micro-batch, s: what communication hides behind.
struct LayerCompute {
    double forward = 0, backward = 0, again = 0;
    double coreForward = 0, coreBackward = 0; ///< of these, the attention core
};

/// Exposed communication of one layer and micro-batch, s. What hides takes its share of the compute with it: two
/// exchanges never hide behind the same second.
struct LayerCommunication {
    double tensorForward = 0, tensorBackward = 0;
    double contextForward = 0, contextBackward = 0;
    double expertForward = 0, expertBackward = 0;
    double data = 0;
    double dataForward = 0;                       ///< of `data`, in the forward pass
    double hiddenForward = 0, hiddenBackward = 0; ///< compute that has something hidden behind it
    [[nodiscard]] double forward() const noexcept { return tensorForward + contextForward + expertForward; }
};
[[nodiscard]] LayerCommunication layerCommunication(const TrainingPlan& plan, const LayerKind& kind,
                                                    LayerCompute compute) noexcept;

/// Share of a layer's forward communication that recomputation repeats: all of it where whole layers run again.
[[nodiscard]] double communicationAgain(const TrainingPlan& plan) noexcept;

/// Bytes of a gradient in a reduce-scatter.
[[nodiscard]] double gradientLinkBytes(const TrainingPlan& plan) noexcept;

/// Parameters of one stage on one rank, as data parallelism sees them.
struct StageParameters {
    double dense = 0; ///< outside the experts, embedding or head included
    double experts = 0;
    double matrices = 0;                             ///< of `dense`: embedding and head, never quantised
    double trainableDense = 0, trainableExperts = 0; ///< adapters alone with LoRA
};
[[nodiscard]] StageParameters stageParameters(const TrainingPlan& plan, std::size_t stage) noexcept;
/// Whether the first stage and the last each hold the embedding: it is the head, too, or layers that predict read it
/// (Megatron-LM, core/distributed/finalize_model_grads.py, which adds its gradients up for mtp_num_layers).
[[nodiscard]] bool sharesEmbedding(const TrainingPlan& plan) noexcept;
/// Matrices of vocabulary × hidden on one stage: the embedding on the first, the head on the last, with a copy of the
/// embedding where one is needed and is not the head.
[[nodiscard]] double vocabularyMatrices(const TrainingPlan& plan, std::size_t stage) noexcept;

/// Exposed exchange of each micro-batch, s, by pass.
struct PassExchange {
    double forward = 0, backward = 0;
    [[nodiscard]] double both() const noexcept { return forward + backward; }
};
/// What FSDP gathers and scatters outside the layers: embedding, final norm and head, once each. `forward` and
/// `backward`: the head's compute, s. The embedding comes before all compute, and its gradients after it.
[[nodiscard]] PassExchange outsideExchange(const TrainingPlan& plan, double forward, double backward) noexcept;

/// Ranks that share the states of one parameter, outside the experts and of an expert.
struct ShardGroups {
    GroupShape dense, experts;
};
/// Those that exchange once a step; nobody where the layers exchange with every micro-batch or there is no other rank.
[[nodiscard]] ShardGroups stepGroups(const TrainingPlan& plan) noexcept;
/// Data-parallel exchange once a step (replicated and ZeRO-1 and -2 states, FSDP's in a pipeline) in the plan's
/// stepGroups(), s exposed.
/// `forward` and `backward`: compute of a micro-batch that can hide it; `idle`: what the stage waits for the host
/// besides, in either pass.
[[nodiscard]] double stepDataParallel(const TrainingPlan& plan, const ShardGroups& groups,
                                      const StageParameters& parameters, double forward, double backward,
                                      double idle) noexcept;
/// s that the first stage and the last take to add up the gradients of an embedding that both hold, once a step.
[[nodiscard]] double tiedEmbeddingSeconds(const TrainingPlan& plan, std::size_t stage) noexcept;
/// What a step waits beyond the micro-batches of its slowest stage, s: `all` is what one micro-batch takes through
/// every stage, `slowest` through that one, in `directions` passes (2: forward and backward). Beside pipelineSends().
[[nodiscard]] double pipelineBubble(const TrainingPlan& plan, double all, double slowest, int directions) noexcept;
/// s between two micro-batches that a link between stages takes each way: no pipeline is faster.
[[nodiscard]] double pipelineLinkSeconds(const TrainingPlan& plan) noexcept;
/// Pipeline sends that show, s: of `directions` passes (2: forward and backward), of which the slowest stage takes
/// `slowest` for each micro-batch.
[[nodiscard]] double pipelineSends(const TrainingPlan& plan, double slowest, int directions) noexcept;

} // namespace headroom
