// SPDX-License-Identifier: GPL-3.0-or-later
// inference::PromptPasses: the passes that read a replica's prompts, the same whatever it serves beside them.
#pragma once

#include "core/predict/inference/inference_pass.hpp"

namespace headroom::inference
{

/// Nothing is known where another pool reads them, or where a static batch's are read together. What they are made of
/// is handed to each question.
struct PromptPasses {
    bool known = false;
    double tokens = 0; ///< of the mean prompt that are computed
    PassShape one;     ///< the mean prompt in a pass
    PassCost all;      ///< of one prompt on each attention-data rank
    PassCost lone;     ///< of one prompt alone
    PassCost draft;    ///< in both: what drafts reads the prompt too; nothing under the bound

    PromptPasses() noexcept = default;
    /// Without drafts.
    PromptPasses(const PreparedScenario& prepared, const Machine& machine) noexcept;

    /// With what drafts.
    void add(const PassCost& drafts) noexcept;
    /// Without it.
    [[nodiscard]] PromptPasses undrafted() const noexcept;
    /// The pass of a prompt beside those of `batch` requests: one on each rank, as far as there are so many.
    [[nodiscard]] PassCost beside(const PreparedScenario& prepared, const Machine& machine,
                                  double batch) const noexcept;
    /// Time of the pass that reads a prompt on each rank of attention data, or of one alone, where what drafts does not
    /// read it, s. Known or not.
    [[nodiscard]] double undraftedS(const PreparedScenario& prepared, const Machine& machine,
                                    double prompts) const noexcept;
    /// TTFT without other requests: t0, one prompt that nothing drafts from, host. Known or not.
    [[nodiscard]] double firstTokenAloneS(const PreparedScenario& prepared, const Machine& machine) const noexcept;
};

} // namespace headroom::inference
