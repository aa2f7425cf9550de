// SPDX-License-Identifier: GPL-3.0-or-later
// ScenarioDifference: one thing that two scenarios do not share, in words.
#pragma once

#include "core/predict/evaluate.hpp"

#include <string>
#include <vector>

namespace headroom
{

struct ScenarioDifference {
    std::string label; ///< "Micro-batch"
    /// "1 sequence", "16 sequences"; "automatic" where it follows from the rest, "—" where it is not in use.
    std::string before, after;
    std::string parameterId; ///< empty for the task, the model and the accelerator
    bool operator==(const ScenarioDifference&) const = default;
};

/// What differs between the two, in the registry's order: task, model, accelerator, then the parameters that apply to
/// either. Of two tasks only what both have is compared. Names and notes do not count.
[[nodiscard]] std::vector<ScenarioDifference> differences(const PreparedScenario& before,
                                                          const PreparedScenario& after);
/// The same where one of them cannot be prepared: model and accelerator go by their ids.
[[nodiscard]] std::vector<ScenarioDifference> differences(const Scenario& before, const Scenario& after);

} // namespace headroom
