// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/plan_example.hpp"

#include "core/catalog/catalog.hpp"
#include "core/metrics/words.hpp"
#include "core/plan/planner_table.hpp"
#include "core/scenario/effective.hpp"
#include "core/scenario/scenario_json.hpp"
#include "core/support/embedded.hpp"
#include "core/units/format.hpp"
#include "tests/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace headroom::test
{
namespace
{

double secondsOf(const Evaluation& e)
{
    return e.task == Task::Training ? e.stepTimeS.value_or(0) : e.tpotS.value_or(0);
}

/// Whole milliseconds of a step, hundredths of a token's.
std::string milliseconds(double seconds)
{
    return seconds >= 1 ? fmt::format("{:.0f}", 1e3 * seconds) : fmt::format("{:.2f}", 1e3 * seconds);
}

std::string row(const std::string& name, const PlanOption& o)
{
    const Evaluation& e = o.evaluation;
    const bool training = e.task == Task::Training;
    const double used = training ? e.deviceBytes : e.usedBytes;
    return fmt::format("| {} | {} × {}: {} | {} ms | {} | {} |\n", name, o.scenario.hardware.count,
                       o.scenario.accelerator->name, layoutText(o), milliseconds(secondsOf(e)),
                       formatText(used / e.capacityBytes, ValueFormat::Percent),
                       formatText((training ? e.mfu : e.mbu).value_or(0), ValueFormat::Percent));
}

/// The parts of the time that differ most between two layouts, largest first.
std::string differences(const Evaluation& from, const Evaluation& to)
{
    std::vector<std::pair<double, TimePart>> parts;
    for (int i = 0; i < timePartCount; ++i) {
        const auto part = static_cast<TimePart>(i);
        parts.emplace_back(to.part(part) - from.part(part), part);
    }
    std::ranges::stable_sort(parts, std::greater{}, [](const auto& p) { return std::abs(p.first); });
    std::string text;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& [change, part] = parts[i];
        if (std::abs(change) > 0.005 * secondsOf(from))
            text += fmt::format("{}{} {}{} ms", text.empty() ? "" : ", ", inSentence(label(part)),
                                change > 0 ? "+" : "−", milliseconds(std::abs(change)));
    }
    return text.empty() ? "nothing worth a line" : text;
}

} // namespace

PlanOption optionOf(const PreparedScenario& scenario)
{
    return {scenario, evaluate(scenario), {}, {}};
}

PlanRequest requestOfExample(std::string_view fileBegin)
{
    for (const EmbeddedFile& file : embeddedFolder("scenarios/")) {
        const std::string_view name = file.path.substr(file.path.find_last_of('/') + 1);
        if (!name.starts_with(fileBegin))
            continue;
        const auto read = readScenario(file.text, Catalog::builtIn());
        auto base =
            read ? prepare(read->scenario, Catalog::builtIn(), Calibration::builtIn()) : tl::unexpected(read.error());
        if (!base)
            break;
        PlanRequest request;
        request.base = *base;
        request.base.measured = {};
        request.gpuCounts = {base->hardware.count};
        request.objective = PlanObjective::Time;
        if (base->task == Task::Training) // compared layouts take equal steps
            request.base.training.globalBatch = effectiveGlobalBatch(*base);
        return request;
    }
    std::abort(); // a test that misspells a file
}

std::vector<PlanLine> linesOf(const PlanExample& example)
{
    std::vector<PlanLine> lines{{"as published", example.published, {}}};
    for (const PlanVariant& variant : example.variants) {
        PlanLine line{variant.name, std::nullopt, {}};
        if (auto result = plan(variant.request); result && !result->ranked.empty())
            line.option = std::move(result->ranked.front());
        else if (result)
            line.reason = result->rejected.empty() ? "no legal layout" : result->rejected.front().reason;
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string planExamplesText(const std::vector<PlanExample>& examples)
{
    std::string text =
        "# Plans worked out\n\n"
        "Published runs asked again as questions to the planner. Tables and differences are computed by "
        "`tests/core/test_plan_examples.cpp`, which also holds what the reasoning claims; "
        "`HEADROOM_UPDATE_PLAN_EXAMPLES=1` before it writes this page anew. Times are predictions on both sides, "
        "so that the layouts compare: a step (training) or a token (serving). MFU in training, MBU in serving.\n";
    for (const PlanExample& example : examples) {
        text += fmt::format("\n## {}\n{}\n\n| | layout | time | memory | MFU, MBU |\n|---|---|---|---|---|\n",
                            example.title, example.question);
        const std::vector<PlanLine> lines = linesOf(example);
        for (const PlanLine& line : lines)
            text += line.option ? row(line.name, *line.option)
                                : fmt::format("| {} | none: {} | | | |\n", line.name, line.reason);
        if (const PlanLine& last = lines.back(); last.option) {
            text += fmt::format("\nFrom the published layout to the last line: {}.",
                                differences(example.published.evaluation, last.option->evaluation));
            if (const std::string risk = riskText(example.variants.back().request, *last.option); !risk.empty())
                text += fmt::format(" {}.", risk);
            text += '\n';
        }
        text += "\n" + example.reasoning + "\n";
    }
    return text;
}

} // namespace headroom::test
