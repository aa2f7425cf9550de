// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_table.hpp"

#include "app/cli/table_writer.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::cli
{
namespace
{

/// A figure of an option.
struct Figure {
    const char* name;
    ValueFormat format;
    std::optional<double> (*value)(const Evaluation&);
};

constexpr std::array trainingFigures{
    Figure{"step_time_s", ValueFormat::Seconds, [](const Evaluation& e) { return e.stepTimeS; }},
    Figure{"tokens_per_s", ValueFormat::TokensPerS, [](const Evaluation& e) { return e.tokensPerS; }},
    Figure{"seconds_to_train", ValueFormat::Seconds, [](const Evaluation& e) { return e.secondsToTrain; }},
    Figure{"mfu", ValueFormat::Percent, [](const Evaluation& e) { return e.mfu; }},
};
constexpr std::array inferenceFigures{
    Figure{"ttft_s", ValueFormat::Seconds, [](const Evaluation& e) { return e.ttftS; }},
    Figure{"p95_wait_s", ValueFormat::Seconds,
           [](const Evaluation& e) { return e.queue ? e.queue->p95WaitS : std::nullopt; }},
    Figure{"tpot_s", ValueFormat::Seconds, [](const Evaluation& e) { return e.tpotS; }},
    Figure{"tokens_per_s", ValueFormat::TokensPerS, [](const Evaluation& e) { return e.tokensPerS; }},
    Figure{"utilization", ValueFormat::Percent,
           [](const Evaluation& e) { return e.queue ? std::optional(e.queue->utilization) : std::nullopt; }},
};
constexpr std::array commonFigures{
    Figure{"memory_share", ValueFormat::Percent,
           [](const Evaluation& e) -> std::optional<double> {
               const double used = e.task == Task::Training ? e.deviceBytes : e.usedBytes;
               return e.capacityBytes > 0 ? std::optional(used / e.capacityBytes) : std::nullopt;
           }},
    Figure{"cost_per_hour", ValueFormat::Money, [](const Evaluation& e) { return e.costPerHour; }},
    Figure{"cost_per_million_tokens", ValueFormat::Money, [](const Evaluation& e) { return e.costPerMillionTokens; }},
    Figure{"cost_to_train", ValueFormat::Money, [](const Evaluation& e) { return e.costToTrain; }},
    Figure{"joules_per_token", ValueFormat::Plain, [](const Evaluation& e) { return e.joulesPerToken; }},
};

/// Columns without any value only widen a table on the screen; files keep theirs.
std::vector<Figure> figuresOf(const PlanRequest& request, const PlanResult& result, Format format)
{
    std::vector<Figure> all;
    const auto add = [&](const auto& figures) { all.insert(all.end(), figures.begin(), figures.end()); };
    request.base.task == Task::Training ? add(trainingFigures) : add(inferenceFigures);
    add(commonFigures);
    if (format == Format::Text)
        std::erase_if(all, [&](const Figure& figure) {
            return std::ranges::none_of(
                result.ranked, [&](const PlanOption& option) { return figure.value(option.evaluation).has_value(); });
        });
    return all;
}

} // namespace

void printPlanTable(const PlanRequest& request, const PlanResult& result, Format format)
{
    if (result.ranked.empty() && format == Format::Text) {
        print("Nothing fits and meets the targets.\n");
        return;
    }
    const std::vector<Figure> figures = figuresOf(request, result, format);
    std::vector<Column> columns{{"rank", false}, {"gpus", false}, {"accelerator", true}, {"layout", true}};
    for (const Figure& figure : figures)
        columns.push_back({figure.name, false});
    TableWriter table(format, columns);
    for (std::size_t i = 0; i < result.ranked.size(); ++i) {
        const PlanOption& option = result.ranked[i];
        table.cell(std::to_string(i + 1));
        table.cell(std::to_string(option.scenario.hardware.count));
        table.cell(option.scenario.accelerator->id);
        table.cell(layoutText(option));
        for (const Figure& figure : figures)
            table.number(figure.value(option.evaluation), figure.format);
        table.endRow();
    }
    table.finish();
}

void printPlanRemarks(const PlanRequest& request, const PlanResult& result, std::string_view objective)
{
    std::string text = "\n";
    for (const PlanRejection& rejection : result.rejected)
        text += rejection.reason + ".\n";
    for (const std::string& note : result.notes)
        text += note + ".\n";
    const auto unscenaried = [&](const PlanAccelerator& device) {
        return device.pricePerGpuHour &&
               !(request.base.hardware.pricePerGpuHour && device.accelerator->id == request.base.accelerator->id);
    };
    for (const PlanAccelerator& device : request.accelerators)
        if (unscenaried(device))
            text += fmt::format("Price of the {}: {} an hour, from the catalogue (US dollars).\n",
                                device.accelerator->name, formatText(*device.pricePerGpuHour, ValueFormat::Money));
    const PlanCounts& c = result.counts;
    text += fmt::format("Best by {}; {} on the Pareto front. Of {} configurations {} were evaluated; "
                        "{} do not fit, {} are too slow whatever else is chosen, {} cost too much an hour.\n",
                        objective, result.front.size(), c.configurations, c.evaluated, c.excludedByMemory,
                        c.excludedByTime, c.excludedByLimit);
    print(text);
}

} // namespace headroom::cli
