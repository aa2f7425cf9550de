// SPDX-License-Identifier: GPL-3.0-or-later
// MeasuredRun: a run that somebody measured, with its source and what the predictor says of it.
#pragma once

#include "core/runs/run_features.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom
{

struct MeasuredRun {
    std::string id; ///< the same for the same content alone
    std::string name, source;
    std::optional<int> year;
    PreparedScenario prepared;
    Evaluation evaluation; ///< predicted and, apart from that, observed
    RunFeatures features;
};

using MeasuredRuns = std::vector<MeasuredRun>;

/// The runs that charts and explanations put beside a scenario. Shared, because each result carries them along.
struct RunShelf {
    std::shared_ptr<const MeasuredRuns> published; ///< may be null: not read yet
    std::shared_ptr<const MeasuredRuns> own;       ///< the user's; may be null
};

/// Empty where the scenario holds nothing measured.
[[nodiscard]] std::optional<MeasuredRun> measuredRun(const Scenario& scenario, PreparedScenario prepared);

/// The selection under resources/published_runs, read at the first call (milliseconds: not on the way to the first
/// picture). Thread-safe. Never fails: its lines are checked by tests.
[[nodiscard]] std::shared_ptr<const MeasuredRuns> publishedRuns();

/// "Llama 3 8B on 64 × A100 SXM4 80GB"
[[nodiscard]] std::string runTitle(const MeasuredRun& run);

/// Where the source can be looked up; empty where it names no place on the web. Sources name either a host and a path
/// or, mostly, a GitHub repository and a path.
[[nodiscard]] std::string sourceUrl(std::string_view source);

} // namespace headroom
