// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/comparison.hpp"

#include "core/evaluate/evaluation_json.hpp"
#include "core/units/format.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom
{

namespace
{

constexpr double sameWithin = 0.01; ///< experience.md 3: under 1 % counts as the same

bool differs(double a, double b)
{
    return std::abs(a - b) >= sameWithin * std::max(std::abs(a), std::abs(b)) && a != b;
}

/// The column with the best value; what does not fit cannot be best while another does.
std::optional<std::size_t> bestColumn(const ComparisonRow& row, const std::vector<ComparisonColumn>& columns)
{
    if (row.metric->better == Better::Neither)
        return std::nullopt;
    const bool anyFits = std::ranges::any_of(columns, &ComparisonColumn::fits);
    const auto counts = [&](std::size_t i) { return row.values[i] && (columns[i].fits || !anyFits); };
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
            worse += differs(*row.values[i], *row.values[*best]) ? 1 : 0;
        }
    return rivals > 0 && worse == rivals ? best : std::nullopt;
}

ComparisonRow rowOf(const MetricRow& metric, const ChartContext& context, const std::vector<ComparisonColumn>& columns)
{
    ComparisonRow row;
    row.metric = &metric;
    row.values.push_back(metric.value(context.evaluation));
    row.words.emplace_back();
    for (const PinnedScenario& pin : context.pins) {
        row.values.push_back(metric.value(pin.evaluation));
        const auto& now = row.values.front();
        row.words.push_back(now && row.values.back() ? differenceWords(metric, *now, *row.values.back(), {}) : "");
    }
    row.best = bestColumn(row, columns);
    return row;
}

std::string cell(std::string text)
{
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

std::string heading(const ComparisonColumn& column)
{
    const std::string name = column.letter.empty() ? "now: " + column.name : column.letter + ": " + column.name;
    return column.fits ? name : name + " (does not fit)";
}

} // namespace

std::string shortName(const PreparedScenario& prepared)
{
    return fmt::format("{}, {} × {}", prepared.model->architecture.name, prepared.hardware.count,
                       prepared.accelerator->name);
}

std::string differenceWords(const MetricRow& row, double now, double before, std::string_view letter)
{
    const auto beside = [letter](std::string_view word) {
        return letter.empty() ? std::string() : fmt::format(" {} {}", word, letter);
    };
    const double difference = now - before;
    if (std::abs(difference) < sameWithin * std::abs(before) || difference == 0)
        return "same" + beside("as");
    const std::string arrow = difference > 0 ? "▲ " : "▼ ";
    if (row.format == ValueFormat::Percent) {
        const double points = 100 * std::abs(difference);
        return arrow + exactNumber(std::round(points * 10) / 10) + " points" + beside("vs");
    }
    if (row.format == ValueFormat::Bytes)
        return (difference > 0 ? "+" : "−") + formatText(std::abs(difference), row.format) + beside("vs");
    if (before <= 0 || now <= 0)
        return arrow + formatText(std::abs(difference), row.format) + beside("vs");
    const double ratio = difference > 0 ? now / before : before / now;
    const bool seconds = row.format == ValueFormat::Seconds;
    const std::string_view word = seconds && row.better == Better::Lower ? (difference > 0 ? "slower" : "faster")
                                                                         : (difference > 0 ? "more" : "less");
    return formatText(ratio, ValueFormat::Plain) + "× " + std::string(word) + beside("than");
}

Comparison compare(const ChartContext& context)
{
    Comparison comparison;
    comparison.columns.push_back({{}, shortName(context.scenario), context.evaluation.fits, {}});
    for (const PinnedScenario& pin : context.pins)
        comparison.columns.push_back({std::string(1, pin.letter), shortName(pin.prepared), pin.evaluation.fits,
                                      differences(pin.prepared, context.scenario)});
    for (const MetricRow& metric : metricRegistry()) {
        const bool listed =
            appliesTo(metric, context.scenario.task) ||
            std::ranges::any_of(context.pins, [&](const auto& pin) { return appliesTo(metric, pin.prepared.task); });
        if (!listed)
            continue;
        ComparisonRow row = rowOf(metric, context, comparison.columns);
        if (std::ranges::any_of(row.values, [](const auto& value) { return value.has_value(); }))
            comparison.rows.push_back(std::move(row));
    }
    return comparison;
}

std::string comparisonMarkdown(const Comparison& comparison)
{
    std::string text = "| |";
    std::string rule = "|---|";
    for (const ComparisonColumn& column : comparison.columns) {
        text += " " + cell(heading(column)) + " |";
        rule += "---:|";
    }
    text += "\n" + rule + "\n";
    for (const ComparisonRow& row : comparison.rows) {
        text += "| " + cell(std::string(row.metric->label)) + " |";
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            std::string value = row.values[i] ? formatText(*row.values[i], row.metric->format) : "–";
            if (row.best == i)
                value = "**" + value + "**";
            if (!row.words[i].empty())
                value += " (now " + row.words[i] + ")";
            text += " " + value + " |";
        }
        text += "\n";
    }
    for (const ComparisonColumn& column : comparison.columns) {
        if (column.letter.empty())
            continue;
        text += "\nWhat changed from " + column.letter + ":\n";
        for (const ScenarioDifference& change : column.changes)
            text += fmt::format("- {}: {} → {}\n", change.label, change.before, change.after);
        if (column.changes.empty())
            text += "- nothing\n";
    }
    return text;
}

std::string comparisonCsv(const Comparison& comparison)
{
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
    return text;
}

} // namespace headroom
