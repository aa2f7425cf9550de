// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/charts/axis.hpp"
#include "core/charts/plan_charts.hpp"
#include "core/metrics/words.hpp"
#include "core/plan/planner_table.hpp"
#include "core/predict/cost_energy.hpp"
#include "core/scenario/effective.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headroom::charts
{
namespace
{

using planner::LimitKind;

struct CauseRow {
    LimitKind kind;
    std::string_view mark, brief, text;
};
constexpr std::array<CauseRow, 9> causeTable{
    {{LimitKind::None, "–", phrase("no layout"), phrase("no legal layout")},
     {LimitKind::Memory, "M", phrase("memory"), phrase("does not fit in memory")},
     {LimitKind::Load, "L", phrase("load"), phrase("cannot carry the load")},
     {LimitKind::Ttft, "F", phrase("TTFT"), phrase("misses the TTFT target")},
     {LimitKind::Tpot, "T", phrase("TPOT"), phrase("misses the TPOT target")},
     {LimitKind::Deadline, "D", phrase("deadline"), phrase("misses the deadline")},
     {LimitKind::CostToTrain, "B", phrase("budget"), phrase("is over the budget")},
     {LimitKind::CostPerHour, "C", phrase("cost"), phrase("costs too much an hour")},
     {LimitKind::HostMemory, "H", phrase("host memory"), phrase("does not fit in the host's memory")}}};

std::uint8_t codeOf(LimitKind kind)
{
    const auto found = std::ranges::find(causeTable, kind, &CauseRow::kind);
    return static_cast<std::uint8_t>(found - causeTable.begin() + 1);
}

struct Shade {
    std::string_view label;
    ValueFormat format;
    bool lessIsBetter;
    std::optional<double> (*value)(const Evaluation&);
};

Shade shadeOf(const PlanRequest& request)
{
    const PreparedScenario& base = request.base;
    const bool rl = isRl(base);
    if (base.task == Task::Training && !rl)
        return {phrase("MFU"), ValueFormat::Percent, false, [](const Evaluation& e) { return e.mfu; }};
    if (!rl && (request.users || base.inference.requestsPerS))
        return {phrase("Headroom"), ValueFormat::Percent, false,
                [](const Evaluation& e) { return e.queue ? std::optional(1 - e.queue->utilization) : std::nullopt; }};
    const bool priced = request.accelerators.empty() ? base.hardware.pricePerGpuHour.has_value()
                                                     : request.accelerators.front().pricePerGpuHour.has_value();
    if (priced)
        return {phrase("Cost of a million tokens"), ValueFormat::Money, true,
                [](const Evaluation& e) { return e.costPerMillionTokens; }};
    return {phrase("Tokens/s"), ValueFormat::TokensPerS, false,
            [](const Evaluation& e) { return e.rl ? paidTokensPerS(e) : e.tokensPerS; }};
}

std::vector<std::string> names(const std::vector<std::int64_t>& numbers)
{
    std::vector<std::string> all;
    for (const std::int64_t n : numbers)
        all.push_back(wholeText(double(n)));
    return all;
}

std::vector<double> places(std::size_t count)
{
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(double(i));
    return all;
}

/// "Fails by: M memory · T TPOT", of the causes on the map.
std::string legend(const HeatMap& map)
{
    std::string text;
    for (std::size_t i = 0; i < causeTable.size(); ++i)
        if (std::ranges::find(map.infeasible, std::uint8_t(i + 1)) != map.infeasible.end())
            text += fmt::format("{}{} {}", text.empty() ? say("Fails by: ") : " · ", causeTable[i].mark,
                                say(causeTable[i].brief));
    return text;
}

bool surelyFits(const PlanCell& cell)
{
    return cell.best && !cell.best->evaluation.warnings.has(WarningCode::MemoryMayNotFit);
}

/// Of the map, which has batches in doublings, and not every count where there are many: the plan's answer may lie
/// between them, with fewer GPUs.
std::string reading(const PlanMap& plan, const HeatMap& map, const Shade& shade, bool training)
{
    std::optional<std::size_t> best, fewest, surely;
    for (std::size_t i = 0; i < map.value.size(); ++i) {
        if (map.infeasible[i] != 0)
            continue;
        const bool better =
            best && (shade.lessIsBetter ? map.value[i] < map.value[*best] : map.value[i] > map.value[*best]);
        if (!best || better)
            best = i;
        if (!fewest || i % plan.gpus.size() < *fewest % plan.gpus.size())
            fewest = i;
        if (surelyFits(plan.cells[i]) && (!surely || i % plan.gpus.size() < *surely % plan.gpus.size()))
            surely = i;
    }
    if (!best)
        return said("No combination on this map meets the targets.");
    const std::string_view row = training ? "TP" : say("batch");
    const auto gpus = [&plan](std::size_t cell) {
        const std::int64_t count = plan.gpus[cell % plan.gpus.size()];
        return count == 1 ? said("1 GPU") : say("{} GPUs", wholeText(double(count)));
    };
    const auto size = [&plan](std::size_t cell) { return wholeText(double(plan.rows[cell / plan.gpus.size()])); };
    std::string text = say("Fewest on this map: {} ({} {})", gpus(*fewest), row, size(*fewest));
    if (!surelyFits(plan.cells[*fewest]))
        text += surely
                    ? say(", where it may not fit; {} ({} {}), where it surely fits", gpus(*surely), row, size(*surely))
                    : said(", where it may not fit");
    return text + ". " +
           say("Best {} on it: {} on {} with {} {}.", inSentence(shade.label), formatText(map.value[*best], map.format),
               gpus(*best), row, size(*best));
}

/// Colours by cost relative to the cheapest cell: costs spread over decades, and the dear end would take all colours.
void shareOfBest(HeatMap& map)
{
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < map.value.size(); ++i)
        if (map.infeasible[i] == 0 && map.value[i] > 0)
            best = std::min(best, map.value[i]);
    for (std::size_t i = 0; i < map.value.size(); ++i)
        map.value[i] = map.infeasible[i] == 0 && map.value[i] > 0 ? best / map.value[i] : 0;
    map.format = ValueFormat::Percent;
    map.label = said("Tokens for the money, share of the best");
    map.maximum = 1;
}

/// The place of a size among those of the map, which has batches in doublings: the nearest, in doublings.
std::optional<std::size_t> placeOf(const std::vector<std::int64_t>& sizes, double size)
{
    if (sizes.empty() || size < double(sizes.front()) || size > double(sizes.back()))
        return std::nullopt;
    const auto away = [size](std::int64_t each) { return std::abs(std::log(double(each) / size)); };
    return std::size_t(std::ranges::min_element(sizes, {}, away) - sizes.begin());
}

/// Frames the cell of the plan's answer, where the map has one: it is of one accelerator, and not of every count.
void frameAnswer(ChartSpec& spec, const PlanRequest& request, const PlanMap& plan, const PlanOption& answer)
{
    const PreparedScenario& s = answer.scenario;
    const bool first =
        request.accelerators.empty() || request.accelerators.front().accelerator->id == s.accelerator->id;
    const auto column = std::ranges::find(plan.gpus, s.hardware.count);
    const auto row = placeOf(plan.rows, plan.across == PlanDimension::Tensor ? double(s.parallelism.tensor)
                                                                             : fullBatch(answer.evaluation));
    if (!first || answer.evaluation.pools || column == plan.gpus.end() || !row)
        return;
    spec.note += spec.note.empty() ? "" : " · ";
    // Between two rows of which the nearer fails, it is in neither.
    if (!plan.cells[*row * plan.gpus.size() + std::size_t(column - plan.gpus.begin())].best) {
        spec.note += said("The answer lies between the rows");
        return;
    }
    spec.guides.push_back({GuideKind::OperatingPoint, SeriesRole::Current, double(column - plan.gpus.begin()),
                           double(*row), 0, said("answer")});
    spec.note += said("Framed: the answer");
}

} // namespace

ChartSpec planMap(const PlanRequest& request, const PlanMap& plan, const PlanOption* answer)
{
    const bool training = request.base.task == Task::Training;
    const Shade shade = shadeOf(request);
    ChartSpec spec;
    spec.id = "plan_map";
    spec.title = training ? said("Feasible configurations: GPUs × tensor parallelism")
                          : said("Feasible configurations: GPUs × batch");
    if (request.accelerators.size() > 1) // the map is of the first of them
        spec.title += " · " + request.accelerators.front().accelerator->name;
    spec.x = categoryAxis("plan_gpus", said("GPUs"), names(plan.gpus));
    spec.y = categoryAxis(training ? "plan_tensor" : "plan_batch", training ? said("Tensor parallel") : said("Batch"),
                          names(plan.rows));
    HeatMap map;
    map.x = places(plan.gpus.size());
    map.y = places(plan.rows.size());
    map.format = shade.format;
    map.label = say(shade.label);
    for (const CauseRow& row : causeTable)
        map.causes.push_back({std::string(row.mark), said(row.text)});
    double high = 0;
    for (const PlanCell& cell : plan.cells) {
        const auto value = cell.best ? shade.value(cell.best->evaluation) : std::nullopt;
        map.value.push_back(value.value_or(0));
        map.infeasible.push_back(value ? 0 : codeOf(cell.cause));
        high = std::max(high, map.value.back());
    }
    map.maximum = high > 0 ? (shade.format == ValueFormat::Percent ? high : niceCeil(high)) : 1;
    spec.reading = reading(plan, map, shade, training);
    if (shade.lessIsBetter)
        shareOfBest(map);
    spec.note = legend(map);
    if (answer)
        frameAnswer(spec, request, plan, *answer);
    spec.summary =
        say("{}: {} by {} cells, {} of them cannot be done. {} {}", spec.title, map.x.size(), map.y.size(),
            std::ranges::count_if(map.infeasible, [](auto code) { return code != 0; }), spec.reading, spec.note);
    if (!map.value.empty())
        spec.heatMap = std::move(map);
    return spec;
}

} // namespace headroom::charts
