// SPDX-License-Identifier: GPL-3.0-or-later
// inference::MemoryPlan: what serving keeps on the fullest device, and how many sequences that leaves room for.
#pragma once

#include "core/evaluate/inference_pass.hpp"

namespace headroom::inference
{

/// Bytes on the fullest device. The cache and the activations grow with the batch; see at().
struct MemoryPlan {
    double usable = 0;   ///< of the device
    double capacity = 0; ///< that the engine may fill
    double weights = 0;
    double cachePerSequence = 0; ///< of a request at its full length, per sequence of the replica
    double cachePerToken = 0;    ///< of a long sequence, averaged over the request (for kvCacheTokens)
    double activationPerToken = 0, chunkTokens = 0, promptTokens = 0;
    double scoresPerSequence = 0; ///< attention scores of a prompt without FlashAttention
    double logitsPerSequence = 0, logitSequences = 0;
    double overhead = 0;
    double freeShare = 1; ///< of what weights and activations leave, that the cache may take
    double maxBatch = 0;  ///< sequences per replica that fit, a whole number

    [[nodiscard]] double activations(double batch) const;
    [[nodiscard]] double logits(double batch) const;
    [[nodiscard]] double cache(double batch) const { return batch * cachePerSequence; }
    /// Everything but the cache.
    [[nodiscard]] double fixedNeed(double batch) const
    {
        return weights + activations(batch) + logits(batch) + overhead;
    }
    [[nodiscard]] bool holds(double batch) const;
    /// Cache tokens that `batch` sequences' activations leave room for, whole replica.
    [[nodiscard]] double cacheTokens(double batch) const;
};

/// Bytes on the fullest device, before any cache.
[[nodiscard]] MemoryPlan planMemory(const PreparedScenario& prepared, const Machine& machine) noexcept;

/// Cache bytes of one sequence of `tokens`, on one device that holds every layer.
[[nodiscard]] double sequenceCacheBytes(const ModelProfile& model, double tokens, double cacheBytes, double indexBytes,
                                        double tensor) noexcept;
/// The same for what a decode step reads at mean context: windows, sparse attention and states as they are.
[[nodiscard]] double sequenceReadBytes(const Machine& machine, const ModelProfile& model,
                                       const std::array<double, 4>& contexts) noexcept;

/// Fills memory, capacity, usedBytes, fits and maxBatch for `batch` sequences. Parts add up to usedBytes exactly.
void reportMemory(const MemoryPlan& plan, double batch, Evaluation& result) noexcept;

} // namespace headroom::inference
