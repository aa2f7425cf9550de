// SPDX-License-Identifier: GPL-3.0-or-later
// inference: passes of decoding and of prompts through the stages of a pipeline, where the slowest sets the pace.
#pragma once

#include "core/predict/inference/inference_pass.hpp"

namespace headroom::inference
{

/// All layers once for every sequence: pipeline sends and uneven stages included.
[[nodiscard]] PassCost decodePass(const PreparedScenario& prepared, const Machine& machine, double batch,
                                  Routing routing = Routing::Even) noexcept;

/// `prompts` prompts of a replica prefilled together, alone.
[[nodiscard]] PassCost prefillPass(const PreparedScenario& prepared, const Machine& machine, double prompts) noexcept;

/// The pass of `prompts` prompts on the attention-data rank that has most, of which each has the share `even` in the
/// mean; a share of a prompt is a chunk.
[[nodiscard]] PassShape promptShape(const PreparedScenario& prepared, const Machine& machine, double prompts,
                                    double even = 1) noexcept;

/// Prompts cut into chunks of `chunk` tokens, one pass after the other through all layers. Where a pipeline has them
/// `queued`, each chunk follows the one before as soon as the slowest stage is free: only the first shows its whole
/// time.
[[nodiscard]] PassCost chunkedPrefill(const PreparedScenario& prepared, const Machine& machine, double prompts,
                                      double chunk, bool queued = false, double even = 1) noexcept;

/// `prompts` prompts of a rank that have all stages to themselves: only their own chunks follow one another there.
[[nodiscard]] PassCost lonePrefill(const PreparedScenario& prepared, const Machine& machine, double prompts,
                                   double even) noexcept;

/// Groups of sequences that are under way in the pipeline at once.
[[nodiscard]] double microBatches(const Machine& machine, double batch) noexcept;

/// Time of a pass beside `batch` sequences, s: their groups wait for the slowest stage, where layers of several kinds
/// make one slower than the others.
[[nodiscard]] double pacedS(const Machine& machine, const PassTime& pass, double batch) noexcept;
/// The same of reading weights from the host beside it: the stage that reads longest may be another.
[[nodiscard]] double pacedHostS(const Machine& machine, const PassTime& pass, double batch) noexcept;

} // namespace headroom::inference
