// SPDX-License-Identifier: GPL-3.0-or-later
// inference: FLOP and bytes of one decode step, for MFU and MBU (docs/method/counting.md).
#pragma once

#include "core/predict/inference/inference_memory.hpp"

#include <string_view>

namespace headroom::inference
{

/// Exact operator sums of one decode step that yields `tokens` tokens, each at these contexts.
[[nodiscard]] FlopCounts decodeFlops(const ModelProfile& model, const std::array<double, 4>& contexts,
                                     double tokens) noexcept;

/// The same of some layers and the other weights that multiply each token.
[[nodiscard]] FlopCounts decodeFlops(const ModelProfile& model, std::span<const LayerKind> kinds, double otherWeights,
                                     const std::array<double, 4>& contexts, double tokens) noexcept;

/// Forward FLOP of a prompt's mean token, `length` of them behind `cached` ones, under a convention. `exact` knows what
/// each query sees: a window or an indexer lets the early ones see all, so their mean is not that of one in the middle.
[[nodiscard]] double promptFlopPerToken(const ModelProfile& model, Convention convention, double length,
                                        double cached) noexcept;

/// Bytes of the weights of these layers that a pass of `tokens` tokens touches, per device.
[[nodiscard]] double layerBytes(const Machine& machine, std::span<const LayerKind> kinds, double tokens) noexcept;

/// Bytes that must move per device and decode step (of a speculative cycle: the verification) of `batch` sequences a
/// replica: weights touched (even routing) once, the input embedding not, and the cache of every sequence.
[[nodiscard]] double decodeBytes(const Machine& machine, const ModelProfile& model,
                                 const std::array<double, 4>& contexts, double batch) noexcept;

/// Whether a measured rate of tokens says how long one takes: nothing else does, and no load was asked for, which
/// decides the rate. It holds the prompts' time, too: as much of it as is predicted.
[[nodiscard]] inline bool impliesTokenTime(const PreparedScenario& prepared) noexcept
{
    return prepared.task == Task::Inference && prepared.measured.tokensPerS && !prepared.measured.tpotS &&
           !prepared.inference.requestsPerS;
}

/// One way to count the bytes behind a published bandwidth, per device and step.
struct PublishedCount {
    std::string_view name; ///< "weights", "weights_and_cache", "weights_and_embedding"; "moved" is decodeBytes()
    double bytes = 0;
};

/// What a published bandwidth counted: layers' weights ÷ tensor and the whole head, and, as the source says, the
/// allocated cache of `prompt + output` tokens (a multiple of 8) or the 16-bit embedding table. Where a run gives a
/// bandwidth and `timeS` and leaves the count out, the count that comes nearest: tables of one source mix them
///. "moved" where nothing was published.
[[nodiscard]] PublishedCount publishedCount(const Machine& machine, const PreparedScenario& prepared, double batch,
                                            double timeS) noexcept;

} // namespace headroom::inference
