// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/plan_rows.hpp"

#include "core/support/say.hpp"

#include <algorithm>
#include <array>

namespace headroom
{
namespace
{

using Q = PlanQuestion;

constexpr double mostGpus = 1e6;
/// Stands for "above 0" in a field, which has to name its least value.
constexpr double aboveZero = 1e-6;

constexpr std::array planTable{
    PlanRow{.key = "fewest_gpus",
            .label = phrase("Fewest GPUs"),
            .tip = phrase("The smallest number of GPUs to consider; it doubles from there"),
            .member = &Q::fewestGpus,
            .format = ValueFormat::Integer,
            .minimum = 1,
            .maximum = mostGpus,
            .whole = true},
    PlanRow{.key = "most_gpus",
            .label = phrase("Most GPUs"),
            .tip = phrase("The most GPUs to consider"),
            .member = &Q::mostGpus,
            .format = ValueFormat::Integer,
            .minimum = 1,
            .maximum = mostGpus,
            .whole = true},
    PlanRow{.key = "objective", .label = phrase("Optimise for"), .tip = {}, .member = &Q::objective},
    PlanRow{.key = "cost_per_hour",
            .label = phrase("Cost per hour, at most"),
            .tip = phrase("Price of an hour of the whole job, at most, in the currency of the prices"),
            .member = &Q::costPerHour,
            .format = ValueFormat::Money,
            .minimum = aboveZero},
    PlanRow{.key = "deadline_days",
            .label = phrase("Deadline"),
            .tip = phrase("Days for all training tokens, at most"),
            .member = &Q::deadlineDays,
            .unit = phrase("days"),
            .minimum = aboveZero,
            .maximum = 1e6},
    PlanRow{.key = "budget",
            .label = phrase("Budget"),
            .tip = phrase("Price of the whole training run, at most, in the currency of the prices"),
            .member = &Q::budget,
            .format = ValueFormat::Money,
            .minimum = aboveZero},
    PlanRow{.key = "users",
            .label = phrase("or users"),
            .tip = phrase("People who each send a request, read the answer and think before the next: users ÷ "
                          "(waiting + service time + thinking) requests a second. Takes the place of the requests."),
            .member = &Q::users,
            .unit = phrase("users"),
            .format = ValueFormat::Integer,
            .minimum = 1,
            .maximum = 1e12,
            .whole = true},
    PlanRow{.key = "think_s",
            .label = phrase("Thinking"),
            .tip = phrase("Seconds between an answer and the user's next request; 0: every user always waits for one"),
            .member = &Q::thinkS,
            .unit = phrase("seconds"),
            .format = ValueFormat::Seconds,
            .maximum = 1e6},
    PlanRow{.key = "formats",
            .label = phrase("Allow other number formats"),
            .tip = phrase("A narrower format is faster wherever it is legal: free, it always wins. Whether the model "
                          "still answers as well is not computed here."),
            .member = &Q::formats},
    PlanRow{.key = "offload",
            .label = phrase("Allow offloading"),
            .tip = phrase("Optimizer states or parameters may lie in the host's memory"),
            .member = &Q::offload},
    PlanRow{.key = "slow_end",
            .label = phrase("Hold at the slow end"),
            .tip = phrase("Latency targets and the deadline hold for nine in ten comparable runs, not for the "
                          "expected figure alone: the slow end of the 80 % interval is held against them"),
            .member = &Q::slowEnd},
};

} // namespace

std::span<const PlanRow> planRows()
{
    return planTable;
}

const PlanRow& planRow(std::string_view key)
{
    return *std::ranges::find_if(planTable, [key](const PlanRow& row) { return row.key == key; });
}

std::optional<double> numberOf(const PlanRow& row, const PlanQuestion& question)
{
    if (const auto* count = std::get_if<PlanRow::Count>(&row.member))
        return question.**count;
    const auto* limit = std::get_if<PlanRow::Limit>(&row.member);
    return limit ? question.**limit : std::nullopt;
}

void setNumber(const PlanRow& row, PlanQuestion& question, std::optional<double> value)
{
    if (const auto* count = std::get_if<PlanRow::Count>(&row.member))
        question.** count = value.value_or(question.**count);
    else if (const auto* limit = std::get_if<PlanRow::Limit>(&row.member))
        question.** limit = value;
}

} // namespace headroom
