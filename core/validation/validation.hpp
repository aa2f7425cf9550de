// SPDX-License-Identifier: GPL-3.0-or-later
// Validation: predicted against measured, run by run and in groups; how the errors in print are made.
#pragma once

#include "core/predict/evaluate.hpp"
#include "core/validation/run_doubt.hpp"
#include "core/validation/validation_budgets.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom
{

/// One predicted quantity beside its measurement.
struct ValidationFigure {
    std::string metric; ///< "step_time_s", "tpot_s", "ttft_s", "tokens_per_s"
    double measured = 0, predicted = 0;
    std::optional<bool> inside; ///< the measurement lies in the predicted 80 % interval
    std::string doubt{};        ///< why no fit learns from it (resources/run_notes.json)
    /// predicted ÷ measured − 1, of a time: a rate is turned into one first.
    [[nodiscard]] double error() const
    {
        return metric == "tokens_per_s" ? measured / predicted - 1 : predicted / measured - 1;
    }
};

/// A utilisation figure somebody published, computed again from the same run's throughput.
struct AccountingFigure {
    std::string metric;             ///< "mfu", "hfu", "mbu", "model_tflops_per_gpu", "achieved_bandwidth_gb_per_s" …
    double published = 0, ours = 0; ///< shares of the peak
    bool reproduced = false;        ///< within 0.15 point, or within what was rounded away in print
    std::string cause;              ///< why not, where it is known (resources/run_notes.json)
    std::string count{};            ///< of a bandwidth: which bytes the source counted, "weights_and_cache"
};

/// One measured run and what is predicted for it.
struct ValidationRun {
    std::string name, origin, source; ///< origin: what the run's name begins with ("torchtitan" of "torchtitan-0001")
    Task task = Task::Training;
    std::string model, accelerator, software, precision, method, architecture /* dense, moe */, batchClass, recipe,
        kind;
    std::string key; ///< all that the predictor can see of the run: runs of one key are predicted alike
    std::vector<ValidationFigure> figures; ///< the first is the one that groups sum up
    std::vector<AccountingFigure> accounting;
    std::optional<double> mfuPoints, hfuPoints, mbuPoints; ///< predicted less observed, percentage points
    bool fasterThanIdeal = false;                          ///< measured faster than the speed of light allows
    std::string idealCause;                                ///< how that can be, where it is known
    RunDoubt doubt = RunDoubt::None;                       ///< it cannot be as written: no fit learns from it
    std::optional<double> memoryError;                     ///< predicted ÷ measured − 1, of the same kind of figure
    std::string memoryKind;
    bool predictedFits = true;
    bool ranOutOfMemory = false; ///< measured
};

/// Errors of many runs in three numbers.
struct ErrorSummary {
    std::size_t rows = 0;
    double median = 0, p90 = 0, bias = 0; ///< of |error|, of |error|, of error (median)
};
/// Errors are predicted ÷ measured − 1; none gives zero rows.
[[nodiscard]] ErrorSummary summarise(std::vector<double> errors);

/// What a run's name begins with: "torchtitan" of "torchtitan-0001".
[[nodiscard]] std::string originOf(const std::string& name);

/// The errors of the runs that share a source, a model, a kind.
struct ValidationGroup {
    std::string by, key; ///< "source" "torchtitan"; "all" ""
    std::string metric;
    ErrorSummary error, memory;
    /// Runs whose key was measured more than once: how far each lies from the median of the others.
    ErrorSummary twins;
    /// What the best predictor of these runs would still miss: it knows the median of every key.
    ErrorSummary floor;
    std::optional<double> insideShare;                     ///< of the runs with an interval
    std::optional<double> mfuPoints, hfuPoints, mbuPoints; ///< median of |predicted − observed|
    std::size_t accountingFigures = 0, accountingReproduced = 0;
    std::optional<double> accountingPoints; ///< median of |published − counted again|, percentage points
    std::size_t ran = 0, ranPredictedToFit = 0, failed = 0, failedPredictedToFail = 0;
};

/// Evaluates one run. Its origin is its name less a number at the end.
[[nodiscard]] ValidationRun validateRun(std::string_view name, std::string_view source,
                                        const PreparedScenario& prepared);

/// The groups that a run is counted in, by what and which: "all" "", "source" "torchtitan", "accelerator" …
[[nodiscard]] std::vector<std::pair<std::string, std::string>> groupsOf(const ValidationRun& run);

/// Everything together, then by source, task, kind, accelerator, precision, architecture, batch class, software.
[[nodiscard]] std::vector<ValidationGroup> groupRuns(std::span<const ValidationRun> runs);

/// Each task once, then each source, whatever was measured there: memory, what fits, utilisation; no errors of time.
[[nodiscard]] std::vector<ValidationGroup> totalsOf(std::span<const ValidationRun> runs);

/// "12.3 %", as every table of errors writes a share.
[[nodiscard]] std::string tablePercent(double share);

/// {"groups": […], "runs": […]}
[[nodiscard]] std::string validationJson(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups);
/// The tables that `validate` prints by default: run by run, errors by group, memory and what fits, exceptions. Nothing
/// without runs.
[[nodiscard]] std::string validationText(std::span<const ValidationRun> runs, std::span<const ValidationGroup> groups);
/// How much the page shows: what was asked and the errors by kind of workload, or everything.
enum class ValidationTables { Summary, All };
/// The page of the documentation (docs/validation.md); without budgets it says nothing of what was asked.
[[nodiscard]] std::string validationMarkdown(std::span<const ValidationRun> runs,
                                             std::span<const ValidationGroup> groups, const ValidationBudgets& budgets,
                                             ValidationTables tables);

} // namespace headroom
