// SPDX-License-Identifier: GPL-3.0-or-later
// inference::StartReserve: what an engine sets aside when it starts, whatever it serves (docs/method/memory.md).
#pragma once

#include "core/predict/inference/inference_machine.hpp"

namespace headroom::inference
{

/// What the cache loses before the first request comes.
struct StartReserve {
    double activations = 0;    ///< bytes
    double logitSequences = 0; ///< whose logits the engine makes room for; 0 = those of the batch
    double chunkTokens = 0;    ///< the most tokens of a pass; 0 = as elsewhere
    double overhead = 0;       ///< bytes beside runtime context and graphs
};

/// What the device holds before the engine measures what is free, bytes.
struct StartNeed {
    double activationPerToken = 0; ///< of the widest layer
    double overhead = 0;           ///< context of the runtime
    double weights = 0;            ///< of the fullest stage
};

/// By the engine's rule (EngineTraits::reserve).
[[nodiscard]] StartReserve startReserve(const PreparedScenario& prepared, const Machine& machine,
                                        const StartNeed& need) noexcept;

} // namespace headroom::inference
