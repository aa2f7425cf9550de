// SPDX-License-Identifier: GPL-3.0-or-later
// RlWorkload: a step of reinforcement learning around the training: answers that are generated, judged and learned
// from.
#pragma once

#include <cstdint>
#include <optional>

namespace headroom
{

/// Where answers are generated: on the GPUs that train, in turn, or on GPUs of their own.
enum class RlPlacement : std::uint8_t { Colocated, Separate };

/// What generates: engines whose overheads were fitted (calibration.json, inference.profiles).
enum class RolloutEngine : std::uint8_t { Vllm, VllmSync, Sglang, TrtLlm };

/// Prompts of a step where reinforcement learning is asked for and no other number is stated: that of DAPO (arXiv
/// 2503.14476, section 4.1), with its 16 answers a prompt.
inline constexpr std::int64_t usualRlPrompts = 512;

/// A step is counted where any of these is stated (isRl()).
struct RlWorkload {
    std::optional<std::int64_t> prompts;                  ///< of a step
    std::int64_t samples = 16;                            ///< answers to each prompt: the group
    std::int64_t promptTokens = 512, outputTokens = 2048; ///< means
    std::optional<std::int64_t> outputTokensP99;          ///< that 99 of 100 answers stay under
    std::optional<std::int64_t> maxOutputTokens;          ///< no answer is longer
    RlPlacement placement = RlPlacement::Colocated;
    std::int64_t staleness = 0; ///< steps that the answers may be behind the weights; 0: on policy
    std::int64_t epochs = 1;    ///< updates over the same answers
    bool oldLogProb = true;     ///< the training stack computes the answers' probabilities again before the update
    bool reference = true;      ///< a frozen copy of the model gives its own
    bool critic = false;        ///< a second model of the same size learns the value
    bool rewardModel = false;   ///< a third one judges
    double rewardS = 0;         ///< s a step of anything else that judges: code that runs, a service
    // `rollout_pool`: what generates
    std::optional<std::int64_t> rolloutCount;  ///< accelerators beside Hardware::count; default: as many
    std::optional<std::int64_t> rolloutTensor; ///< of one copy of the model; default: as in training
    std::optional<std::int64_t> rolloutBatch;  ///< most answers that a copy writes at once; default: the engine's
    RolloutEngine rolloutEngine = RolloutEngine::Vllm;
    bool operator==(const RlWorkload&) const = default;

    /// Whether answers are generated on GPUs of their own, beside those that train.
    [[nodiscard]] constexpr bool generatesApart() const { return placement == RlPlacement::Separate; }
};

} // namespace headroom
