// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explore/sensitivity.hpp"

#include "core/charts/axis.hpp"
#include "core/charts/chart_registry.hpp"
#include "core/charts/pin_marks.hpp"
#include "core/charts/sweep_curves.hpp"
#include "core/explore/advice.hpp"
#include "core/metrics/words.hpp"
#include "core/support/say.hpp"
#include "core/units/format.hpp"

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

std::string reading(const std::vector<SensitivityStep>& steps, const MetricRow& metric, const ChartContext& context)
{
    if (!allFits(context.evaluation)) {
        const auto fitting = remedies(context.scenario, context.evaluation, 1);
        return fitting.empty() ? said("It does not fit, and no one or two steps in reach would make it.")
                               : said("It does not fit. What would: ") + inSentence(fitting.front().text) + ".";
    }
    const auto runs = std::ranges::find_if(steps, [&](const SensitivityStep& step) {
        return allFits(step.evaluation) && !gainsNothing(step, metric, context.scenario, context.evaluation) &&
               priceOf(*step.row) != LeverPrice::Workload; // half the sequence is half the work
    });
    if (runs == steps.end() || runs->gain <= smallestChange * std::abs(runs->before))
        return say("No single next step improves {}.", inSentence(metric.label));
    return aloneText(*runs, metric);
}

} // namespace

ChartSpec sensitivity(const ChartContext& context)
{
    const MetricRow& metric = leadingMetric(context.scenario);
    auto steps = headroom::sensitivity(context.scenario, context.evaluation, metric);
    const double now = metric.value(context.evaluation).value_or(0);
    ChartSpec spec;
    spec.id = "sensitivity";
    spec.title = said("What would help");
    spec.barDirection = BarDirection::Horizontal;
    spec.reading = reading(steps, metric, context);
    spec.note = said("Each bar is one next step, everything else held.");

    std::erase_if(steps, [&](const SensitivityStep& step) {
        return step.gain > 0 && gainsNothing(step, metric, context.scenario, context.evaluation);
    });
    // The largest changes either way, best first.
    std::ranges::stable_sort(steps, std::greater{}, [](const SensitivityStep& s) { return std::abs(s.gain); });
    const auto small = std::ranges::find_if(
        steps, [now](const SensitivityStep& s) { return std::abs(s.gain) < smallestChange * std::abs(now); });
    steps.erase(std::max(small, steps.begin() + std::min<std::ptrdiff_t>(1, std::ssize(steps))), steps.end());
    steps.resize(std::min(steps.size(), mostBars));
    std::ranges::stable_sort(steps, std::greater{}, &SensitivityStep::gain);

    Series better, worse;
    better.id = "better", better.label = say("better"), better.slot = betterSlot;
    worse.id = "worse", worse.label = say("worse"), worse.slot = worseSlot;
    better.kind = worse.kind = SeriesKind::Bar;
    better.metric = worse.metric = metric.id;
    worse.role = SeriesRole::Secondary;
    std::vector<std::string> names;
    for (const SensitivityStep& step : steps) {
        Series& series = step.gain >= 0 ? better : worse;
        series.points.push_back({.x = static_cast<double>(names.size()),
                                 .y = step.after,
                                 .label = barText(step, metric),
                                 .base = now,
                                 .infeasible = !allFits(step.evaluation)});
        names.push_back(named(*step.row, step.to));
    }
    if (names.empty()) {
        better.points.push_back({.x = 0, .y = now, .label = "0", .base = now});
        names.push_back(said("as it is"));
    }
    DataRange range;
    range.add(now);
    for (Series* series : {&better, &worse}) {
        range.add(*series);
        if (!series->points.empty())
            spec.series.push_back(std::move(*series));
    }
    addPins(spec, range, metric, context);
    spec.x = categoryAxis("next_step", said("Next step"), names);
    // Steps are compared with each other, not with the peak.
    spec.y = closeAxis(std::string(metric.id), said(metric.label),
                       metric.format == ValueFormat::Percent ? said("% of peak") : timeUnit(now), metric.format, range);
    spec.guides.push_back(
        {GuideKind::Horizontal, SeriesRole::Current, 0, now, 0, say("now {}", formatText(now, metric.format))});
    spec.summary =
        say("What the next step of {} parameters does to {}. {}", names.size(), say(metric.label), spec.reading);
    return spec;
}

} // namespace headroom::charts
