// SPDX-License-Identifier: GPL-3.0-or-later
// inference::MemoryPlan: what serving keeps on the fullest device, and how many sequences that leaves room for.
#pragma once

#include "core/predict/inference/inference_pass.hpp"

namespace headroom::inference
{

/// What a pipeline stage keeps on each of its devices, bytes.
struct StageNeed {
    double weights = 0;
    double cachePerSequence = 0; ///< of a request at its full length, of a sequence that the device holds
    double logitsPerSequence = 0;
};

/// Bytes on the fullest device, of whatever pipeline stage: the first has the embedding, the last the head, and between
/// them any may have the heaviest layers or those that cache most. Which of them is the fullest changes with the batch,
/// with which the cache and the activations grow.
struct MemoryPlan {
    double usable = 0;             ///< of the device
    double capacity = 0;           ///< that the engine may fill
    StageNeed first;               ///< stage; the only one without a pipeline
    std::vector<StageNeed> others; ///< stages, but those that need no more of anything than another; the last one last
    double attentionData = 1;      ///< ranks that the sequences are dealt out to: the fullest holds ⌈batch/ranks⌉
    double activationPerToken = 0, chunkTokens = 0, promptTokens = 0;
    double reservedActivations = 0; ///< that the engine keeps from its start on
    double scoresPerSequence = 0;   ///< attention scores of a prompt without FlashAttention
    double logitSequences = 0;
    bool logitsReserved = false; ///< of so many sequences, whatever the batch
    double overhead = 0;
    double freeShare = 1;   ///< of what weights and activations leave, that the cache may take
    double utilization = 1; ///< as the engine counts it: of the device, of what is free, or of weights and cache
    double maxBatch = 0;    ///< sequences per replica that fit, a whole number

    /// Of all `batch` sequences of the replica, those on the fullest device.
    [[nodiscard]] double sequences(double batch) const;
    [[nodiscard]] StageNeed& last() { return others.empty() ? first : others.back(); }
    [[nodiscard]] double activations(double batch) const;
    [[nodiscard]] double logits(const StageNeed& stage, double batch) const;
    [[nodiscard]] double cache(const StageNeed& stage, double batch) const;
    /// Everything but the cache.
    [[nodiscard]] double fixedNeed(const StageNeed& stage, double batch) const;
    /// The stage that needs most for so many sequences.
    [[nodiscard]] const StageNeed& fullest(double batch) const;
    /// What the fullest device needs.
    [[nodiscard]] double need(double batch) const;
    [[nodiscard]] bool holds(double batch) const;
};

class Drafter;

/// Bytes on the fullest device, before any cache. `drafter`: what drafts, where it is made already.
[[nodiscard]] MemoryPlan planMemory(const PreparedScenario& prepared, const Machine& machine,
                                    const Drafter* drafter = nullptr) noexcept;

/// Weights of one layer, bytes on the fullest device: whole heads and whole experts. `hidden`: width of the model.
[[nodiscard]] double layerWeightBytes(const Machine& machine, const LayerKind& kind, double hidden) noexcept;

/// Bytes of all weights that the devices of a pipeline hold together, those of one tensor rank each.
[[nodiscard]] double storedWeightBytes(const ModelProfile& model, const Machine& machine) noexcept;

/// Cache bytes of one sequence of `tokens` in one layer of this kind, on one device: its heads of its share of the
/// tokens. A state is of no token, and whole on each of `context` ranks; `states` of them
/// are kept, one for each token that a pass works on.
[[nodiscard]] double layerCacheBytes(const ModelProfile& model, const LayerKind& kind, double tokens,
                                     const CacheTypes& types, double tensor, double context = 1,
                                     double states = 1) noexcept;
/// Cache bytes of one sequence of `tokens`, on one device that holds every layer, or these.
[[nodiscard]] double sequenceCacheBytes(const ModelProfile& model, double tokens, const CacheTypes& types,
                                        double tensor, double context = 1, double states = 1) noexcept;
[[nodiscard]] double sequenceCacheBytes(const ModelProfile& model, std::span<const LayerKind> kinds, double tokens,
                                        const CacheTypes& types, double tensor, double context = 1,
                                        double states = 1) noexcept;
/// The same on the stage of a pipeline whose layers cache most, on one device.
[[nodiscard]] double mostCacheBytes(const Machine& machine, const ModelProfile& model, double tokens) noexcept;
/// Cache bytes of a prompt of `tokens` as it travels to the devices that decode, all layers: each of `tensor` ranks
/// gets the heads that it keeps, replicas too; what all of them share, a latent or an index, travels once.
[[nodiscard]] double travellingCacheBytes(const ModelProfile& model, double tokens, const CacheTypes& types,
                                          double tensor) noexcept;
[[nodiscard]] double travellingCacheBytes(const ModelProfile& model, std::span<const LayerKind> kinds, double tokens,
                                          const CacheTypes& types, double tensor) noexcept;
/// The same for what a decode step reads at mean context: windows, sparse attention and states as they are.
[[nodiscard]] double sequenceReadBytes(const Machine& machine, const ModelProfile& model,
                                       const std::array<double, 4>& contexts) noexcept;
[[nodiscard]] double sequenceReadBytes(const Machine& machine, const ModelProfile& model,
                                       std::span<const LayerKind> kinds, const std::array<double, 4>& contexts,
                                       double tokensEach = 1) noexcept;

/// Fills memory, capacity, usedBytes, fits and maxBatch for `batch` sequences. Parts add up to usedBytes exactly.
void reportMemory(const MemoryPlan& plan, double batch, Evaluation& result) noexcept;

} // namespace headroom::inference
