// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/sensitivity.hpp"

#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/words.hpp"
#include "core/predict/evaluate.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"
#include "core/units/memory_unit.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::charts
{

namespace
{

constexpr std::size_t mostBars = 8;
/// Changes below this share of the metric are not drawn.
constexpr double smallestChange = 0.005;
constexpr int betterSlot = 2, worseSlot = 3; ///< green and red of the theme, with sign and direction beside them

/// In the unit and with the decimals of the figure that changes: bars are compared with each other and with it.
std::string changeText(double change, double now, ValueFormat format)
{
    const FormattedValue figure = formatValue(now, format);
    const auto unit = readNumber("1 " + figure.unit, format, false);
    if (!unit || *unit <= 0)
        return (change > 0 ? "+" : "") + formatText(change, format);
    const auto mark = figure.number.find(say("."));
    const std::size_t decimals = mark == std::string::npos ? 0 : figure.number.size() - mark - say(".").size();
    const std::string size = fmt::format("{:.{}f}", std::abs(change) / *unit, decimals);
    return (change > 0 ? "+" : "\u2212") + FormattedValue{withLocalMark(size), figure.unit}.text();
}

std::string barText(const SensitivityStep& step, const MetricRow& metric)
{
    const double change = step.after - step.before;
    const std::string text =
        metric.format == ValueFormat::Percent ? points(change, true) : changeText(change, step.before, metric.format);
    return allFits(step.evaluation) ? text : text + said(" · does not fit");
}

/// Lines at what the pins have. One that lies far from all bars would leave them a few pixels: it is said below
/// instead.
void addPins(ChartSpec& spec, DataRange& range, const MetricRow& metric, const ChartContext& context)
{
    const DataRange bars = range;
    const double reach = bars.high - bars.low; // to either side
    for (const PinnedScenario* pin : comparablePins(context)) {
        const auto value = metric.value(pin->evaluation);
        if (!value)
            continue;
        const std::string letter(1, pin->letter);
        if (*value < bars.low - reach || *value > bars.high + reach) {
            spec.note += fmt::format(" {}: {}.", letter, formatText(*value, metric.format));
            continue;
        }
        range.add(*value);
        spec.guides.push_back({GuideKind::Horizontal, pinRole(pin->letter), 0, *value, 0, letter});
    }
}

std::string reading(const std::vector<SensitivityStep>& steps, const MetricRow& metric, const ChartContext& context,
                    const std::vector<Advice>& fitting)
{
    if (!allFits(context.evaluation))
        return fitting.empty() ? said("It does not fit, and no one or two steps in reach would make it.")
                               : (fitting.front().mayNotFit() ? said("It does not fit. What may: ")
                                                              : said("It does not fit. What would: ")) +
                                     inSentence(fitting.front().brief) + ".";
    const auto runs = std::ranges::find_if(steps, [&](const SensitivityStep& step) {
        return allFits(step.evaluation) && !gainsNothing(step, metric, context.scenario, context.evaluation) &&
               priceOf(*step.row) != LeverPrice::Workload; // half the sequence is half the work
    });
    if (runs == steps.end() || runs->gain <= smallestChange * std::abs(runs->before))
        return say("No single next step that keeps the work improves {}.", inSentence(metric.label));
    return aloneText(*runs, metric);
}

/// A bar for each step, from what is now to what would be.
struct StepBars {
    double now = 0;
    Series better, worse;
    std::vector<std::string> names;

    StepBars(double value, const MetricRow& metric) : now(value)
    {
        better.id = "better", better.label = say("better"), better.slot = betterSlot;
        worse.id = "worse", worse.label = say("worse"), worse.slot = worseSlot;
        better.kind = worse.kind = SeriesKind::Bar;
        better.metric = worse.metric = metric.id;
        worse.role = SeriesRole::Secondary;
    }
    void add(bool gains, std::string name, double after, std::string text, bool fits)
    {
        (gains ? better : worse)
            .points.push_back({.x = static_cast<double>(names.size()),
                               .y = after,
                               .label = std::move(text),
                               .base = now,
                               .infeasible = !fits});
        names.push_back(std::move(name));
    }
    /// Moves them into the chart; the range of what is drawn.
    DataRange into(ChartSpec& spec)
    {
        DataRange range;
        range.add(now);
        for (Series* series : {&better, &worse}) {
            range.add(*series);
            if (!series->points.empty())
                spec.series.push_back(std::move(*series));
        }
        return range;
    }
};

/// The steps worth a bar: the largest changes either way, best first.
std::vector<SensitivityStep> shownSteps(std::vector<SensitivityStep> steps, double now)
{
    std::ranges::stable_sort(steps, std::greater{}, [](const SensitivityStep& s) { return std::abs(s.gain); });
    const auto small = std::ranges::find_if(
        steps, [now](const SensitivityStep& s) { return std::abs(s.gain) < smallestChange * std::abs(now); });
    steps.erase(std::max(small, steps.begin() + std::min<std::ptrdiff_t>(1, std::ssize(steps))), steps.end());
    steps.resize(std::min(steps.size(), mostBars));
    std::ranges::stable_sort(steps, std::greater{}, &SensitivityStep::gain);
    return steps;
}

} // namespace

ChartSpec sensitivity(const ChartContext& context)
{
    const Evaluation& now = context.evaluation;
    const std::vector<Advice> fitting = remedies(context.scenario, now, mostBars);
    // How fast what cannot run would be is worth no bar: those say what would run, and the memory that it takes.
    const bool asksMemory = !usedBytesFit(now) && !fitting.empty();
    const MetricRow& metric = asksMemory ? *metricRow("memory.used_bytes") : leadingMetric(context.scenario);
    ChartSpec spec;
    spec.id = "sensitivity";
    spec.title = said("What would help");
    spec.barDirection = BarDirection::Horizontal;
    StepBars bars(metric.value(now).value_or(0), metric);
    if (asksMemory) {
        spec.reading = reading({}, metric, context, fitting);
        spec.note = said("The line is all memory that there is.");
        for (const Advice& advice : fitting)
            bars.add(true, advice.change, advice.after.usedBytes,
                     changeText(advice.after.usedBytes - bars.now, bars.now, metric.format), true);
        spec.guides.push_back({GuideKind::Horizontal, SeriesRole::Limit, 0, now.capacityBytes, 0,
                               formatText(now.capacityBytes, ValueFormat::Bytes)});
    } else {
        auto steps = headroom::sensitivity(context.scenario, now, metric);
        spec.reading = reading(steps, metric, context, fitting);
        spec.note = said("Each bar is one next step, everything else held.");
        std::erase_if(steps, [&](const SensitivityStep& step) {
            return step.gain > 0 && gainsNothing(step, metric, context.scenario, now);
        });
        steps = shownSteps(std::move(steps), bars.now);
        for (const SensitivityStep& step : steps)
            bars.add(step.gain >= 0, named(*step.row, step.to), step.after, barText(step, metric),
                     allFits(step.evaluation));
        if (!std::ranges::all_of(steps, allFits, &SensitivityStep::evaluation))
            spec.note += " " + said("Hatched: does not fit."); // where a bar has no room for these words
    }
    if (bars.names.empty())
        bars.add(true, said("as it is"), bars.now, "0", true);
    const std::vector<std::string> names = bars.names;
    DataRange range = bars.into(spec);
    if (asksMemory)
        range.add(now.capacityBytes);
    addPins(spec, range, metric, context);
    spec.x = categoryAxis("next_step", said("Next step"), names);
    // Steps are compared with each other, not with the peak.
    spec.y = closeAxis(std::string(metric.id), said(metric.label),
                       metric.format == ValueFormat::Percent ? said("% of peak")
                       : asksMemory                          ? std::string(memoryUnitName())
                                                             : timeUnit(bars.now),
                       metric.format, range);
    spec.guides.push_back({GuideKind::Horizontal, SeriesRole::Current, 0, bars.now, 0,
                           say("now {}", formatText(bars.now, metric.format))});
    spec.summary = asksMemory ? spec.title + ". " + spec.reading
                              : say("What the next step of {} parameters does to {}. {}", names.size(),
                                    say(metric.label), spec.reading);
    return spec;
}

} // namespace headroom::charts
