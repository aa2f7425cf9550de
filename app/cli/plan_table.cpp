// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_table.hpp"

#include "app/cli/table_writer.hpp"
#include "core/explain/result_notes.hpp"
#include "core/units/currency.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cli
{
namespace
{

/// Columns without any value only widen a table on the screen.
std::vector<PlanColumn> shownColumns(Task task, std::span<const PlanOption> options)
{
    std::vector<PlanColumn> shown;
    std::ranges::copy_if(planColumns(task), std::back_inserter(shown), [&](const PlanColumn& column) {
        return std::ranges::any_of(options, [&](const PlanOption& o) { return column.value(o).has_value(); });
    });
    return shown;
}

void printTable(const char* first, std::span<const std::string> names, std::span<const PlanOption> options, Task task)
{
    const std::vector<PlanColumn> shown = shownColumns(task, options);
    std::vector<Column> columns{{first, false}, {"gpus", false}, {"accelerator", true}, {"layout", true}};
    for (const PlanColumn& column : shown)
        columns.push_back({std::string(column.id), false});
    TableWriter table(Format::Text, columns);
    for (std::size_t i = 0; i < options.size(); ++i) {
        const PlanOption& option = options[i];
        table.cell(names[i]);
        table.cell(fmt::format("{}", planGpus(option)));
        table.cell(option.scenario.accelerator->id);
        table.cell(layoutText(option));
        for (const PlanColumn& column : shown)
            if (const auto value = column.value(option); value && column.format == ValueFormat::Money)
                table.cell(formatText(*value, column.format));
            else
                table.number(value, column.format);
        table.endRow();
    }
    table.finish();
}

} // namespace

void printPlanTable(const PlanRequest& request, const PlanResult& result)
{
    if (result.ranked.empty()) {
        print("Nothing fits and meets the targets.\n");
        return;
    }
    std::vector<std::string> ranks;
    for (std::size_t i = 0; i < result.ranked.size(); ++i)
        ranks.push_back(std::to_string(i + 1));
    printTable("rank", ranks, result.ranked, request.base.task);
}

void printGrowth(Task task, std::span<const PlanGrowthRow> rows)
{
    print(rows.empty() ? "\nNothing to grow: no load (requests_per_s, --users) and no training_tokens.\n" : "\n");
    std::vector<std::string> names;
    std::vector<PlanOption> options;
    std::string reasons;
    for (const PlanGrowthRow& row : rows) {
        const std::string name = fmt::format("{:g}×", row.multiple);
        if (!row.best) {
            reasons += fmt::format("{}: {}.\n", name, row.reason);
            continue;
        }
        names.push_back(name);
        options.push_back(*row.best);
    }
    if (!options.empty())
        printTable("growth", names, options, task);
    print(reasons);
}

void printPlanRemarks(const PlanRequest& request, const PlanResult& result, std::string_view objective)
{
    std::string text = "\n";
    if (!result.ranked.empty()) {
        const PlanOption& first = result.ranked.front();
        if (const std::string risk = riskText(request, first); !risk.empty())
            text += "The first: " + risk + ".\n";
        if (const std::string safer = saferText(request, result); !safer.empty())
            text += safer + ".\n";
        for (const ResultNote& note : resultNotes(first.scenario, first.evaluation))
            if (note.code != WarningCode::MemoryMayNotFit) // a risk, and said
                text += "Of the first: " + note.text + "\n";
    }
    for (const PlanRejection& rejection : result.rejected)
        text += rejection.reason + ".\n";
    for (const std::string& note : result.notes)
        text += note + ".\n";
    const char* inCurrency = currencyCode() == usDollars ? " (US dollars)" : ""; // the amount has other letters
    for (const PlanAccelerator& device : request.accelerators)
        if (device.price)
            text += fmt::format("Price of the {}: {} an hour{}, {}.\n", device.accelerator->name,
                                formatText(*device.pricePerGpuHour, ValueFormat::Money), inCurrency,
                                priceOrigin(*device.price));
        else if (device.pricePerGpuHour && device.accelerator->id != request.base.accelerator->id)
            text += fmt::format("Price of the {}: {} an hour{}, from the file's question.\n", device.accelerator->name,
                                formatText(*device.pricePerGpuHour, ValueFormat::Money), inCurrency);
    const PlanCounts& c = result.counts;
    text += fmt::format("Optimised for {}; {} on the Pareto front. Of {} configurations {} were evaluated; "
                        "{} do not fit, {} are too slow whatever else is chosen, {} cost too much an hour.\n",
                        objective, result.front.size(), c.configurations, c.evaluated, c.excludedByMemory,
                        c.excludedByTime, c.excludedByLimit);
    print(text);
}

} // namespace headroom::cli
