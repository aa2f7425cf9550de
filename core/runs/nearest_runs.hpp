// SPDX-License-Identifier: GPL-3.0-or-later
// Nearest runs: which measured runs lie nearest to a scenario, and what they say about a metric.
#pragma once

#include "core/runs/measured_run.hpp"
#include "core/runs/run_distance.hpp"

namespace headroom
{

struct NearRun {
    const MeasuredRun* run = nullptr; ///< never null; lives as long as the runs that were searched
    double distance = 0;
};

/// Measured and predicted value of one metric of one run, under one convention.
struct RunFigure {
    double measured = 0, predicted = 0;
};

/// Empty where the run did not measure it. MFU is counted under `accounting`, whatever the source counted, so that it
/// stands beside the scenario's. Metrics (also as observed.…): mfu, mbu, step_time_s, tokens_per_s,
/// tokens_per_s_per_gpu, tpot_s, ttft_s, memory.used_bytes (peak memory, of whatever kind the source gives).
[[nodiscard]] std::optional<RunFigure> runFigure(const MeasuredRun& run, std::string_view metricId,
                                                 Convention accounting);
/// Who says so and when; the year only where the source does not name it itself.
[[nodiscard]] std::string sourceText(const MeasuredRun& run);
/// Whether runFigure() knows the metric at all.
[[nodiscard]] bool hasRunFigure(std::string_view metricId);

/// Which runs count as near.
struct NearestQuery {
    std::string_view metric{};         ///< only runs that measured it; empty = any run
    std::string_view alongParameter{}; ///< left out of the distance
    Convention accounting = Convention::Standard;
    std::size_t most = 1;
    double within = 1e9; ///< greatest distance
};

/// Nearest first; equal distances in the order of the runs. Deterministic.
[[nodiscard]] std::vector<NearRun> nearestRuns(const MeasuredRuns& runs, const RunFeatures& here,
                                               const NearestQuery& query);

/// The nearest published run that says something about a metric, in words.
struct NearestRunText {
    std::string sentence;   ///< "The nearest published run measured 56.8 %; Headroom predicts 55.1 % for it."
    std::string run;        ///< "Llama 3 8B on 64 × A100 SXM4 80GB"
    std::string difference; ///< "Close: same model, same GPU, …"
    std::string source, url;
    double distance = 0;
    RunFigure figure;
};
[[nodiscard]] std::optional<NearestRunText> nearestRunText(const MeasuredRuns& runs, std::string_view metricId,
                                                           const PreparedScenario& prepared,
                                                           const Evaluation& evaluation);

} // namespace headroom
