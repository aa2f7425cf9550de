// SPDX-License-Identifier: GPL-3.0-or-later
// PlanRow: a field of the plan's question, declared once: its key, its words and its range. What reads and writes files
// and settings, the list of keys and the form walk these rows.
#pragma once

#include "core/scenario/plan_question.hpp"
#include "core/units/value_format.hpp"

#include <span>
#include <string_view>
#include <variant>

namespace headroom
{

/// A new field is a member of PlanQuestion and a row here. Texts are English: what say() is asked for.
struct PlanRow {
    using Count = double PlanQuestion::*;                ///< always has a value
    using Limit = std::optional<double> PlanQuestion::*; ///< may be left out; in a file any number above 0
    using Choice = bool PlanQuestion::*;
    using Goal = PlanGoal PlanQuestion::*;

    const char* key; ///< in files, in settings, and of the form's field
    std::string_view label, tip;
    std::variant<Count, Limit, Choice, Goal> member;
    std::string_view unit{};
    ValueFormat format = ValueFormat::Plain;
    double minimum = 0, maximum = 1e15; ///< what may be typed, in SI units but for days; of a Count in a file, too
    bool whole = false;
};

/// In the order in which a file has them.
[[nodiscard]] std::span<const PlanRow> planRows();
/// Precondition: there is such a row.
[[nodiscard]] const PlanRow& planRow(std::string_view key);

/// What a Count or a Limit holds; empty for another row, too.
[[nodiscard]] std::optional<double> numberOf(const PlanRow& row, const PlanQuestion& question);
/// Sets it; a Count keeps what it has where nothing is given.
void setNumber(const PlanRow& row, PlanQuestion& question, std::optional<double> value);

} // namespace headroom
