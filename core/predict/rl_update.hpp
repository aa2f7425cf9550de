// SPDX-License-Identifier: GPL-3.0-or-later
// RlUpdate: the update of a step of reinforcement learning as a training (docs/method/rl.md, "Update").
#pragma once

#include "core/predict/rl.hpp"
#include "core/predict/training/training_memory.hpp"
#include "core/predict/training/training_plan.hpp"

#include <optional>

namespace headroom
{

/// A training whose global batch counts answers. They are packed into sequences of equal length, as few a rank as
/// `sequence_length` allows: a pass has a fixed cost, so that none should be nearly empty. An answer is not cut: one
/// that is longer is alone in its sequence.
class RlUpdate final
{
public:
    /// Of a step with so many answers.
    RlUpdate(const PreparedScenario& prepared, double answers) noexcept;

    /// Of one update.
    [[nodiscard]] double answers() const noexcept { return m_answers; }
    /// Of so many answers with their prompts.
    [[nodiscard]] double tokens(double answers) const noexcept { return answers * m_mean; }

    /// Tokens of the slowest rank over those of the mean one, where so many answers are shared out (≥ 1). They stay
    /// whole: the rank with the longest one has at least its tokens, and all ranks wait for it.
    [[nodiscard]] double imbalance(double answers) const noexcept;

    /// So many answers together, as the rank with the longest one has them: in as many passes as the others, each of
    /// which is longer.
    [[nodiscard]] TrainingPlan plan(double answers) noexcept;

    /// The same passes of a rank that has the longest of so many answers and nothing else, whose attention sees all of
    /// it. Empty where it has less to do than `plan`, with fewer pairs of tokens in attention.
    [[nodiscard]] std::optional<TrainingPlan> longestAlone(const TrainingPlan& plan, double answers) const noexcept;

    /// Memory of the pass that has the longest answer of the step, and what the stack chooses for it.
    [[nodiscard]] TrainingMemory resolve(TrainingPlan& plan) const noexcept;

private:
    const RlWorkload& w;
    PreparedScenario p;
    const AnswerLengths lengths;
    double m_answers = 1, m_data = 1, m_pass = 1; ///< of an update; ranks; sequences of a pass
    double m_mean = 1;                            ///< tokens of an answer with its prompt
    double m_filled = 1;  ///< of a sequence by an answer, in the mean: one that is longer is one
    double m_longest = 1; ///< tokens of the longest answer of the step with its prompt
};

} // namespace headroom
