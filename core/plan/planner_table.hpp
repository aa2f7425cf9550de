// SPDX-License-Identifier: GPL-3.0-or-later
// Plan columns: the figures that a table of deployments shows, the same on the page, on the command line and in files.
#pragma once

#include "core/plan/planner.hpp"
#include "core/units/value_format.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace headroom
{

/// The predicted time whose interval a figure has: it grows with the time, or falls as the time grows.
enum class PlanSpread : std::uint8_t { None, WithStep, AgainstStep, WithFirstToken, WithToken };

struct PlanColumn {
    std::string_view id;    ///< in files, with its unit: "tpot_s"
    std::string_view label; ///< for people
    std::string_view tip;   ///< what it means, one sentence
    ValueFormat format;
    std::optional<double> (*value)(const PlanOption&);
    bool detail = false; ///< follows from the others: in files and comparisons, not in a table on the screen
    PlanSpread spread = PlanSpread::None;
};

/// The columns of a task's table, in order.
[[nodiscard]] std::span<const PlanColumn> planColumns(Task task);

/// The 80 % interval of a column's figure, in its unit; empty where the figure is no prediction (a price an hour) or
/// the time has none.
[[nodiscard]] std::optional<Interval> planInterval(const PlanColumn& column, const PlanOption& option);

/// rank, gpus, accelerator, layout, then every column; empty where a figure is not known.
[[nodiscard]] std::string planCsv(Task task, std::span<const PlanOption> options);
/// The same with `multiple` for the rank, and why there is no answer as the last column.
[[nodiscard]] std::string growthCsv(Task task, std::span<const PlanGrowthRow> rows);

/// The column whose figure the plan optimises; null where it is none of these.
[[nodiscard]] const PlanColumn* optimisedColumn(std::span<const PlanColumn> columns, PlanObjective objective,
                                                const PlanOption& option);

/// What limits a deployment next, in a word or two: "memory 97 %", "TPOT 95 % of its target"; and whether its memory
/// may not fit (80 % interval). In a cell of a table, which has a column of the memory, without that figure.
enum class Room : std::uint8_t { Sentence, Cell };
[[nodiscard]] std::string bindingConstraint(const PlanRequest& request, const PlanOption& option,
                                            Room room = Room::Sentence);

/// A target that is met by the expected figure but not by the slow end of its 80 % interval: "TPOT may reach 33.1 ms
/// (80 % interval), 10 % over the target of 30.0 ms"; and a training whose memory's interval ends beyond
/// the device. An engine that serves fills what there is, and no more. Empty where the answer is safe from both.
[[nodiscard]] std::string riskText(const PlanRequest& request, const PlanOption& option);
/// Of a result whose first may not fit in memory, the first that does at that end of the interval, too: "Rank 3 fits
/// at that end, too: 32 × H100 SXM5 80GB, cost/M tokens $0.19 (first: $0.18)". Empty where the first does.
[[nodiscard]] std::string saferText(const PlanRequest& request, const PlanResult& result);

} // namespace headroom
