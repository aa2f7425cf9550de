// SPDX-License-Identifier: GPL-3.0-or-later
// Effective values: what the optional keys of a Setup mean when they are left out.
#pragma once

#include "core/scenario/scenario.hpp"

namespace headroom
{

/// Ranks that one copy of the model spans: tensor × pipeline × context.
[[nodiscard]] std::int64_t modelParallelRanks(const Parallelism& parallelism);
/// Data-parallel ranks in training; at least 1, rounded down where the count does not divide.
[[nodiscard]] std::int64_t dataParallelRanks(const Setup& setup);
/// Inference replicas: stated, else count ÷ (tensor × pipeline × context × attention_data), at least 1.
[[nodiscard]] std::int64_t servingReplicas(const Setup& setup);
/// Training groups that each hold one full copy of what is sharded (hybrid sharding); 1 by default.
[[nodiscard]] std::int64_t shardingReplicas(const Setup& setup);
/// Sequences per optimizer step: stated, else micro_batch × data.
[[nodiscard]] std::int64_t effectiveGlobalBatch(const Setup& setup);
/// Of a scenario that states none: fsdp in training on more than one GPU, else none. Software without FSDP divides
/// states (zero1), and PyTorch's DDP, a whole model a rank, nothing.
[[nodiscard]] Sharding automaticSharding(const Setup& setup);
/// Stated, else the automatic one.
[[nodiscard]] Sharding effectiveSharding(const Setup& setup);
/// Stated, else true when tensor > 1.
[[nodiscard]] bool effectiveSequenceParallel(const Setup& setup);
/// The serving profile: `software`, unless its version or async_scheduling says another one of the same engine.
[[nodiscard]] InferenceSoftware effectiveSoftware(const InferenceWorkload& inference);
/// Whether stating async_scheduling makes a difference: for vLLM, whose two schedulers were both measured.
[[nodiscard]] bool schedulesEitherWay(const InferenceWorkload& inference);
/// Whether prompts are read by a pool of their own: serving is disaggregated, and a pool is stated.
[[nodiscard]] bool hasPrefillPool(const Setup& setup);
/// The layout of an instance of that pool: what is left out is as in decode.
[[nodiscard]] Parallelism prefillLayout(const Setup& setup);
/// Utilisation that autoscaled replicas are held at, and that a fixed deployment has in the busiest hour, where none is
/// stated: the default of Knative's autoscaler (container-concurrency-target-percentage).
inline constexpr double usualAutoscaleTarget = 0.7;
/// From the need of a replica to its first request, s, where it is not stated: a machine, an image and weights from a
/// store take three to ten minutes (judgement, after what operators write).
inline constexpr double usualAutoscaleLagS = 300;
/// As many replicas as anybody runs: no load asks for more.
inline constexpr std::int64_t mostReplicas = 1048576;
/// Whether the first token of a late request is counted: its percentile is stated, or a load has a target to meet.
[[nodiscard]] bool countsLateRequests(const InferenceWorkload& inference);
/// Of the requests that the targets hold for: what is stated, else 95 of 100. A figure of late requests asks here.
[[nodiscard]] inline TargetPercentile heldPercentile(const InferenceWorkload& inference)
{
    return inference.targetPercentile.value_or(TargetPercentile::P95);
}
/// Whether they hold for 99 of 100, not 95.
[[nodiscard]] inline bool holdsFor99(const InferenceWorkload& inference)
{
    return heldPercentile(inference) == TargetPercentile::P99;
}
/// Whether any key of `autoscale` is stated.
[[nodiscard]] bool autoscales(const InferenceWorkload& inference);
/// Puts the day of another in place of its own; of an empty workload, none.
void takeDay(InferenceWorkload& inference, const InferenceWorkload& from);
/// Requests a second in the busiest hour of a day. Precondition: the load and its profile are stated.
[[nodiscard]] double busiestRequestsPerS(const InferenceWorkload& inference);
/// Whether a day of a load that changes is evaluated: serving, with the day's mean and its shape.
[[nodiscard]] inline bool hasDay(const Setup& setup)
{
    return setup.inference.loadProfile && setup.inference.requestsPerS && setup.task == Task::Inference;
}
/// Whether the cache of past prompts is kept below the accelerators' memory: any key of `kv_tiers` says how much, or
/// how much is found there.
[[nodiscard]] inline bool usesTiers(const InferenceWorkload& w)
{
    return w.tierHostGb || w.tierNvmeGb || w.tierHostHits || w.tierNvmeHits;
}
/// Whether weights or caches of past prompts come over the link from the hosts' memory.
[[nodiscard]] inline bool readsFromHost(const InferenceWorkload& w)
{
    return w.hostWeightsGb || usesTiers(w);
}
/// Share of the prompts' tokens that lie in those tiers, at most 1.
[[nodiscard]] double tierHits(const InferenceWorkload& inference);
/// Whether the cache of one layer is loaded while the one before is computed: stated, else as the engine does.
/// vLLM's connector loads a request's cache before it schedules it (its blog, 8 January 2026); SGLang's HiCache
/// overlaps layer by layer (its design page).
[[nodiscard]] bool effectiveLayerwise(const InferenceWorkload& inference);
/// Share of the reading of weights from the hosts' memory that hides behind a pass: stated, else none for vLLM, whose
/// kernels read them in their turn (cpu_offload_gb), and all for engines that fetch the next layer meanwhile.
[[nodiscard]] double effectiveHostOverlap(const InferenceWorkload& inference);
/// Whether the training stack may or may not run under torch.compile, so that stating it makes a difference.
[[nodiscard]] bool mayCompile(TrainingSoftware software);
/// Whether the stack's release runs gated MXFP8 experts in grouped kernels that fuse activations, casts and the moving
/// of rows: Megatron from NeMo container 26.06 on.
[[nodiscard]] bool fusesExperts(const TrainingWorkload& training);
/// Hours of one GPU between two interruptions where failures count and no other figure is stated. Published training
/// lies on both sides: 45,600 (Llama 3: 466 interruptions in 54 days on 16,384 GPUs, arXiv 2407.21783, 3.3.4), 25,000
/// (OPT-175B), 66,500 (arXiv 2605.09370).
inline constexpr double usualGpuMtbfHours = 50000;
/// Whether any key of `reliability` is stated, so that failures count.
[[nodiscard]] bool countsFailures(const TrainingWorkload& training);
/// Whether any key of `rl` is stated, so that a step of reinforcement learning is counted.
[[nodiscard]] bool isRl(const Setup& setup);
/// GPUs that generate answers, and those of one copy of the model on them.
[[nodiscard]] std::int64_t rolloutGpus(const Setup& setup);
[[nodiscard]] std::int64_t rolloutTensor(const Setup& setup);
/// Whether accelerators that are taken back add to the failures: failures count, and they are rented as spot.
[[nodiscard]] bool countsSpotInterruptions(const Setup& setup);
/// Power of the whole site over that of its machines, where it is not stated: between large operators, who report 1.1,
/// and the mean of the industry, 1.56 (Uptime Institute Global Data Center Survey 2024). Judgement.
inline constexpr double usualPue = 1.2;
/// Whether any key of `power` is stated, so that the site's energy is counted.
[[nodiscard]] bool countsSiteEnergy(const Hardware& hardware);
/// Stated, else bf16 where the stack keeps 16-bit gradients (docs/method/memory.md), else fp32.
[[nodiscard]] Gradients effectiveGradients(const Setup& setup);
/// Mean tokens of the samples packed into a sequence; the sequence length where left out.
[[nodiscard]] std::int64_t effectiveSampleTokens(const TrainingWorkload& training);

} // namespace headroom
