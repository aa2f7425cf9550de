// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison: the scenario in hand beside the pinned ones, every metric in a row, differences in words and ratios.
#pragma once

#include "core/comparison/pinned_scenario.hpp"
#include "core/comparison/scenario_diff.hpp"
#include "core/metrics/metric_registry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace headroom
{

/// "1.8× faster than A", "▲ 3.2 points vs A", "−12 GB vs A", "same as A": how `now` compares with `before`. Less than
/// 1 % apart counts as the same. An empty `letter` leaves the reference out.
[[nodiscard]] std::string differenceWords(const MetricRow& row, double now, double before, std::string_view letter);

/// A figure and the evaluation that it is of.
struct FigureOf {
    double value = 0;
    const Evaluation* evaluation = nullptr; ///< never null
};
/// The same where the two may do other work: steps that train other numbers of tokens are compared token by token,
/// "6.6× faster per token than A", "6.6× faster/token".
[[nodiscard]] std::string differenceWords(const MetricRow& row, FigureOf now, FigureOf before, std::string_view letter);

/// One of the scenarios side by side.
struct ComparisonColumn {
    std::string letter;                      ///< "A"; empty for the scenario in hand, which comes first
    std::string name;                        ///< "Llama 3 8B, 8 × H100 SXM5 80GB", a pin's own name before it
    bool fits = true;                        ///< false: its times are as if it fitted
    std::string refusal;                     ///< why it cannot be evaluated, so that it has no values; empty: it can
    std::string otherMeasurement;            ///< what was measured with other settings, a sentence; mostly empty
    std::string otherTask;                   ///< "serving" beside a training: shown, not ranked; empty: the first's
    std::vector<ScenarioDifference> changes; ///< from this column to the scenario in hand; empty for the first
};

/// One metric over all columns.
struct ComparisonRow {
    const MetricRow* metric = nullptr;         ///< never null
    std::string label;                         ///< the metric's; beside a measured one "MFU, predicted"
    std::vector<std::optional<double>> values; ///< one per column
    /// The scenario in hand against the column; empty for the first, and for what does another task.
    std::vector<std::string> words;
    std::optional<std::size_t> best; ///< column of the first's task; empty where all are the same or none is better
};

/// The table, the scenario in hand first.
struct Comparison {
    std::vector<ComparisonColumn> columns;
    /// Metrics that at least one column has, in the registry's order; what was measured under what is predicted of it.
    std::vector<ComparisonRow> rows;
};

/// One of those that are compared.
struct ComparedScenario {
    std::string letter = {};                    ///< "A"; empty for the scenario in hand, which comes first
    const Scenario* scenario = nullptr;         ///< may be null where all can be evaluated
    const PreparedScenario* prepared = nullptr; ///< null: it cannot be evaluated
    const Evaluation* evaluation = nullptr;     ///< null: it cannot be evaluated
    std::string name = {};                      ///< of what cannot be evaluated; that of the others is known
    std::string refusal = {};                   ///< why not, a sentence
    std::string given = {};                     ///< a pin's name; may be empty
    std::string otherMeasurement = {};          ///< of other settings, a sentence; mostly empty
};

/// What cannot be evaluated keeps its column, without values, and says why. At least the scenario in hand.
[[nodiscard]] Comparison compare(const std::vector<ComparedScenario>& scenarios);
/// The scenario in hand beside its pins.
[[nodiscard]] Comparison compare(const PreparedScenario& scenario, const Evaluation& evaluation,
                                 const std::vector<PinnedScenario>& pins);

/// A table for a wiki or an issue, the best value bold, and below it what changed.
[[nodiscard]] std::string comparisonMarkdown(const Comparison& comparison);
/// metric, unit-free values in full precision; one column per scenario. RFC 4180 with line feeds.
[[nodiscard]] std::string comparisonCsv(const Comparison& comparison);

/// "Llama 3 8B, 8 × H100 SXM5 80GB"
[[nodiscard]] std::string shortName(const PreparedScenario& prepared);
/// The same for what cannot be prepared; what the catalogue does not have goes by its id.
[[nodiscard]] std::string shortName(const Scenario& scenario, const Catalog& catalog);

} // namespace headroom
