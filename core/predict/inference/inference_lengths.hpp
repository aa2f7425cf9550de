// SPDX-License-Identifier: GPL-3.0-or-later
// inference::LengthSpread: how the lengths of prompts or answers spread about their mean (docs/method/load.md).
#pragma once

#include "core/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace headroom::inference
{

/// Standard normal quantiles.
inline constexpr double z95 = 1.6448536269514722, z99 = 2.3263478740408408;

/// Squared coefficient of variation of a log-normal length with this mean whose quantile at `z` (z95, z99) is
/// `percentile`; 0 where the percentile is not above the mean. A percentile too far out for any log-normal takes the
/// widest one (sigma = z).
[[nodiscard]] double squaredVariation(double mean, double percentile, double z = z95) noexcept;

/// A stated percentile that no log-normal about the stated mean reaches: the widest one is taken.
struct FarPercentile {
    std::string_view parameter; ///< id in the parameter registry
    std::string_view key;       ///< as the file calls it
    double times = 1;           ///< of the mean, as stated
    double most = 1;            ///< of the mean, of any log-normal: e^(z²/2)
};
/// The first of the scenario's prompts, answers and answers of reinforcement learning that decides a spread.
[[nodiscard]] std::optional<FarPercentile> beyondLogNormal(const Setup& setup) noexcept;

/// Mean tokens of an answer: of a mix not rounded, as `outputTokens` is.
[[nodiscard]] inline double answerTokens(const InferenceWorkload& workload) noexcept
{
    return workload.mix ? std::max(1.0, workload.mix->meanOutput()) : static_cast<double>(workload.outputTokens);
}

/// How lengths spread about their mean, tokens.
struct LengthSpread {
    double mean = 1;
    /// Squared coefficient of variation: stated, else of the log-normal through the farthest percentile that is stated;
    /// empty where nothing is.
    std::optional<double> squared;
    std::optional<double> p95, p99; ///< as stated, else of a mix
    /// The length that a share of the requests stay under: stated, else log-normal; the mean where no spread is known.
    [[nodiscard]] double quantile(TargetPercentile percentile) const noexcept;
};

/// How prompts and answers spread.
[[nodiscard]] LengthSpread promptSpread(const InferenceWorkload& workload) noexcept;
[[nodiscard]] LengthSpread outputSpread(const InferenceWorkload& workload) noexcept;
/// Squared variation of the prompts: promptSpread()'s, and 1 where nothing says it.
[[nodiscard]] double promptVariation(const InferenceWorkload& workload) noexcept;

/// Squared variation of what requests need, of which the mean one's prompt takes `first` and its answer `rest`; an
/// unknown spread counts as 1. Prompts and answers vary independently, but for those of a mix, which go together.
[[nodiscard]] double serviceVariation(const InferenceWorkload& workload, double first, double rest) noexcept;

/// Context lengths at an eighth, three eighths … of the output that a decode pass meets, in the mean.
[[nodiscard]] std::array<double, 4> decodeContexts(const InferenceWorkload& workload) noexcept;

/// Tokens that a sequence in flight leaves in the cache by the time it ends, in the mean over those in flight at any
/// moment: in continuous scheduling the classes of a mix are there by share times answer. Answers that spread widely
/// are met half written at twice their mean length and more.
[[nodiscard]] double heldTokens(const InferenceWorkload& workload) noexcept;

/// Mean length of the longest of `batch` answers that are written together, at most what the context leaves of
/// `maxContext` (0: unknown); the mean where no spread is known.
[[nodiscard]] double longestAnswer(const InferenceWorkload& workload, double batch, std::int64_t maxContext) noexcept;

/// Whether a key says how far prompts spread about their mean, beside a mix.
[[nodiscard]] inline bool promptsSpread(const InferenceWorkload& w) noexcept
{
    return w.promptTokensCv || w.promptTokensP50 || w.promptTokensP95 || w.promptTokensP99;
}
/// Makes all prompts of one length: no mix, no spread.
inline void takeOneLength(InferenceWorkload& w) noexcept
{
    w.mix.reset();
    w.promptTokensCv.reset();
    w.promptTokensP50 = w.promptTokensP95 = w.promptTokensP99 = std::nullopt;
}

/// The prompts of a mix, or of lengths that spread, as passes meet them: attention sees pairs of tokens, of which the
/// longer ones have more.
struct MixedPrompts {
    double longer = 1; ///< mean of the squares of what is computed of them, over the square of its mean
    double cached = 0; ///< tokens of the cache before one that is computed, in the mean
    double held = 0;   ///< the same in the mean over prompts
};
/// Without a mix those of the log-normal spread, or all of the mean length where nothing says how far they spread.
[[nodiscard]] MixedPrompts mixedPrompts(const InferenceWorkload& workload) noexcept;

/// Tokens of a prompt whose cache is not computed: stated or the share that is hit in the device's own, and those that
/// lie in tiers below it.
[[nodiscard]] double cachedTokensOf(const InferenceWorkload& workload) noexcept;

} // namespace headroom::inference
