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

/// What limits a deployment next, in a word or two: "memory 97 %", "TPOT 95 % of its target".
[[nodiscard]] std::string bindingConstraint(const PlanRequest& request, const PlanOption& option);

/// A target that is met by the expected figure but not by the slow end of its 80 % interval: "TPOT may reach 33.1 ms
/// (80 % interval), 10 % over the target of 30.0 ms"; and a training whose memory's interval ends beyond
/// the device. An engine that serves fills what there is, and no more. Empty where the answer is safe from both.
[[nodiscard]] std::string riskText(const PlanRequest& request, const PlanOption& option);

} // namespace headroom
