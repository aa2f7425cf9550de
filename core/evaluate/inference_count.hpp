// SPDX-License-Identifier: GPL-3.0-or-later
// inference: FLOP and bytes of one decode step, for MFU and MBU (design/scenario.md 3).
#pragma once

#include "core/evaluate/inference_memory.hpp"

namespace headroom::inference
{

/// Exact operator sums of one decode step that yields `tokens` tokens, each at these contexts.
[[nodiscard]] FlopCounts decodeFlops(const ModelProfile& model, const std::array<double, 4>& contexts,
                                     double tokens) noexcept;

/// Bytes that must move per device and decode step of `batch` sequences a replica: weights touched (even routing) once,
/// the input embedding not, and the cache of every sequence.
[[nodiscard]] double decodeBytes(const Machine& machine, const ModelProfile& model,
                                 const std::array<double, 4>& contexts, double batch) noexcept;

/// What a published bandwidth counted, per device and step: layers' weights ÷ tensor and the whole head, with the
/// allocated cache of `prompt + output` tokens (a multiple of 8) where the source says so
/// (design/predictor_inference.md 6).
[[nodiscard]] double publishedBytes(const Machine& machine, const PreparedScenario& prepared, double batch) noexcept;

} // namespace headroom::inference
