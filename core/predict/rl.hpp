// SPDX-License-Identifier: GPL-3.0-or-later
// A step of reinforcement learning: the serving predictor generates, the training predictor learns (docs/method/rl.md).
#pragma once

#include "core/predict/evaluate.hpp"

#include <array>
#include <string_view>

namespace headroom
{

/// How the answers of a step spread about their mean: log-normal, cut off at a longest one; with `sigma` 0 all alike.
class AnswerLengths final
{
public:
    /// `answers`: of a step, by which a stated longest answer says how far lengths spread.
    AnswerLengths(const RlWorkload& workload, double answers) noexcept;
    /// Tokens that the share `u` (0…1) of the answers stay under.
    [[nodiscard]] double quantile(double u) const noexcept;
    /// Expected tokens of the longest of `n` answers: the mean of one.
    [[nodiscard]] double longestOf(double n) const noexcept;
    /// Share of `n` answers beyond that length.
    [[nodiscard]] static double beyondLongest(double n) noexcept;
    [[nodiscard]] double sigma() const noexcept { return m_sigma; }
    /// Mean of the squares over the square of the mean; ≥ 1.
    [[nodiscard]] double squareRatio() const noexcept;
    /// Mean tokens of an answer where of a longer one only the first `tokens` (≥ 0) count.
    [[nodiscard]] double meanUpTo(double tokens) const noexcept;

private:
    [[nodiscard]] double meanOfCut(double limit) const noexcept;
    double m_mean = 1, m_mu = 0, m_sigma = 0, m_limit = 0; ///< limit 0: none
};

/// The step; both halves are timed as if they fitted. Precondition: isRl(). Allocates nothing.
[[nodiscard]] RlResult rlStep(const PreparedScenario& prepared) noexcept;

/// GPUs of a step, each counted once.
[[nodiscard]] std::int64_t rlGpus(const Setup& setup);

/// Tokens of the longest sequence that is stated of a step: the prompt and the longest answer.
[[nodiscard]] std::int64_t longestRlSequence(const RlWorkload& workload);

/// Generation alone, which the layout of the training does not change: its fields, and the part without what moves for
/// it.
[[nodiscard]] RlResult rlGeneration(const PreparedScenario& prepared) noexcept;
/// The step where generation is known (rlGeneration() of a scenario with the same GPUs and copies that generate).
[[nodiscard]] RlResult rlStep(const PreparedScenario& prepared, const RlResult& generation) noexcept;
/// The least time that the step can take, however the states of the training are kept: ranks exchange nothing, no
/// optimizer runs, and no states move. `fits` is that of generation alone.
[[nodiscard]] RlResult leastRlStep(const PreparedScenario& prepared, const RlResult& generation) noexcept;

/// s of a step on the GPUs that train, until weights are handed over.
[[nodiscard]] inline double learnS(const RlResult& r) noexcept
{
    return r.sumS() - r.part(RlPart::Generate) - r.part(RlPart::Sync);
}

/// Generation's share of all parts, whether one runs beside another or not.
[[nodiscard]] inline double generateShare(const RlResult& r) noexcept
{
    const double sum = r.sumS();
    return sum > 0 ? r.part(RlPart::Generate) / sum : 0;
}

/// Of all GPUs of a separate placement, how many should generate so that a step takes least.
struct RlSplit {
    double rolloutGpus = 0, trainGpus = 0, stepS = 0;
};
/// Tries the splits of the scenario's GPUs into whole copies on either side that a scenario may say (checkSetup()), at
/// most 64 of them, evenly spaced; those that fit first. Empty where answers are generated on the GPUs that train.
[[nodiscard]] std::optional<RlSplit> bestRlSplit(const PreparedScenario& prepared) noexcept;

/// "generate", "old_log_prob" … as in the result's JSON.
[[nodiscard]] std::string_view rlPartId(RlPart part);
/// What people read: "generating answers".
[[nodiscard]] std::string_view rlPartLabel(RlPart part);

} // namespace headroom
