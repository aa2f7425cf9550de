// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/comparison.hpp"

#include "core/metrics/evaluation_text.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/source_peak.hpp"
#include "core/support/markdown.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{

namespace
{

constexpr double sameWithin = 0.01; ///< under 1 % counts as the same

bool differs(double a, double b)
{
    return std::abs(a - b) >= sameWithin * std::max(std::abs(a), std::abs(b)) && a != b;
}

/// The time of a training step says how fast it is only beside steps of as many tokens.
bool isOfAStep(const MetricRow& row, const Evaluation& e)
{
    return e.task == Task::Training && (row.id == "step_time_s" || row.id == "observed.step_time_s");
}

std::string taskName(Task task)
{
    return task == Task::Training ? said("training") : said("serving");
}

bool doOtherWork(const MetricRow& row, const Evaluation& a, const Evaluation& b)
{
    return isOfAStep(row, a) && isOfAStep(row, b) && a.tokensPerStep > 0 && b.tokensPerStep > 0 &&
           differs(a.tokensPerStep, b.tokensPerStep);
}

/// Whether steps train other numbers of tokens: then columns are ranked by the time of a token.
bool isRankedPerToken(const MetricRow& row, const std::vector<ComparedScenario>& scenarios)
{
    const Evaluation* first = scenarios.front().evaluation;
    return std::ranges::any_of(scenarios, [&](const ComparedScenario& each) {
        return first && each.evaluation && doOtherWork(row, *first, *each.evaluation);
    });
}

/// What columns are ranked by: values, or the time of a token.
std::vector<std::optional<double>> ranked(const MetricRow& row, const std::vector<ComparedScenario>& scenarios,
                                          std::vector<std::optional<double>> values)
{
    const bool perToken = isRankedPerToken(row, scenarios);
    for (std::size_t i = 0; perToken && i < values.size(); ++i)
        if (values[i])
            *values[i] /= scenarios[i].evaluation->tokensPerStep;
    return values;
}

/// The column with the best value; what does not fit cannot be best while another does.
std::optional<std::size_t> bestColumn(ComparisonRow row, const std::vector<ComparedScenario>& scenarios,
                                      const std::vector<ComparisonColumn>& columns)
{
    row.values = ranked(*row.metric, scenarios, row.values);
    if (row.metric->better == Better::Neither)
        return std::nullopt;
    // The MFU of serving and that of training are two figures: none of them is the better one.
    const auto competes = [](const ComparisonColumn& c) { return c.refusal.empty() && c.otherTask.empty(); };
    const bool anyFits = std::ranges::any_of(columns, [&](const ComparisonColumn& c) { return c.fits && competes(c); });
    const auto counts = [&](std::size_t i) {
        return row.values[i] && competes(columns[i]) && (columns[i].fits || !anyFits);
    };
    const double sign = row.metric->better == Better::Lower ? -1 : 1;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < row.values.size(); ++i)
        if (counts(i) && (!best || sign * *row.values[i] > sign * *row.values[*best]))
            best = i;
    if (!best)
        return std::nullopt;
    std::size_t rivals = 0, worse = 0;
    for (std::size_t i = 0; i < row.values.size(); ++i)
        if (i != *best && counts(i)) {
            ++rivals;
            worse +=
                differs(*row.values[i], *row.values[*best]) && formatText(*row.values[i], row.metric->format) !=
                                                                   formatText(*row.values[*best], row.metric->format)
                    ? 1
                    : 0;
        }
    return rivals > 0 && worse == rivals ? best : std::nullopt;
}

/// The machine's peak over the one that a share of this row is of.
double peakRatio(const MetricRow& row, const ComparedScenario& each)
{
    return isOfSourcePeak(row.id) && each.prepared && each.evaluation
               ? sourcePeakRatio(*each.prepared, *each.evaluation)
               : 1;
}

/// The metric's; of measured shares that are not as published, because others are of another peak, that too.
std::string labelOf(const MetricRow& row, const std::vector<ComparedScenario>& scenarios)
{
    const bool moved =
        std::ranges::any_of(scenarios, [&](const ComparedScenario& each) { return differs(peakRatio(row, each), 1); });
    return moved ? say("{}, of the device's own peak", said(row.label)) : said(row.label);
}

ComparisonRow rowOf(const MetricRow& metric, const std::vector<ComparedScenario>& scenarios,
                    const std::vector<ComparisonColumn>& columns)
{
    ComparisonRow row;
    row.metric = &metric;
    row.label = labelOf(metric, scenarios);
    for (const ComparedScenario& each : scenarios) {
        row.values.push_back(each.evaluation ? metric.value(*each.evaluation) : std::nullopt);
        if (auto& value = row.values.back())
            *value /= peakRatio(metric, each); // shares of one peak stand side by side, and under the predicted one
        const auto &now = row.values.front(), &then = row.values.back();
        const bool both = row.values.size() > 1 && now && then && columns[row.values.size() - 1].otherTask.empty();
        row.words.push_back(
            both ? differenceWords(metric, {*now, scenarios.front().evaluation}, {*then, each.evaluation}, {})
                 : std::string());
    }
    row.best = bestColumn(row, scenarios, columns);
    if (row.best && isRankedPerToken(metric, scenarios)) // a longer step may be the best one
        row.label = say("{}, best per token", row.label);
    return row;
}

ComparisonColumn columnOf(const ComparedScenario& each, const ComparedScenario& now)
{
    ComparisonColumn column;
    column.letter = each.letter;
    column.name = each.prepared ? shortName(*each.prepared) : each.name;
    if (!each.given.empty())
        column.name = each.given + ", " + column.name;
    column.fits = !each.evaluation || allFits(*each.evaluation);
    column.refusal = each.refusal;
    column.otherMeasurement = each.otherMeasurement;
    if (each.prepared && now.prepared && each.prepared->task != now.prepared->task)
        column.otherTask = taskName(each.prepared->task);
    if (&each == &now)
        return column;
    if (each.prepared && now.prepared)
        column.changes = differences(*each.prepared, *now.prepared);
    else if (each.scenario && now.scenario)
        column.changes = differences(*each.scenario, *now.scenario);
    return column;
}

std::string heading(const ComparisonColumn& column)
{
    const std::string name = column.letter.empty() ? say("now: {}", column.name) : column.letter + ": " + column.name;
    if (!column.refusal.empty())
        return say("{} (cannot be evaluated)", name);
    const std::string known = column.otherTask.empty() ? name : say("{} ({}: not ranked)", name, column.otherTask);
    return column.fits ? known : say("{} (does not fit)", known);
}

} // namespace

std::string shortName(const PreparedScenario& prepared)
{
    return fmt::format("{}, {} × {}", prepared.model->architecture.name,
                       formatText(double(prepared.hardware.count), ValueFormat::Integer), prepared.accelerator->name);
}

std::string shortName(const Scenario& scenario, const Catalog& catalog)
{
    const auto model = catalog.model(scenario.model.id);
    const auto accelerator = catalog.accelerator(scenario.accelerator.id);
    return fmt::format("{}, {} × {}", model ? model->name : scenario.model.id,
                       formatText(double(scenario.hardware.count), ValueFormat::Integer),
                       accelerator ? accelerator->name : scenario.accelerator.id);
}

std::string differenceWords(const MetricRow& row, double now, double before, std::string_view letter)
{
    const std::string versus = letter.empty() ? std::string() : " " + say("vs {}", letter);
    const double difference = now - before;
    // What prints alike is alike: a wait of 10⁻⁴⁰ s is not a number of times another.
    if (std::abs(difference) < sameWithin * std::abs(before) || difference == 0 ||
        formatText(now, row.format) == formatText(before, row.format))
        return letter.empty() ? said("same") : say("same as {}", letter);
    const std::string arrow = difference > 0 ? "▲ " : "▼ ";
    if (row.format == ValueFormat::Percent)
        return arrow + say("{} points", points(std::abs(difference), false)) + versus;
    if (row.format == ValueFormat::Bytes)
        return (difference > 0 ? "+" : "−") + formatText(std::abs(difference), row.format) + versus;
    if (before <= 0 || now <= 0)
        return arrow + formatText(std::abs(difference), row.format) + versus;
    const double ratio = difference > 0 ? now / before : before / now;
    const bool seconds = row.format == ValueFormat::Seconds;
    const std::string_view word = seconds && row.better == Better::Lower
                                      ? (difference > 0 ? say("slower") : say("faster"))
                                      : (difference > 0 ? say("more") : say("less"));
    return formatText(ratio, ValueFormat::Plain) + "× " + std::string(word) +
           (letter.empty() ? std::string() : " " + say("than {}", letter));
}

std::string differenceWords(const MetricRow& row, FigureOf now, FigureOf before, std::string_view letter)
{
    if (!doOtherWork(row, *now.evaluation, *before.evaluation))
        return differenceWords(row, now.value, before.value, letter);
    const double a = now.value / now.evaluation->tokensPerStep, b = before.value / before.evaluation->tokensPerStep;
    if (!differs(a, b))
        return letter.empty() ? said("same per token") : say("same per token as {}", letter);
    const std::string ratio = formatText(std::max(a, b) / std::min(a, b), ValueFormat::Plain);
    if (letter.empty()) // in narrow places
        return a < b ? say("{}× faster/token", ratio) : say("{}× slower/token", ratio);
    return a < b ? say("{}× faster per token than {}", ratio, letter)
                 : say("{}× slower per token than {}", ratio, letter);
}

namespace
{

/// What was measured stands under what is predicted of it. Beside it all that can be measured says that it is
/// predicted.
void joinMeasured(std::vector<ComparisonRow>& rows)
{
    constexpr std::string_view prefix = "observed.";
    constexpr std::array<std::string_view, 4> measurable{"ttft_s", "tpot_s", "tokens_per_s", "tokens_per_s_per_gpu"};
    const auto isMeasured = [&](const ComparisonRow& row) { return row.metric->id.starts_with(prefix); };
    if (std::ranges::none_of(rows, isMeasured))
        return;
    for (ComparisonRow& row : rows)
        if (std::ranges::find(measurable, row.metric->id) != measurable.end())
            row.label = say("{}, predicted", said(row.metric->label));
    for (auto measured = rows.begin(); measured != rows.end(); ++measured) {
        if (!isMeasured(*measured))
            continue;
        const auto predicted = std::find_if(rows.begin(), measured, [&](const ComparisonRow& row) {
            return row.metric->id == measured->metric->id.substr(prefix.size());
        });
        if (predicted == measured)
            continue;
        predicted->label = say("{}, predicted", said(predicted->metric->label));
        std::rotate(predicted + 1, measured, measured + 1);
    }
}

} // namespace

Comparison compare(const std::vector<ComparedScenario>& scenarios)
{
    Comparison comparison;
    for (const ComparedScenario& each : scenarios)
        comparison.columns.push_back(columnOf(each, scenarios.front()));
    for (const MetricRow& metric : metricRegistry()) {
        const bool listed = std::ranges::any_of(scenarios, [&](const ComparedScenario& each) {
            return each.prepared && appliesTo(metric, each.prepared->task);
        });
        if (!listed)
            continue;
        ComparisonRow row = rowOf(metric, scenarios, comparison.columns);
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.has_value(); }))
            comparison.rows.push_back(std::move(row));
    }
    joinMeasured(comparison.rows);
    return comparison;
}

Comparison compare(const PreparedScenario& scenario, const Evaluation& evaluation,
                   const std::vector<PinnedScenario>& pins)
{
    std::vector<ComparedScenario> scenarios{{.prepared = &scenario, .evaluation = &evaluation}};
    for (const PinnedScenario& pin : pins)
        scenarios.push_back({.letter = std::string(1, pin.letter),
                             .prepared = &pin.prepared,
                             .evaluation = &pin.evaluation,
                             .given = pin.name,
                             .otherMeasurement = pin.otherMeasurement});
    return compare(scenarios);
}

std::string comparisonMarkdown(const Comparison& comparison)
{
    std::string text = "| |";
    std::string rule = "|---|";
    for (const ComparisonColumn& column : comparison.columns) {
        text += " " + markdownText(heading(column)) + " |";
        rule += "---:|";
    }
    text += "\n" + rule + "\n";
    for (const ComparisonRow& row : comparison.rows) {
        text += "| " + markdownText(row.label) + " |";
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            std::string value = row.values[i] ? formatText(*row.values[i], row.metric->format) : "–";
            if (row.best == i)
                value = fmt::format("**{}**", value);
            if (!row.words[i].empty())
                value += say(" (now {})", row.words[i]);
            text += " " + value + " |";
        }
        text += "\n";
    }
    for (const ComparisonColumn& column : comparison.columns) {
        if (!column.refusal.empty())
            text += "\n" +
                    say("{} cannot be evaluated: {}", column.letter.empty() ? said("Now") : column.letter,
                        markdownText(column.refusal)) +
                    "\n";
        if (!column.otherMeasurement.empty())
            text += "\n" +
                    say("{}: {}", column.letter.empty() ? said("Now") : column.letter,
                        markdownText(column.otherMeasurement)) +
                    "\n";
        if (column.letter.empty())
            continue;
        text += "\n" + say("What changed from {}:", column.letter) + "\n";
        for (const ScenarioDifference& change : column.changes)
            text += fmt::format("- {}: {} → {}\n", markdownText(change.label), markdownText(change.before),
                                markdownText(change.after));
        if (column.changes.empty())
            text += "- " + said("nothing") + "\n";
    }
    return text;
}

std::string comparisonCsv(const Comparison& comparison)
{
    const InEnglish file;
    std::string text = "metric";
    for (const ComparisonColumn& column : comparison.columns)
        text += "," + csvCell(heading(column));
    text += "\n";
    for (const ComparisonRow& row : comparison.rows) {
        text += csvCell(row.metric->id);
        for (const auto& value : row.values)
            text += "," + (value ? exactNumber(*value) : std::string());
        text += "\n";
    }
    if (std::ranges::all_of(comparison.columns, &std::string::empty, &ComparisonColumn::otherMeasurement))
        return text;
    text += "other_measurement";
    for (const ComparisonColumn& column : comparison.columns)
        text += "," + csvCell(column.otherMeasurement);
    return text + "\n";
}

} // namespace headroom
